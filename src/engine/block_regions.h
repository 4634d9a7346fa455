// Which part of which file a job on blocks works in, from the plan and from the files' real sizes.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/units.h"
#include "plan/block_io.h"
#include "target/objects.h"

namespace loadline::engine {

// [begin, end) of one file, in bytes. No operation reaches past `extent`.
struct FileRegion {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t extent = 0;
  std::uint64_t length() const { return end > begin ? end - begin : 0; }
  bool operator==(const FileRegion&) const = default;
};

struct BlockRegions {
  std::vector<FileRegion> files;
  Bytes asked;  // what the plan names
  Bytes used;   // less where files that are only read are shorter
};

// `sizes`: of the files as they were opened. `remembers`: the target keeps data, so that a file's
// size means something.
BlockRegions regions_of(const plan::BlockIo& block, std::span<const Bytes> sizes, bool remembers);

// What has to be there before the job; `seed` is of the data of files that are laid out.
std::vector<target::ObjectNeed> needs_of(const plan::BlockIo& block, std::uint64_t seed);

}  // namespace loadline::engine
