// The bytes of files that a job on streams writes, by file and place: whoever knows the plan's seed
// can tell what must stand there, in whatever pieces it is read, without having written it.
//
// Ownership: borrows the pool. Threads: read-only once made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "engine/content.h"
#include "plan/stream_io.h"

namespace loadline::engine {

class StreamContent {
 public:
  // `seed`: the plan's, from which the pool was made too.
  StreamContent(plan::StreamFill fill, const ContentPool& pool, std::uint64_t seed)
      : fill_(fill), pool_(pool), seed_(seed) {}

  // What stands at `offset` of the file with this number.
  void fill(std::uint64_t number, std::uint64_t offset, std::span<std::byte> into) const;
  // Where the first byte stands that should be another, in the file.
  std::optional<std::uint64_t> first_wrong(std::uint64_t number, std::uint64_t offset,
                                           std::span<const std::byte> found) const;
  // Memory that was filled once need not be filled again.
  bool same_everywhere() const { return fill_ == plan::StreamFill::zero; }

 private:
  // The longest run of what stands at `offset` that lies in one piece.
  std::span<const std::byte> piece_at(std::uint64_t number, std::uint64_t offset) const;

  plan::StreamFill fill_;
  const ContentPool& pool_;
  std::uint64_t seed_;
};

}  // namespace loadline::engine
