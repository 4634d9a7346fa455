// The checksums that blocks are verified with.
//
// md5, sha*, sha3*: OpenSSL. crc32: zlib's (ISO 3309). crc32c: RFC 3720, by the processor's own
// instruction where it has one. crc64: ECMA-182. crc16: CRC-16/ARC. crc7: that of the MMC
// specification. xxhash: XXH64.
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
