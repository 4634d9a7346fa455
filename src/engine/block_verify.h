// Writes blocks that can be checked, and checks them. Every interval of a block begins with a
// header (docs/format/verify-header.md) and goes on with bytes that follow from it, so that a
// reader can tell without the writer whether it holds what was written here; what was last written
// where is kept besides, four bytes an interval, so that old data is told from new. What fio wrote
// is checked too, by its checksum alone.
//
// Threads: belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "engine/block_checksum.h"
#include "engine/block_offsets.h"
#include "engine/block_pattern.h"
#include "engine/block_regions.h"
#include "engine/verify_header.h"
#include "engine/write_map.h"
#include "plan/block_io.h"

namespace loadline::engine {

class BlockVerifier {
 public:
  // How one interval differs.
  enum class Fault : std::uint8_t {
    none,
    pattern,    // not the pattern
    zeros,      // nothing was ever written here, or it got lost
    header,     // no header, or a damaged one
    misplaced,  // the data of another place
    stale,      // an earlier write of this job
    foreign,    // another run's
    torn,       // whole sectors are of something else
    damaged,    // some bytes differ
    trimmed,    // not the zeros of a trim
  };
  struct Mismatch {
    Fault fault = Fault::none;
    std::uint32_t file = 0;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    std::string text;  // what was expected and what was found
  };
  struct Count {
    std::uint64_t checked = 0;
    std::uint64_t wrong = 0;
    std::uint64_t excused = 0;
    std::vector<Mismatch> first;  // of the wrong ones, up to k_kept
  };
  static constexpr std::size_t k_kept = 64;

  // Error: sizes that leave no room for a header, or a pattern that is none.
  static Result<BlockVerifier> make(const plan::BlockIo& block,
                                    const std::vector<FileRegion>& regions, std::uint64_t seed);

  std::uint64_t interval() const { return interval_; }

  // Fills a block that is going to be written at `place`, and remembers it as written.
  void write(std::span<std::byte> block, const BlockPlace& place);
  // Remembers it alone.
  void note_written(const BlockPlace& place);
  // What is there is not known any more: a write failed, a trim.
  void forget(const BlockPlace& place) {
    lost_ = true;
    map_.note(place, 0);
  }
  // It holds zeros.
  void note_trimmed(const BlockPlace& place) {
    lost_ = true;
    map_.note(place, WriteMap::k_trimmed);
  }
  // False once anything was forgotten or trimmed: then the choices alone do not say what is there.
  bool all_kept() const { return !lost_; }
  bool still(const BlockPlace& place, std::uint32_t sequence) const {
    return map_.at(place.file, place.offset) == sequence;
  }
  std::uint32_t sequence() const { return sequence_; }
  const WriteMap& map() const { return map_; }
  std::uint64_t seed() const { return seed_; }
  // What an earlier run wrote, from its state. Error: it is of another job.
  Result<void> resume(const VerifyState& state);

  // Compares a block that was read, each interval by itself. `unknown_too`: also what this job did
  // not write. `excused`: mismatches that are none, and count as not checked; may be empty.
  Count check(std::span<const std::byte> block, const BlockPlace& place, bool unknown_too,
              const std::function<bool(const Mismatch&)>& excused = {});
  // What should stand in the interval of a mismatch.
  std::vector<std::byte> expected(const Mismatch& mismatch);

 private:
  using Header = VerifyHeader;
  BlockVerifier(const plan::BlockIo& block, const std::vector<FileRegion>& regions,
                std::uint64_t interval, BlockPattern pattern, std::uint64_t seed);
  bool headless() const;
  std::size_t header_size() const;
  std::size_t before_header() const { return spec_.header_offset.count(); }
  std::span<const std::byte> data_of(std::span<const std::byte> interval);
  void place_header(std::span<std::byte> interval) const;
  void take_header_back(std::span<std::byte> interval) const;
  bool header_swaps() const { return before_header() >= header_size(); }
  void fill_interval(std::span<std::byte> into, std::uint32_t file, std::uint64_t offset,
                     std::uint64_t seed, std::uint32_t sequence);
  // Of the whole interval; where the header goes, anything may be.
  void fill_data(std::span<std::byte> interval, const Header& header) const;
  Mismatch check_interval(std::span<const std::byte> found, std::uint32_t file,
                          std::uint64_t offset, std::uint32_t sequence);
  Mismatch check_header(const Header& header, std::uint32_t file, std::uint64_t offset,
                        std::uint32_t sequence) const;
  Mismatch check_foreign_header(const Header& header, std::uint64_t offset,
                                std::uint32_t sequence) const;
  Mismatch check_data(std::span<const std::byte> found, const Header& header);
  Mismatch describe_damage(std::span<const std::byte> found, const Header& header);

  const plan::VerifySpec& spec_;
  std::vector<std::string> paths_;
  std::vector<std::uint32_t> file_ids_;
  std::uint64_t interval_;
  BlockPattern pattern_;
  bool has_pattern_;
  std::uint64_t seed_;
  std::uint32_t sequence_ = 0;
  WriteMap map_;
  BlockChecksum checksum_;
  std::size_t digest_size_;
  std::vector<std::byte> scratch_;
  std::vector<std::byte> joined_;  // an interval with its header back at the front
  bool lost_ = false;
};

}  // namespace loadline::engine
