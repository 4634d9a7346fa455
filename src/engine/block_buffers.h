// The memory that blocks are read into and written from, one stretch a slot, and what writes send.
//
// Ownership: owns the memory. Threads: belongs to one thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/rng.h"
#include "engine/block_memory.h"
#include "engine/block_pattern.h"
#include "plan/block_io.h"

namespace loadline::engine {

class BlockBuffers {
 public:
  static constexpr std::size_t k_alignment = 65536;  // of the first stretch
  static constexpr std::size_t k_stride = 4096;      // stretches begin at multiples of it

  struct Options {
    std::uint32_t slots = 1;
    std::uint64_t largest = 4096;  // bytes of one operation
    bool writes = true;
    bool reads = true;  // into the same memory
    std::uint64_t seed = 0;
    std::uint64_t blocks = 0;  // that the job writes: what dedupe_set_percent is a share of
    // Jobs that repeat blocks of one set (dedupe_global): how many, and which of them this one is.
    // The set follows from their seed, so that they share no memory.
    std::uint64_t shared_seed = 0;
    std::uint32_t sharers = 1;
    std::uint32_t rank = 0;
    plan::MemorySpec memory;

    // What the plan asks for beyond what every stretch has.
    std::size_t alignment() const { return std::lcm(k_alignment, std::max(asked(), k_page)); }
    std::size_t stride() const { return std::lcm(k_stride, std::max(asked(), k_page)); }

   private:
    static constexpr std::size_t k_page = 4096;
    std::size_t asked() const { return static_cast<std::size_t>(memory.align.count()); }
  };
  // Error: no memory, or a pattern that is none.
  static Result<BlockBuffers> make(const plan::BufferSpec& spec, const Options& options);
  BlockBuffers(BlockBuffers&& other) noexcept;
  BlockBuffers& operator=(BlockBuffers&&) = delete;

  std::span<std::byte> memory() { return {base_, bytes_}; }
  std::span<std::byte> of(std::uint32_t slot, std::uint64_t length) {
    return {base_ + slot * stride_, length};
  }

  bool fits(std::uint64_t length) const { return length <= stride_; }

  // True where fill() has something to do before a write.
  bool fills() const { return fills_; }
  void fill(std::span<std::byte> block, std::uint64_t offset);

 private:
  BlockBuffers(const plan::BufferSpec& spec, const Options& options);
  void fill_fresh(std::span<std::byte> block);
  std::uint64_t next_seed();
  void repeat_first(std::uint32_t slots);
  void scramble(std::span<std::byte> block, std::uint64_t offset);

  plan::BufferFill kind_;
  std::uint32_t compress_percent_;
  std::uint64_t compress_chunk_;
  std::uint32_t dedupe_percent_;
  std::uint64_t set_blocks_ = 0;  // zero: repeats are of the block before
  std::uint64_t set_seed_;
  std::uint32_t sharers_;
  std::uint32_t rank_;
  std::optional<BlockPattern> pattern_;
  std::optional<BlockMemory> memory_;
  std::byte* base_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t stride_ = 0;
  bool fills_ = false;
  std::uint64_t count_ = 0;
  std::uint64_t last_seed_ = 0;
  std::vector<std::byte> same_;  // what reads into the same memory would spoil
  Rng rng_;
};

}  // namespace loadline::engine
