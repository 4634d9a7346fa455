// The memory that a job's operations use: of the kind, and at the alignment, that the plan names.
//
// Ownership: owns the mapping; a file that is mapped stays, and grows to what is needed.
// Threads: plain memory.
#pragma once

#include <cstddef>
#include <span>

#include "base/error.h"
#include "plan/block_io.h"

namespace loadline::engine {

class BlockMemory {
 public:
  // `bytes`, beginning at a multiple of `alignment`. Error: there is none of that kind, and what
  // would have to be done.
  static Result<BlockMemory> make(const plan::MemorySpec& spec, std::size_t bytes,
                                  std::size_t alignment);
  ~BlockMemory();
  BlockMemory(BlockMemory&& other) noexcept;
  BlockMemory& operator=(BlockMemory&&) = delete;

  std::span<std::byte> bytes() const { return bytes_; }

 private:
  BlockMemory() = default;

  std::byte* mapping_ = nullptr;
  std::size_t mapped_ = 0;
  std::span<std::byte> bytes_;
};

}  // namespace loadline::engine
