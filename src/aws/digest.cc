// See digest.h for why the low-level functions.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "aws/digest.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#include "base/check.h"

namespace loadline::aws {
namespace {

constexpr std::size_t k_block_bytes = 64;  // of SHA-1 and SHA-256

std::array<std::uint8_t, k_block_bytes> padded_key(std::string_view key, std::uint8_t pad) {
  std::array<std::uint8_t, k_block_bytes> block;
  block.fill(pad);
  for (std::size_t i = 0; i < key.size(); ++i) block[i] ^= static_cast<std::uint8_t>(key[i]);
  return block;
}

template <typename Word>
void store_big_endian(Word word, void* out) {
  if constexpr (std::endian::native == std::endian::little) {
    word = sizeof(Word) == 8
               ? static_cast<Word>(__builtin_bswap64(word))
               : static_cast<Word>(__builtin_bswap32(static_cast<std::uint32_t>(word)));
  }
  std::memcpy(out, &word, sizeof(word));
}

constexpr std::array<std::array<char, 2>, 256> make_hex_pairs() {
  constexpr std::string_view k_digits = "0123456789abcdef";
  std::array<std::array<char, 2>, 256> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {k_digits[i >> 4], k_digits[i & 15]};
  return pairs;
}
constexpr auto k_hex_pairs = make_hex_pairs();

template <std::size_t N>
std::string_view text_of(const std::array<std::uint8_t, N>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), N};
}

Sha1Digest sha1(std::string_view first, std::string_view second) {
  SHA_CTX state;
  SHA1_Init(&state);
  SHA1_Update(&state, first.data(), first.size());
  SHA1_Update(&state, second.data(), second.size());
  Sha1Digest digest;
  SHA1_Final(digest.data(), &state);
  return digest;
}

}  // namespace

Sha256::Sha256() { SHA256_Init(&state_); }

void Sha256::update(std::string_view bytes) { SHA256_Update(&state_, bytes.data(), bytes.size()); }

void Sha256::update(std::span<const std::byte> bytes) {
  SHA256_Update(&state_, bytes.data(), bytes.size());
}

Sha256Digest Sha256::finish() {
  Sha256Digest digest;
  SHA256_Final(digest.data(), &state_);
  return digest;
}

Sha256Midstate Sha256::midstate() const {
  CHECK(state_.num == 0);
  Sha256Midstate midstate;
  std::copy(std::begin(state_.h), std::end(state_.h), midstate.words.begin());
  midstate.bytes = ((std::uint64_t{state_.Nh} << 32U) | state_.Nl) / 8;
  return midstate;
}

const Sha256Midstate& sha256_begin() {
  // FIPS 180-4, section 5.3.3.
  static constexpr Sha256Midstate k_begin = {.words = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                                       0xa54ff53a, 0x510e527f, 0x9b05688c,
                                                       0x1f83d9ab, 0x5be0cd19}};
  return k_begin;
}

// Feeds whole blocks straight to the compression function: for a signature's few blocks the copying
// and cleaning around it would cost as much again.
Sha256Digest digest_in_place(const Sha256Midstate& from, std::span<char> buffer, std::size_t size) {
  CHECK(buffer.size() >= size + k_sha256_padding);
  // FIPS 180-4, section 5.1.1: a one, zeros, and the length in bits to the end of a block.
  const std::size_t blocks = (size + 9 + k_block_bytes - 1) / k_block_bytes;
  const std::size_t length_at = blocks * k_block_bytes - 8;
  buffer[size] = static_cast<char>(0x80);
  std::memset(buffer.data() + size + 1, 0, length_at - size - 1);
  store_big_endian((from.bytes + size) * 8, buffer.data() + length_at);
  SHA256_CTX state;
  std::ranges::copy(from.words, std::begin(state.h));
  for (std::size_t i = 0; i < blocks; ++i) {
    SHA256_Transform(&state,
                     reinterpret_cast<const unsigned char*>(buffer.data()) + i * k_block_bytes);
  }
  Sha256Digest digest;
  for (std::size_t i = 0; i < 8; ++i) store_big_endian(state.h[i], digest.data() + i * 4);
  return digest;
}

Sha256Digest sha256(std::string_view bytes) {
  Sha256 running;
  running.update(bytes);
  return running.finish();
}

Sha256Digest sha256(std::span<const std::byte> bytes) {
  Sha256 running;
  running.update(bytes);
  return running.finish();
}

HmacSha256::HmacSha256(std::string_view key) {
  Sha256Digest shortened;
  if (key.size() > k_block_bytes) {
    shortened = sha256(key);
    key = text_of(shortened);
  }
  inner_.update(text_of(padded_key(key, 0x36)));
  outer_.update(text_of(padded_key(key, 0x5c)));
  outer_midstate_ = outer_.midstate();
}

HmacSha256::HmacSha256(const Sha256Digest& key) : HmacSha256(text_of(key)) {}

Sha256Digest HmacSha256::of(std::string_view message) const {
  Sha256 running = inner_;
  running.update(message);
  return finish(running);
}

Sha256Digest HmacSha256::finish(Sha256& message) const { return finish(message.finish()); }

Sha256Digest HmacSha256::finish(const Sha256Digest& inner) const {
  std::array<char, sizeof(inner) + k_sha256_padding> buffer;
  std::memcpy(buffer.data(), inner.data(), inner.size());
  return digest_in_place(outer_midstate_, buffer, inner.size());
}

Sha1Digest hmac_sha1(std::string_view key, std::string_view message) {
  Sha1Digest shortened;
  if (key.size() > k_block_bytes) {
    shortened = sha1(key, {});
    key = text_of(shortened);
  }
  const Sha1Digest inner = sha1(text_of(padded_key(key, 0x36)), message);
  return sha1(text_of(padded_key(key, 0x5c)), text_of(inner));
}

Md5::Md5() { MD5_Init(&state_); }

void Md5::update(std::string_view bytes) { MD5_Update(&state_, bytes.data(), bytes.size()); }

void Md5::update(std::span<const std::byte> bytes) {
  MD5_Update(&state_, bytes.data(), bytes.size());
}

Md5Digest Md5::finish() {
  Md5Digest digest;
  MD5_Final(digest.data(), &state_);
  return digest;
}

char* write_hex(std::span<const std::uint8_t> bytes, char* out) {
  for (const std::uint8_t byte : bytes) {
    std::memcpy(out, k_hex_pairs[byte].data(), 2);
    out += 2;
  }
  return out;
}

std::string to_hex(std::span<const std::uint8_t> bytes) {
  std::string text(bytes.size() * 2, '\0');
  write_hex(bytes, text.data());
  return text;
}

std::string to_base64(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view k_digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    unsigned group = bytes[i] << 16U;
    if (n > 1) group |= bytes[i + 1] << 8U;
    if (n > 2) group |= bytes[i + 2];
    text.push_back(k_digits[group >> 18 & 63]);
    text.push_back(k_digits[group >> 12 & 63]);
    text.push_back(n > 1 ? k_digits[group >> 6 & 63] : '=');
    text.push_back(n > 2 ? k_digits[group & 63] : '=');
  }
  return text;
}

}  // namespace loadline::aws
