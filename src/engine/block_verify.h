// Writes blocks that can be checked, and checks them. Every interval of a block begins with a
// header (docs/format/verify-header.md) and goes on with bytes that follow from it, so that a
// reader can tell without the writer whether it holds what was written here; what was last written
// where is kept besides, four bytes an interval, so that old data is told from new.
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
#include "engine/block_checksum.h"
#include "engine/block_offsets.h"
#include "engine/block_pattern.h"
#include "engine/block_regions.h"
#include "plan/block_io.h"

namespace loadline::engine {

// The number of the write that filled each interval; zero: none of this job's.
class WriteMap {
 public:
  WriteMap(const std::vector<FileRegion>& regions, std::uint64_t interval);

  void note(const BlockPlace& place, std::uint32_t sequence);
  std::uint32_t at(std::uint32_t file, std::uint64_t offset) const;
  // The first written stretch at or after `from`, at most `longest` bytes and `longest` a multiple
  // of the interval; nothing past the last file.
  std::optional<BlockPlace> written_after(const BlockPlace& from, std::uint64_t longest) const;

 private:
  static constexpr std::size_t k_chunk = 4096;
  using Chunk = std::array<std::uint32_t, k_chunk>;
  struct File {
    std::uint64_t begin = 0;
    std::vector<std::unique_ptr<Chunk>> chunks;  // made when first written
  };
  std::uint64_t interval_;
  std::vector<File> files_;
};

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
  };

  // Error: sizes that leave no room for a header, or a pattern that is none.
  static Result<BlockVerifier> make(const plan::BlockIo& block,
                                    const std::vector<FileRegion>& regions, std::uint64_t seed);

  std::uint64_t interval() const { return interval_; }

  // Fills a block that is going to be written at `place`, and remembers it as written.
  void write(std::span<std::byte> block, const BlockPlace& place);
  // Remembers it alone.
  void note_written(const BlockPlace& place);
  // What is there is not known any more: a write failed, a trim.
  void forget(const BlockPlace& place) { map_.note(place, 0); }
  bool still(const BlockPlace& place, std::uint32_t sequence) const {
    return map_.at(place.file, place.offset) == sequence;
  }
  std::uint32_t sequence() const { return sequence_; }
  const WriteMap& map() const { return map_; }

  // Compares a block that was read; the first difference goes to `first`. `unknown_too`: also what
  // this job did not write.
  Count check(std::span<const std::byte> block, const BlockPlace& place, bool unknown_too,
              std::optional<Mismatch>& first);
  // What should stand in the interval of a mismatch.
  std::vector<std::byte> expected(const Mismatch& mismatch);

 private:
  struct Header;
  BlockVerifier(const plan::BlockIo& block, const std::vector<FileRegion>& regions,
                std::uint64_t interval, BlockPattern pattern, std::uint64_t seed);
  bool headless() const;
  std::size_t header_size() const;
  void fill_interval(std::span<std::byte> into, std::uint32_t file, std::uint64_t offset,
                     std::uint64_t seed, std::uint32_t sequence);
  void fill_data(std::span<std::byte> into, const Header& header) const;
  Mismatch check_interval(std::span<const std::byte> found, std::uint32_t file,
                          std::uint64_t offset, std::uint32_t sequence);
  Mismatch check_header(const Header& header, std::uint32_t file, std::uint64_t offset,
                        std::uint32_t sequence) const;
  Mismatch check_data(std::span<const std::byte> found, const Header& header);

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
};

}  // namespace loadline::engine
