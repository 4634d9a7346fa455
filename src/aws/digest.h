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

// A running SHA-256. Copying it keeps the state of the bytes seen so far.
class Sha256 {
 public:
  Sha256();
  void update(std::string_view bytes);
  void update(std::span<const std::byte> bytes);
  // Ends the digest; the object is spent.
  Sha256Digest finish();

 private:
  SHA256_CTX state_;
};

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

 private:
  Sha256 inner_;
  Sha256 outer_;
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
