// The checksums that blocks are verified with, in the bytes that fio keeps of them
// (docs/format/verify-header.md), so that either verifies what the other wrote.
//
// md5, sha3, sha512: of OpenSSL. sha1: its words lowest byte first. sha256: 64 bytes, of which
// eight are of the digest. crc32c: RFC 3720 without the last inversion, by the processor's own
// instruction where it has one. crc32: 0x04c11db7, highest bit first. crc64: 0xad93d23594c935a9,
// lowest bit first. crc16: CRC-16/ARC. crc7: that of the MMC specification. All of them begin with
// zero but crc32c. xxhash: XXH32 with seed 1.
//
// Threads: belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "plan/block_io.h"

namespace loadline::engine {

inline constexpr std::size_t k_digest_max = 64;

// Bytes; zero for kinds without a digest.
std::size_t digest_size(plan::Checksum kind);

// RFC 3720.
std::uint32_t crc32c(std::span<const std::byte> bytes);

class BlockChecksum {
 public:
  explicit BlockChecksum(plan::Checksum kind);
  ~BlockChecksum();
  BlockChecksum(BlockChecksum&&) noexcept;

  // Writes digest_size() bytes.
  void digest(std::span<const std::byte> bytes, std::span<std::byte> into);

 private:
  struct Context;
  plan::Checksum kind_;
  std::unique_ptr<Context> context_;
};

}  // namespace loadline::engine
