// The header of a verified interval: fio's own layout (docs/format/verify-header.md), so that fio
// verifies what was written here and the other way round. What fio does not look at holds what is
// needed to tell old, misplaced and foreign data apart.
//
// Plain values. Threads: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "plan/block_data.h"

namespace loadline::engine {

// Numbers are little-endian, as this machine's are.
struct VerifyHeader {
  static constexpr std::uint16_t k_magic = 0xacca;
  static constexpr std::uint16_t k_own = 0x4c56;  // "VL"; fio has the number of a thread here

  std::uint16_t magic = k_magic;
  std::uint16_t kind = 0;
  std::uint32_t length = 0;  // of the interval
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;
  std::uint32_t sequence = 0;  // fio: seconds
  std::uint32_t file = 0;      // fio: nanoseconds
  std::uint16_t writer = k_own;
  std::uint16_t number = 0;  // of the operation, from 0
  std::uint32_t check = 0;   // of all before it

  static VerifyHeader read(std::span<const std::byte> from);
  std::uint32_t own_check() const;
  bool whole() const { return magic == k_magic && check == own_check(); }
  // Written here, not by fio.
  bool ours() const { return writer == k_own; }
  bool is_of(plan::Checksum checksum) const;
};
static_assert(sizeof(VerifyHeader) == 40);

// fio's number of a kind.
std::uint16_t kind_number(plan::Checksum checksum);

}  // namespace loadline::engine
