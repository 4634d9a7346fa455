#include "engine/block_regions.h"

#include <algorithm>

namespace loadline::engine {
namespace {

using plan::BlockIo;
using plan::Direction;

// What a file without an end is taken to have.
constexpr std::uint64_t k_endless = std::uint64_t{1} << 60;

bool uses(const BlockIo& block, Direction direction) {
  return block.uses[static_cast<std::size_t>(direction)];
}

std::uint64_t smallest_block(const BlockIo& block) {
  std::uint64_t least = UINT64_MAX;
  for (std::size_t d = 0; d < plan::k_directions; ++d) {
    if (block.uses[d]) least = std::min(least, block.sizes[d].min.count());
  }
  return std::max<std::uint64_t>(1, least);
}

std::uint64_t largest_block(const BlockIo& block) {
  std::uint64_t most = 0;
  for (std::size_t d = 0; d < plan::k_directions; ++d) {
    if (!block.uses[d]) continue;
    most = std::max(most, block.sizes[d].max.count());
    for (const plan::WeightedSize& part : block.sizes[d].split) {
      most = std::max(most, part.size.count());
    }
  }
  return most;
}

std::uint64_t of(const plan::Extent& extent, std::uint64_t whole) {
  if (extent.percent == 0) return extent.bytes.count();
  return static_cast<std::uint64_t>(static_cast<double>(whole) * extent.percent / 100.0);
}

// A file's share of a size for all: bytes, not blocks, and the first files one block more where
// what is left makes blocks (fio 3.33's rule: 1 MiB over three files is 349525 bytes each).
std::uint64_t share_of(const BlockIo& block, std::size_t file) {
  const std::uint64_t total = block.size.bytes.count();
  const std::uint64_t files = block.files.size();
  const std::uint64_t share = total / files;
  const std::uint64_t unit = smallest_block(block);
  return share + (file < (total - share * files) / unit ? unit : 0);
}

FileRegion region_of(const BlockIo& block, std::size_t file, std::uint64_t size) {
  const std::uint64_t named = block.files[file].size.count();
  const std::uint64_t whole = named > 0 ? named : size;
  FileRegion region;
  region.begin = block.append ? size : of(block.offset, whole);
  std::uint64_t length = whole > region.begin ? whole - region.begin : 0;
  if (block.size.percent > 0) {
    // Whole blocks of what lies behind the beginning.
    length = std::min(of(block.size, whole), length);
    length -= length % smallest_block(block);
  } else if (block.size.given()) {
    length = share_of(block, file);
  } else if (block.append) {
    length = named;
  }
  if (block.fill_device && !block.size.given() && named == 0) length = k_endless;
  region.end = region.begin + length;
  region.extent = std::max({region.end, size, named});
  return region;
}

}  // namespace

BlockRegions regions_of(const BlockIo& block, std::span<const Bytes> sizes, bool remembers) {
  BlockRegions regions;
  const bool only_reads = uses(block, Direction::read) && !uses(block, Direction::write);
  for (std::size_t i = 0; i < block.files.size(); ++i) {
    const std::uint64_t size = sizes[i].count();
    FileRegion region = region_of(block, i, size);
    regions.asked += Bytes(region.length());
    if (only_reads && remembers && size > 0 && block.action == plan::FileAction::data) {
      region.end = std::max(region.begin, std::min(region.end, size));
      region.extent = size;
    }
    regions.used += Bytes(region.length());
    regions.files.push_back(region);
  }
  return regions;
}

std::vector<target::ObjectNeed> needs_of(const BlockIo& block, std::uint64_t seed) {
  // Who looks at names, or removes them, neither reads nor writes: any size will do.
  const bool by_name =
      block.action == plan::FileAction::stat || block.action == plan::FileAction::remove;
  const bool writes = uses(block, Direction::write) && !block.verify.only && !by_name;
  const bool reads = (uses(block, Direction::read) || block.verify.only) && !by_name;
  std::vector<target::ObjectNeed> needs;
  for (std::size_t i = 0; i < block.files.size(); ++i) {
    const FileRegion region = region_of(block, i, 0);
    const std::uint64_t least = block.append || block.fill_device
                                    ? block.files[i].size.count()
                                    : std::max(region.end, block.files[i].size.count());
    const bool fills =
        block.lay_out && !block.verify.only && (by_name || reads || (writes && block.overwrite));
    needs.push_back({.name = block.files[i].path,
                     .size = Bytes(block.append ? 0 : least),
                     .block = Bytes(std::max<std::uint64_t>(largest_block(block), 4096)),
                     .reads = reads,
                     .writes = writes || (uses(block, Direction::trim) && !by_name),
                     .lay_out = fills || (block.create_only && block.lay_out),
                     .preallocate = block.lay_out && writes && !fills && !block.fill_device,
                     .may_create = block.may_create,
                     .read_only = block.read_only,
                     .sync = block.lay_out_sync,
                     .pre_read = block.pre_read,
                     .seed = seed + i});
  }
  return needs;
}

}  // namespace loadline::engine
