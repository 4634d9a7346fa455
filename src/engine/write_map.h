// Which write filled each interval of a job's files, four bytes an interval; kept in a file between
// runs (docs/format/verify-state.md).
//
// Threads: belongs to one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "engine/block_offsets.h"
#include "engine/block_regions.h"

namespace loadline::engine {

class WriteMap {
 public:
  static constexpr std::uint32_t k_trimmed = UINT32_MAX;  // instead of a number: holds zeros

  WriteMap(const std::vector<FileRegion>& regions, std::uint64_t interval);

  // Zero: not known, or never written.
  void note(const BlockPlace& place, std::uint32_t sequence);
  std::uint32_t at(std::uint32_t file, std::uint64_t offset) const;
  // The first written or trimmed stretch at or after `from`, at most `longest` bytes and `longest`
  // a multiple of the interval; nothing past the last file.
  std::optional<BlockPlace> written_after(const BlockPlace& from, std::uint64_t longest) const;

  // All of it, a few bytes a stretch.
  std::string encoded() const;
  // Error: no such text, or one of other files.
  Result<void> decode(std::span<const std::byte> text);

 private:
  static constexpr std::size_t k_chunk = 4096;
  using Chunk = std::array<std::uint32_t, k_chunk>;
  struct File {
    std::uint64_t begin = 0;
    std::vector<std::unique_ptr<Chunk>> chunks;  // made when first written
  };
  // Stretches of `step` intervals of one write each, the numbers rising by one.
  struct Run {
    std::uint64_t first = 0;  // interval
    std::uint64_t step = 0;
    std::uint64_t count = 0;
    std::uint32_t sequence = 0;
  };
  std::optional<Run> run_after(std::uint32_t file, std::uint64_t from) const;
  std::uint64_t same_at(std::uint32_t file, std::uint64_t unit, std::uint64_t most) const;
  std::uint32_t number(std::uint32_t file, std::uint64_t unit) const;
  void set(std::uint32_t file, std::uint64_t unit, std::uint64_t units, std::uint32_t sequence);

  std::uint64_t interval_;
  std::vector<File> files_;
};

// How far a job came: what a later run of it needs to verify what was written, and no more.
struct VerifyState {
  std::uint64_t seed = 0;
  std::uint64_t interval = 0;
  std::uint64_t files = 0;
  bool complete = false;  // everything that the job asks for; else `map` has what was written
  std::string map;        // WriteMap::encoded()
};

// Errors: operation failed, and bad_input where the file is there and is no such state. What is not
// ours is not overwritten.
Result<void> save_verify_state(const std::string& path, const VerifyState& state);
Result<VerifyState> load_verify_state(const std::string& path);

}  // namespace loadline::engine
