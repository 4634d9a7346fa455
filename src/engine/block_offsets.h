// Where the next operation of a job on blocks lies: which file, which offset, how long. Memory does
// not grow with the files: that each block comes once a pass is kept by a keyed permutation, not by
// a map.
//
// Sizes that vary are cut once a pass: the file is divided into cells as long as the longest block,
// each cell into pieces by a hash, and the pass visits the pieces in rounds, each round all cells
// in a permuted order. So every byte comes once, whatever the sizes.
//
// Threads: belongs to one thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/rng.h"
#include "engine/block_regions.h"
#include "engine/block_sizes.h"
#include "engine/permutation.h"
#include "engine/skewed_rank.h"
#include "plan/block_io.h"

namespace loadline::engine {

struct BlockPlace {
  std::uint32_t file = 0;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  bool operator==(const BlockPlace&) const = default;
};

class BlockOffsets {
 public:
  // The plan's part outlives this.
  BlockOffsets(const plan::BlockIo& block, std::vector<FileRegion> regions, std::uint64_t seed);

  // False: this pass has nothing more for the direction.
  bool next(plan::Direction direction, BlockPlace& place);
  // From the beginning, with other permutations.
  void begin_pass();
  // Where few files are open at once: whether this is one of them.
  bool in_use(std::uint32_t file) const;

  const BlockSizes& sizes(plan::Direction direction) const {
    return rules_[static_cast<std::size_t>(direction)].sizes;
  }

 private:
  enum class Mode : std::uint8_t { sequential, once, repeated, skewed, zoned, listed };

  // Each block of one file once a pass.
  struct Map {
    Permutation order;
    std::uint64_t next = 0;
    std::uint64_t cell = 0;   // bytes
    std::uint64_t salt = 0;   // of the cuts
    std::uint32_t round = 0;  // which piece of each cell
    bool found = false;       // a piece in this round
  };
  struct ZoneBlocks {
    std::uint64_t up_to = 0;  // cumulative share of accesses
    std::uint64_t first = 0;
    std::uint64_t count = 0;
  };
  // One file in one direction.
  struct Track {
    std::uint64_t last_end = UINT64_MAX;  // of the last operation; none yet
    std::uint64_t blocks = 0;             // places that an offset may have
    std::optional<SkewedRank> rank;
    std::vector<ZoneBlocks> zones;
    std::size_t at = 0;  // in a list of blocks
    bool done = false;
  };
  struct Strided {
    std::uint64_t start = 0;
    std::uint64_t moved = 0;
    Permutation order;
    std::uint64_t next = 0;
  };
  struct File {
    FileRegion region;
    std::array<Track, plan::k_directions> tracks;
    std::array<Map, plan::k_directions> maps;  // by Rule::map
    Strided strided;
  };
  // What holds for a direction in all files.
  struct Rule {
    Mode mode = Mode::sequential;
    BlockSizes sizes;
    std::uint64_t align = 4096;  // of random offsets
    std::size_t map = 0;         // directions of the same sizes share one
    std::uint32_t random_percent = 100;
    bool plain = true;                                   // nothing of what aim_specially() does
    const std::vector<std::uint64_t>* blocks = nullptr;  // the list, in `align`
    BlockPlace last;
    std::uint64_t left_of_run = 0;
  };

  void prepare(File& file);
  void prepare_track(const Rule& rule, const plan::Distribution& order, File& file, Track& track);
  static void prepare_zones(const Rule& rule, const plan::Distribution& order,
                            const FileRegion& region, Track& track);
  void begin_map(const Rule& rule, const FileRegion& region, Map& map);
  bool choose_file(std::size_t direction);
  bool choose_among_few(std::size_t direction);
  std::uint32_t another_file(std::size_t direction);
  bool aim(Rule& rule, File& file, std::size_t direction, BlockPlace& place);
  bool aim_specially(Rule& rule, File& file, std::size_t direction, BlockPlace& place);
  bool aim_sequentially(const Rule& rule, const File& file, Track& track, BlockPlace& place);
  bool aim_at_random(const Rule& rule, File& file, Track& track, BlockPlace& place);
  bool aim_strided(const Rule& rule, File& file, Track& track, BlockPlace& place);
  static bool aim_once(const Rule& rule, const FileRegion& region, Map& map, BlockPlace& place);
  static bool aim_piece(const Rule& rule, const FileRegion& region, Map& map, BlockPlace& place);
  std::uint64_t zoned_block(const Track& track);
  bool aim_by_list(const Rule& rule, const File& file, Track& track, BlockPlace& place) const;

  const plan::BlockIo& block_;
  Rng rng_;
  std::array<Rule, plan::k_directions> rules_;
  std::vector<File> files_;
  std::optional<SkewedRank> file_rank_;
  std::vector<std::uint32_t> few_;  // files in use, where the plan limits how many are
  std::size_t at_ = 0;              // in few_
  std::uint32_t next_file_ = 0;     // not yet in few_
  std::uint32_t current_ = 0;
  std::uint32_t left_with_file_ = 0;
  bool began_ = false;  // a file has been chosen
};

}  // namespace loadline::engine
