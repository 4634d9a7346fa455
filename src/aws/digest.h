// Digests on fixed buffers, without allocation: SHA-256 and its HMAC with kept states, HMAC-SHA1
// for SigV2, MD5 for Content-MD5 and ETags, hexadecimal and base64.
//
// The low-level functions of libcrypto are used on purpose: they reach the CPU's SHA instructions
// directly, while the EVP interface costs more than the digest of a signature's few blocks.
//
// Threads: plain values.
#pragma once

#include <openssl/md5.h>
#include <openssl/sha.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace loadline::aws {

using Sha256Digest = std::array<std::uint8_t, 32>;
using Sha1Digest = std::array<std::uint8_t, 20>;
using Md5Digest = std::array<std::uint8_t, 16>;

// The state of a SHA-256 at the end of a whole block, for messages whose beginning is kept.
struct Sha256Midstate {
  std::array<std::uint32_t, 8> words;
  std::uint64_t bytes = 0;  // seen so far: a multiple of 64
};

// A running SHA-256. Copying it keeps the state of the bytes seen so far.
class Sha256 {
 public:
  Sha256();
  void update(std::string_view bytes);
  void update(std::span<const std::byte> bytes);
  // Ends the digest; the object is spent.
  Sha256Digest finish();
  // After a multiple of 64 bytes.
  Sha256Midstate midstate() const;

 private:
  SHA256_CTX state_;
};

// Space that digest_in_place() needs behind the message, for the padding.
inline constexpr std::size_t k_sha256_padding = 72;
// The digest of what `from` has seen and then the first `size` bytes of `buffer`, which holds at
// least k_sha256_padding bytes more; these are overwritten.
Sha256Digest digest_in_place(const Sha256Midstate& from, std::span<char> buffer, std::size_t size);
// Of no bytes.
const Sha256Midstate& sha256_begin();

Sha256Digest sha256(std::string_view bytes);
Sha256Digest sha256(std::span<const std::byte> bytes);

// HMAC-SHA256 (RFC 2104) of one key: the two padded key blocks are digested once.
class HmacSha256 {
 public:
  explicit HmacSha256(std::string_view key);
  explicit HmacSha256(const Sha256Digest& key);

  Sha256Digest of(std::string_view message) const;
  // The state after the padded key, to which a message is added; finish() ends it.
  const Sha256& begin() const { return inner_; }
  Sha256Digest finish(Sha256& message) const;
  // The same for a message's inner digest that was made of begin()'s midstate.
  Sha256Digest finish(const Sha256Digest& inner) const;

 private:
  Sha256 inner_;
  Sha256 outer_;
  Sha256Midstate outer_midstate_;
};

Sha1Digest hmac_sha1(std::string_view key, std::string_view message);

// A running MD5.
class Md5 {
 public:
  Md5();
  void update(std::string_view bytes);
  void update(std::span<const std::byte> bytes);
  Md5Digest finish();

 private:
  MD5_CTX state_;
};

// Lower-case hexadecimal: two characters a byte, written to `out`; returns the place behind them.
char* write_hex(std::span<const std::uint8_t> bytes, char* out);
std::string to_hex(std::span<const std::uint8_t> bytes);
// RFC 4648 with padding.
std::string to_base64(std::span<const std::uint8_t> bytes);

}  // namespace loadline::aws
