#include "engine/block_checksum.h"

// SHA-256 block by block, which its newer interface does not offer.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/evp.h>
#include <openssl/sha.h>

#include <array>
#include <cstring>

#include "base/check.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace loadline::engine {
namespace {

using plan::Checksum;

const EVP_MD* evp_of(Checksum kind) {
  switch (kind) {
    case Checksum::md5: return EVP_md5();
    case Checksum::sha1: return EVP_sha1();
    case Checksum::sha512: return EVP_sha512();
    case Checksum::sha3_224: return EVP_sha3_224();
    case Checksum::sha3_256: return EVP_sha3_256();
    case Checksum::sha3_384: return EVP_sha3_384();
    case Checksum::sha3_512: return EVP_sha3_512();
    default: return nullptr;
  }
}

// Tables of reflected polynomials.
template <typename Word>
constexpr std::array<Word, 256> reflected_table(Word polynomial) {
  std::array<Word, 256> table{};
  for (unsigned i = 0; i < 256; ++i) {
    Word word = static_cast<Word>(i);
    for (int bit = 0; bit < 8; ++bit) {
      word = static_cast<Word>((word & 1) != 0 ? (word >> 1) ^ polynomial : word >> 1);
    }
    table[i] = word;
  }
  return table;
}

constexpr auto k_crc32c = reflected_table<std::uint32_t>(0x82f63b78U);
constexpr auto k_crc16 = reflected_table<std::uint16_t>(0xa001U);

constexpr auto k_crc64 = reflected_table<std::uint64_t>(0x95ac9329ac4bc9b5ULL);

constexpr std::array<std::uint32_t, 256> k_crc32 = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t word = i << 24;
    for (int bit = 0; bit < 8; ++bit) {
      word = (word >> 31) != 0 ? (word << 1) ^ 0x04c11db7U : word << 1;
    }
    table[i] = word;
  }
  return table;
}();

// x^7 + x^3 + 1, kept in the upper seven bits.
constexpr std::array<std::uint8_t, 256> k_crc7 = [] {
  std::array<std::uint8_t, 256> table{};
  for (unsigned i = 0; i < 256; ++i) {
    unsigned word = i;
    for (int bit = 0; bit < 8; ++bit)
      word = (word & 0x80) != 0 ? (word << 1) ^ (0x09 << 1) : word << 1;
    table[i] = static_cast<std::uint8_t>(word);
  }
  return table;
}();

// Eight bytes at once: the table number k is of a byte with k bytes of zero behind it (Kounavis and
// Berry, "A systematic approach to building high performance software-based CRC generators", 2005).
constexpr std::size_t k_slices = 8;
template <typename Word>
using Slices = std::array<std::array<Word, 256>, k_slices>;

// `after`: the register after one more byte of zero.
template <typename Word, typename After>
constexpr Slices<Word> slices_of(const std::array<Word, 256>& table, After after) {
  Slices<Word> slices{};
  slices[0] = table;
  for (std::size_t k = 1; k < k_slices; ++k) {
    for (std::size_t i = 0; i < table.size(); ++i) slices[k][i] = after(slices[k - 1][i]);
  }
  return slices;
}

// `first`: the register, in the bytes that it meets first.
template <typename Word>
Word sliced(const Slices<Word>& slices, std::span<const std::byte> bytes, std::uint64_t first) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data(), sizeof word);
  word ^= first;
  Word crc = 0;
  for (std::size_t k = 0; k < k_slices; ++k) {
    crc = static_cast<Word>(crc ^ slices[k_slices - 1 - k][(word >> (8 * k)) & 0xff]);
  }
  return crc;
}

constexpr auto k_after64 = [](std::uint64_t crc) { return k_crc64[crc & 0xffU] ^ (crc >> 8); };
constexpr auto k_after32 = [](std::uint32_t crc) { return k_crc32[crc >> 24] ^ (crc << 8); };
constexpr auto k_after16 = [](std::uint16_t crc) {
  return static_cast<std::uint16_t>(k_crc16[crc & 0xffU] ^ (crc >> 8));
};
constexpr auto k_after7 = [](std::uint8_t crc) { return k_crc7[crc]; };
constexpr auto k_crc64_slices = slices_of<std::uint64_t>(k_crc64, k_after64);
constexpr auto k_crc32_slices = slices_of<std::uint32_t>(k_crc32, k_after32);
constexpr auto k_crc16_slices = slices_of<std::uint16_t>(k_crc16, k_after16);
constexpr auto k_crc7_slices = slices_of<std::uint8_t>(k_crc7, k_after7);

std::uint64_t crc64(std::span<const std::byte> bytes) {
  std::uint64_t crc = 0;
  for (; bytes.size() >= k_slices; bytes = bytes.subspan(k_slices)) {
    crc = sliced(k_crc64_slices, bytes, crc);
  }
  for (const std::byte b : bytes) {
    crc = k_crc64[(crc ^ std::to_integer<std::uint64_t>(b)) & 0xff] ^ (crc >> 8);
  }
  return crc;
}

std::uint32_t crc32(std::span<const std::byte> bytes) {
  std::uint32_t crc = 0;
  for (; bytes.size() >= k_slices; bytes = bytes.subspan(k_slices)) {
    crc = sliced(k_crc32_slices, bytes, __builtin_bswap32(crc));
  }
  for (const std::byte b : bytes) {
    crc = k_crc32[(crc >> 24) ^ std::to_integer<std::uint32_t>(b)] ^ (crc << 8);
  }
  return crc;
}

std::uint16_t crc16(std::span<const std::byte> bytes) {
  std::uint16_t crc = 0;
  for (; bytes.size() >= k_slices; bytes = bytes.subspan(k_slices)) {
    crc = sliced(k_crc16_slices, bytes, crc);
  }
  for (const std::byte b : bytes) {
    crc = static_cast<std::uint16_t>(k_crc16[(crc ^ std::to_integer<unsigned>(b)) & 0xff] ^
                                     (crc >> 8));
  }
  return crc;
}

std::uint8_t crc7(std::span<const std::byte> bytes) {
  std::uint8_t crc = 0;
  for (; bytes.size() >= k_slices; bytes = bytes.subspan(k_slices)) {
    crc = sliced(k_crc7_slices, bytes, crc);
  }
  for (const std::byte b : bytes) crc = k_crc7[crc ^ std::to_integer<unsigned>(b)];
  return static_cast<std::uint8_t>(crc >> 1);
}

std::uint32_t crc32c_by_table(std::uint32_t crc, std::span<const std::byte> bytes) {
  for (const std::byte b : bytes) {
    crc = k_crc32c[(crc ^ std::to_integer<std::uint32_t>(b)) & 0xff] ^ (crc >> 8);
  }
  return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t crc32c_by_instruction(
    std::uint32_t crc, std::span<const std::byte> bytes) {
  std::uint64_t wide = crc;
  while (bytes.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    wide = __builtin_ia32_crc32di(wide, word);
    bytes = bytes.subspan(sizeof word);
  }
  return crc32c_by_table(static_cast<std::uint32_t>(wide), bytes);
}
#endif

template <typename Word>
void put(Word word, std::span<std::byte> into) {
  std::memcpy(into.data(), &word, sizeof word);
}

// The last block of SHA-256 as it is padded, with the number of bits lowest byte first; in its
// first eight bytes the lowest byte of each word of the state.
void put_sha256(std::span<const std::byte> bytes, std::span<std::byte> into) {
  constexpr std::size_t k_block = SHA256_CBLOCK;
  SHA256_CTX state;
  SHA256_Init(&state);
  const std::size_t whole = bytes.size() / k_block * k_block;
  SHA256_Update(&state, bytes.data(), whole);
  std::array<std::byte, 2 * k_block> end{};
  const std::size_t left = bytes.size() - whole;
  if (left > 0) std::memcpy(end.data(), bytes.data() + whole, left);
  end[left] = std::byte{0x80};
  const std::size_t last = left + 1 + sizeof(std::uint64_t) > k_block ? k_block : 0;
  put(std::uint64_t{bytes.size()} * 8,
      std::span(end).subspan(last + k_block - sizeof(std::uint64_t)));
  for (std::size_t at = 0; at <= last; at += k_block) {
    SHA256_Transform(&state, reinterpret_cast<const unsigned char*>(&end[at]));
  }
  std::memcpy(into.data(), end.data() + last, k_block);
  for (std::size_t i = 0; i < std::size(state.h); ++i) into[i] = static_cast<std::byte>(state.h[i]);
}

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2")) return ~crc32c_by_instruction(~0U, bytes);
#endif
  return ~crc32c_by_table(~0U, bytes);
}

std::size_t digest_size(Checksum kind) {
  switch (kind) {
    case Checksum::none:
    case Checksum::pattern:
    case Checksum::pattern_hdr:
    case Checksum::null: return 0;
    case Checksum::crc7: return 1;
    case Checksum::crc16: return 2;
    case Checksum::crc32:
    case Checksum::crc32c:
    case Checksum::xxhash: return 4;
    case Checksum::crc64: return 8;
    case Checksum::md5: return 16;
    case Checksum::sha1: return 20;
    case Checksum::sha3_224: return 28;
    case Checksum::sha3_256: return 32;
    case Checksum::sha3_384: return 48;
    case Checksum::sha256:
    case Checksum::sha512:
    case Checksum::sha3_512: return 64;
  }
  return 0;
}

struct BlockChecksum::Context {
  const EVP_MD* kind = nullptr;
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> state{EVP_MD_CTX_new(), EVP_MD_CTX_free};
};

BlockChecksum::BlockChecksum(Checksum kind) : kind_(kind) {
  if (const EVP_MD* evp = evp_of(kind)) {
    context_ = std::make_unique<Context>();
    context_->kind = evp;
  }
}

BlockChecksum::~BlockChecksum() = default;
BlockChecksum::BlockChecksum(BlockChecksum&&) noexcept = default;

void BlockChecksum::digest(std::span<const std::byte> bytes, std::span<std::byte> into) {
  switch (kind_) {
    case Checksum::none:
    case Checksum::pattern:
    case Checksum::pattern_hdr:
    case Checksum::null: return;
    case Checksum::crc7: return put(crc7(bytes), into);
    case Checksum::crc16: return put(crc16(bytes), into);
    case Checksum::crc32: return put(crc32(bytes), into);
    case Checksum::crc32c: return put(~crc32c(bytes), into);
    case Checksum::crc64: return put(crc64(bytes), into);
    case Checksum::xxhash: return put(XXH32(bytes.data(), bytes.size(), 1), into);
    case Checksum::sha256: return put_sha256(bytes, into);
    default: break;
  }
  CHECK(context_ && context_->state);
  unsigned length = 0;
  const bool fine = EVP_DigestInit_ex(context_->state.get(), context_->kind, nullptr) == 1 &&
                    EVP_DigestUpdate(context_->state.get(), bytes.data(), bytes.size()) == 1 &&
                    EVP_DigestFinal_ex(context_->state.get(),
                                       reinterpret_cast<unsigned char*>(into.data()), &length) == 1;
  CHECK(fine);
  if (kind_ != Checksum::sha1) return;
  for (std::size_t at = 0; at < length; at += sizeof(std::uint32_t)) {
    std::uint32_t word = 0;
    std::memcpy(&word, into.data() + at, sizeof word);
    put(__builtin_bswap32(word), into.subspan(at));
  }
}

}  // namespace loadline::engine
