#include "engine/block_checksum.h"

#include <openssl/evp.h>
#include <zlib.h>

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
    case Checksum::sha256: return EVP_sha256();
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

constexpr std::array<std::uint64_t, 256> k_crc64 = [] {
  std::array<std::uint64_t, 256> table{};
  for (std::uint64_t i = 0; i < 256; ++i) {
    std::uint64_t word = i << 56;
    for (int bit = 0; bit < 8; ++bit) {
      word = (word >> 63) != 0 ? (word << 1) ^ 0x42f0e1eba9ea3693ULL : word << 1;
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

constexpr auto k_after64 = [](std::uint64_t crc) { return k_crc64[crc >> 56] ^ (crc << 8); };
constexpr auto k_after16 = [](std::uint16_t crc) {
  return static_cast<std::uint16_t>(k_crc16[crc & 0xffU] ^ (crc >> 8));
};
constexpr auto k_after7 = [](std::uint8_t crc) { return k_crc7[crc]; };
constexpr auto k_crc64_slices = slices_of<std::uint64_t>(k_crc64, k_after64);
constexpr auto k_crc16_slices = slices_of<std::uint16_t>(k_crc16, k_after16);
constexpr auto k_crc7_slices = slices_of<std::uint8_t>(k_crc7, k_after7);

std::uint64_t crc64(std::span<const std::byte> bytes) {
  std::uint64_t crc = 0;
  for (; bytes.size() >= k_slices; bytes = bytes.subspan(k_slices)) {
    crc = sliced(k_crc64_slices, bytes, __builtin_bswap64(crc));
  }
  for (const std::byte b : bytes) {
    crc = k_crc64[(crc >> 56) ^ std::to_integer<std::uint64_t>(b)] ^ (crc << 8);
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
    case Checksum::crc32c: return 4;
    case Checksum::crc64:
    case Checksum::xxhash: return 8;
    case Checksum::md5: return 16;
    case Checksum::sha1: return 20;
    case Checksum::sha3_224: return 28;
    case Checksum::sha256:
    case Checksum::sha3_256: return 32;
    case Checksum::sha3_384: return 48;
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
    case Checksum::crc32:
      return put(static_cast<std::uint32_t>(
                     crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size())),
                 into);
    case Checksum::crc32c: return put(crc32c(bytes), into);
    case Checksum::crc64: return put(crc64(bytes), into);
    case Checksum::xxhash:
      return put(static_cast<std::uint64_t>(XXH64(bytes.data(), bytes.size(), 0)), into);
    default: break;
  }
  CHECK(context_ && context_->state);
  unsigned length = 0;
  const bool fine = EVP_DigestInit_ex(context_->state.get(), context_->kind, nullptr) == 1 &&
                    EVP_DigestUpdate(context_->state.get(), bytes.data(), bytes.size()) == 1 &&
                    EVP_DigestFinal_ex(context_->state.get(),
                                       reinterpret_cast<unsigned char*>(into.data()), &length) == 1;
  CHECK(fine);
}

}  // namespace loadline::engine
