#include "engine/block_offsets.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace loadline::engine {
namespace {

using plan::Direction;
using plan::FileOrder;
using plan::Placement;
using plan::Sequencing;

constexpr int k_tries = 16;  // for an offset with room behind it

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

SkewedRank::Kind kind_of(Placement placement) {
  if (placement == Placement::zipf) return SkewedRank::Kind::zipf;
  return placement == Placement::pareto ? SkewedRank::Kind::pareto : SkewedRank::Kind::normal;
}

// Files are chosen by parts of them, as if they stood in one row: fio's skew is of so many places.
std::uint64_t parts_of(std::uint64_t files) {
  constexpr std::uint64_t k_parts = 1024;
  constexpr std::uint64_t k_places_max = 1U << 24U;  // their harmonics are summed up once
  return std::clamp<std::uint64_t>(k_places_max / files, 1, k_parts);
}

// What skews the choice of files where the plan names no parameter: fio's defaults.
double file_parameter(FileOrder order, double given) {
  if (given > 0) return given;
  if (order == FileOrder::zipf) return 1.1;
  return order == FileOrder::pareto ? 0.2 : 0.0;
}

}  // namespace

BlockOffsets::BlockOffsets(const plan::BlockIo& block, std::vector<FileRegion> regions,
                           std::uint64_t seed)
    : block_(block), rng_(seed) {
  CHECK(!regions.empty());
  for (std::size_t d = 0; d < plan::k_directions; ++d) {
    Rule& rule = rules_[d];
    const plan::Distribution& order = block.order[d];
    rule.sizes = BlockSizes(block.sizes[d]);
    const std::uint64_t align = block.sizes[d].align.count();
    rule.align = align > 0 ? align : rule.sizes.least();
    rule.random_percent = block.random_percent[d];
    rule.map = d;
    for (std::size_t other = 0; other < d; ++other) {
      if (rule.map == d && block.sizes[other] == block.sizes[d]) rule.map = other;
    }
    switch (order.placement) {
      case Placement::sequential: rule.mode = Mode::sequential; break;
      case Placement::random:
        rule.mode = block.with_repetition || align > 0 ? Mode::repeated : Mode::once;
        break;
      case Placement::zoned:
      case Placement::zoned_abs: rule.mode = Mode::zoned; break;
      case Placement::listed:
        rule.mode = Mode::listed;
        rule.blocks = &order.blocks;
        break;
      default: rule.mode = Mode::skewed; break;
    }
    const bool random = rule.mode != Mode::sequential;
    rule.plain = block.zone_size == Bytes() && !(random && rule.random_percent < 100) &&
                 !(random && (block.sequencing == Sequencing::runs ||
                              block.sequencing == Sequencing::identical));
  }
  files_.resize(regions.size());
  for (std::size_t i = 0; i < regions.size(); ++i) {
    files_[i].region = regions[i];
    prepare(files_[i]);
  }
  const FileOrder order = block.file_order;
  if (order == FileOrder::zipf || order == FileOrder::pareto || order == FileOrder::normal) {
    const auto kind = order == FileOrder::zipf     ? SkewedRank::Kind::zipf
                      : order == FileOrder::pareto ? SkewedRank::Kind::pareto
                                                   : SkewedRank::Kind::normal;
    file_rank_.emplace(SkewedRank::Options{.kind = kind,
                                           .n = files_.size() * parts_of(files_.size()),
                                           .parameter = file_parameter(order, block.file_skew),
                                           .centre = order == FileOrder::normal ? -1.0 : 0.0,
                                           .spread = false},
                       rng_);
  }
}

void BlockOffsets::prepare(File& file) {
  for (std::size_t d = 0; d < plan::k_directions; ++d) {
    if (!block_.uses[d]) continue;
    Rule& rule = rules_[d];
    prepare_track(rule, block_.order[d], file, file.tracks[d]);
    if (rule.mode == Mode::once && rule.map == d) begin_map(rule, file.region, file.maps[d]);
  }
  // The map of a direction that is not used itself.
  for (std::size_t d = 0; d < plan::k_directions; ++d) {
    const Rule& rule = rules_[d];
    if (block_.uses[d] && rule.mode == Mode::once && file.maps[rule.map].cell == 0) {
      begin_map(rule, file.region, file.maps[rule.map]);
    }
  }
  file.strided.start = file.region.begin;
  file.strided.moved = 0;
  file.strided.order = Permutation();
}

void BlockOffsets::prepare_track(const Rule& rule, const plan::Distribution& order, File& file,
                                 Track& track) {
  const FileRegion& region = file.region;
  track.last_end = UINT64_MAX;
  track.done = false;
  track.at = 0;
  // Built once: summing up harmonics takes its time.
  if (track.blocks > 0) return;
  track.blocks = region.length() / rule.align;
  if (track.blocks == 0) return;
  if (rule.mode == Mode::skewed) {
    track.rank.emplace(SkewedRank::Options{.kind = kind_of(order.placement),
                                           .n = track.blocks,
                                           .parameter = order.parameter,
                                           .centre = order.centre},
                       rng_);
  }
  if (rule.mode == Mode::zoned) prepare_zones(rule, order, region, track);
}

void BlockOffsets::prepare_zones(const Rule& rule, const plan::Distribution& order,
                                 const FileRegion& region, Track& track) {
  std::uint64_t shares = 0;
  std::uint64_t first = 0;
  std::uint64_t percent = 0;
  for (const plan::Zone& zone : order.zones) {
    std::uint64_t end = 0;
    if (order.placement == Placement::zoned) {
      percent += zone.extent;
      end = static_cast<std::uint64_t>(static_cast<double>(track.blocks) *
                                       static_cast<double>(percent) / 100.0);
    } else {
      end = zone.extent == 0 ? region.length() / rule.align : first + zone.extent / rule.align;
    }
    end = std::min(end, track.blocks);
    if (zone.access_percent > 0 && end > first) {
      shares += zone.access_percent;
      track.zones.push_back({shares, first, end - first});
    }
    first = std::max(first, end);
  }
  if (track.zones.empty()) track.zones.push_back({1, 0, track.blocks});
}

void BlockOffsets::begin_map(const Rule& rule, const FileRegion& region, Map& map) {
  const std::uint64_t length = region.length();
  map.cell = rule.sizes.most();
  const std::uint64_t cells =
      rule.sizes.fixed() ? length / map.cell : (length + map.cell - 1) / map.cell;
  map.order = Permutation(cells, rng_);
  map.next = 0;
  map.salt = rng_.next();
  map.round = 0;
  map.found = false;
}

void BlockOffsets::begin_pass() {
  for (File& file : files_) prepare(file);
  for (File& file : files_) {
    for (Map& map : file.maps) {
      if (map.cell == 0) continue;
      map.order.rekey(rng_);
      map.salt = rng_.next();
      map.next = 0;
      map.round = 0;
      map.found = false;
    }
  }
  for (Rule& rule : rules_) rule.left_of_run = 0;
  began_ = false;
  few_.clear();
  next_file_ = 0;
}

bool BlockOffsets::next(Direction direction, BlockPlace& place) {
  const auto d = static_cast<std::size_t>(direction);
  Rule& rule = rules_[d];
  if (files_.size() == 1) {
    place.file = 0;
    return rule.plain ? aim(rule, files_[0], d, place) : aim_specially(rule, files_[0], d, place);
  }
  while (choose_file(d)) {
    File& file = files_[current_];
    place.file = current_;
    if (rule.plain ? aim(rule, file, d, place) : aim_specially(rule, file, d, place)) return true;
    file.tracks[d].done = true;
    left_with_file_ = 0;
  }
  return false;
}

// False where every file is done.
bool BlockOffsets::choose_file(std::size_t direction) {
  if (left_with_file_ > 0 && !files_[current_].tracks[direction].done) {
    --left_with_file_;
    return true;
  }
  if (block_.open_files > 0 && block_.open_files < files_.size()) {
    return choose_among_few(direction);
  }
  const auto n = static_cast<std::uint32_t>(files_.size());
  std::uint32_t candidate = another_file(direction);
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!files_[candidate].tracks[direction].done) {
      current_ = candidate;
      left_with_file_ = std::max(block_.file_run, 1U) - 1;
      began_ = true;
      return true;
    }
    candidate = candidate + 1 == n ? 0 : candidate + 1;
  }
  return false;
}

// A file that is done makes room for the next that has not been used.
bool BlockOffsets::choose_among_few(std::size_t direction) {
  const auto done = [&](std::uint32_t file) { return files_[file].tracks[direction].done; };
  const std::size_t before = few_.size();
  std::erase_if(few_, done);
  // What stood behind a file that went is now in its place.
  if (began_ && few_.size() == before) ++at_;
  while (few_.size() < block_.open_files && next_file_ < files_.size()) {
    if (!done(next_file_)) few_.push_back(next_file_);
    ++next_file_;
  }
  if (few_.empty()) return false;
  switch (block_.file_order) {
    case FileOrder::round_robin: at_ = at_ < few_.size() ? at_ : 0; break;
    case FileOrder::sequential: at_ = 0; break;
    case FileOrder::random: at_ = rng_.below(few_.size()); break;
    default: at_ = file_rank_->next(rng_) / parts_of(files_.size()) % few_.size(); break;
  }
  current_ = few_[at_];
  left_with_file_ = std::max(block_.file_run, 1U) - 1;
  began_ = true;
  return true;
}

bool BlockOffsets::in_use(std::uint32_t file) const {
  return std::ranges::find(few_, file) != few_.end();
}

std::uint32_t BlockOffsets::another_file(std::size_t) {
  const auto n = static_cast<std::uint32_t>(files_.size());
  switch (block_.file_order) {
    case FileOrder::round_robin:
      if (!began_) return 0;
      return current_ + 1 == n ? 0 : current_ + 1;
    case FileOrder::sequential: return began_ ? current_ : 0;
    case FileOrder::random: return static_cast<std::uint32_t>(rng_.below(n));
    default: return static_cast<std::uint32_t>(file_rank_->next(rng_) / parts_of(n));
  }
}

bool BlockOffsets::aim(Rule& rule, File& file, std::size_t direction, BlockPlace& place) {
  switch (rule.mode) {
    case Mode::sequential: return aim_sequentially(rule, file, file.tracks[direction], place);
    case Mode::once: {
      Map& map = file.maps[rule.map];
      return rule.sizes.fixed() ? aim_once(rule, file.region, map, place)
                                : aim_piece(rule, file.region, map, place);
    }
    case Mode::listed: return aim_by_list(rule, file, file.tracks[direction], place);
    default: return aim_at_random(rule, file, file.tracks[direction], place);
  }
}

// Runs, repetitions, shares of sequential ones among random ones, strided zones.
bool BlockOffsets::aim_specially(Rule& rule, File& file, std::size_t direction, BlockPlace& place) {
  Track& track = file.tracks[direction];
  if (block_.zone_size.count() > 0) return aim_strided(rule, file, track, place);
  const bool same_file = rule.last.file == place.file;
  if (rule.left_of_run > 0 && same_file) {
    --rule.left_of_run;
    if (block_.sequencing == Sequencing::identical) {
      place = rule.last;
      return true;
    }
    const std::uint64_t room =
        track.last_end < file.region.end ? file.region.end - track.last_end : 0;
    const std::uint64_t length = rule.sizes.pick(rule.sizes.fixed() ? 0 : rng_.next());
    if (length <= room) {
      place.offset = track.last_end;
      place.length = length;
      track.last_end += length;
      return true;
    }
  }
  bool found = false;
  if (rule.random_percent < 100 && rng_.below(100) >= rule.random_percent) {
    if (track.last_end != UINT64_MAX && track.last_end >= file.region.end) {
      track.last_end = UINT64_MAX;
    }
    found = aim_sequentially(rule, file, track, place);
  } else {
    found = aim(rule, file, direction, place);
  }
  if (!found) return false;
  track.last_end = place.offset + place.length;
  rule.last = place;
  const bool runs =
      block_.sequencing == Sequencing::runs || block_.sequencing == Sequencing::identical;
  rule.left_of_run =
      runs && block_.sequence_by > 1 ? static_cast<std::uint64_t>(block_.sequence_by) - 1 : 0;
  return true;
}

bool BlockOffsets::aim_sequentially(const Rule& rule, const File& file, Track& track,
                                    BlockPlace& place) {
  const FileRegion& region = file.region;
  std::uint64_t at = track.last_end;
  if (at == UINT64_MAX) {
    at = region.begin;
  } else if (block_.sequencing == Sequencing::stride && at != region.begin) {
    const auto moved = static_cast<std::int64_t>(at) + block_.sequence_by;
    // Backwards past the beginning: from the end again.
    at = moved < static_cast<std::int64_t>(region.begin)
             ? region.end - static_cast<std::uint64_t>(-block_.sequence_by)
             : static_cast<std::uint64_t>(moved);
  }
  if (at >= region.end || at < region.begin) return false;
  std::uint64_t length = rule.sizes.pick(rule.sizes.fixed() ? 0 : rng_.next());
  if (!rule.sizes.fixed() && length > region.end - at) {
    length = std::max(rule.sizes.fitting(region.end - at), rule.sizes.least());
  }
  if (length > region.extent - at) return false;
  place.offset = at;
  place.length = length;
  track.last_end = at + length;
  return true;
}

bool BlockOffsets::aim_once(const Rule& rule, const FileRegion& region, Map& map,
                            BlockPlace& place) {
  if (map.next == map.order.size()) return false;
  place.length = rule.sizes.least();
  place.offset = region.begin + map.order[map.next++] * place.length;
  return true;
}

bool BlockOffsets::aim_piece(const Rule& rule, const FileRegion& region, Map& map,
                             BlockPlace& place) {
  while (true) {
    if (map.next == map.order.size()) {
      if (!map.found) return false;
      map.next = 0;
      map.found = false;
      ++map.round;
    }
    const std::uint64_t cell = map.order[map.next++];
    const std::uint64_t begin = region.begin + cell * map.cell;
    const std::uint64_t end = std::min(begin + map.cell, region.end);
    std::uint64_t at = begin;
    for (std::uint32_t piece = 0;; ++piece) {
      const std::uint64_t cut = mixed(map.salt ^ mixed(cell * 4096 + piece + 1));
      const std::uint64_t length = std::min(rule.sizes.pick(cut), rule.sizes.fitting(end - at));
      if (length == 0) break;
      if (piece == map.round) {
        map.found = true;
        place.offset = at;
        place.length = length;
        return true;
      }
      at += length;
    }
  }
}

bool BlockOffsets::aim_at_random(const Rule& rule, File& file, Track& track, BlockPlace& place) {
  if (track.blocks == 0) return false;
  const FileRegion& region = file.region;
  for (int i = 0; i < k_tries; ++i) {
    std::uint64_t number = 0;
    if (rule.mode == Mode::repeated) {
      number = rng_.below(track.blocks);
    } else if (rule.mode == Mode::skewed) {
      number = track.rank->next(rng_);
    } else {
      number = zoned_block(track);
    }
    place.offset = region.begin + number * rule.align;
    place.length = rule.sizes.pick(rule.sizes.fixed() ? 0 : rng_.next());
    const std::uint64_t room = region.extent - place.offset;
    if (place.length > room) place.length = rule.sizes.fitting(room);
    if (place.length > 0) {
      track.last_end = place.offset + place.length;
      return true;
    }
  }
  return false;
}

// Over with the first block of the list that lies behind the region.
bool BlockOffsets::aim_by_list(const Rule& rule, const File& file, Track& track,
                               BlockPlace& place) const {
  const std::uint64_t block = (*rule.blocks)[track.at];
  if (block >= track.blocks) return false;
  track.at = track.at + 1 == rule.blocks->size() ? 0 : track.at + 1;
  place.offset = file.region.begin + block * rule.align;
  place.length = std::min(rule.sizes.least(), file.region.extent - place.offset);
  return place.length > 0;
}

std::uint64_t BlockOffsets::zoned_block(const Track& track) {
  const std::uint64_t share = rng_.below(track.zones.back().up_to);
  for (const ZoneBlocks& zone : track.zones) {
    if (share < zone.up_to) return zone.first + rng_.below(zone.count);
  }
  return 0;
}

// `zone_size` bytes inside each zone of `zone_range`, then on by range and skip.
bool BlockOffsets::aim_strided(const Rule& rule, File& file, Track& track, BlockPlace& place) {
  Strided& zone = file.strided;
  const std::uint64_t range =
      block_.zone_range.count() > 0 ? block_.zone_range.count() : block_.zone_size.count();
  if (zone.moved >= block_.zone_size.count()) {
    zone.moved = 0;
    zone.start += range + block_.zone_skip.count();
    zone.order = Permutation();
    track.last_end = UINT64_MAX;
  }
  if (zone.start >= file.region.end) return false;
  const FileRegion here{.begin = zone.start,
                        .end = std::min(zone.start + range, file.region.end),
                        .extent = file.region.extent};
  const std::uint64_t length = std::min(rule.sizes.pick(rule.sizes.fixed() ? 0 : rng_.next()),
                                        rule.sizes.fitting(here.length()));
  if (length == 0) return false;
  if (rule.mode == Mode::sequential) {
    const bool fresh = track.last_end < here.begin || track.last_end >= here.end ||
                       length > here.end - track.last_end;
    // The rest of a zone that the file cuts short.
    if (fresh && track.last_end != UINT64_MAX && here.end == file.region.end &&
        here.length() < range) {
      return false;
    }
    place.offset = fresh ? here.begin : track.last_end;
  } else {
    const std::uint64_t blocks = here.length() / length;
    if (zone.order.size() != blocks || zone.next == blocks) {
      zone.order = Permutation(blocks, rng_);
      zone.next = 0;
    }
    place.offset = here.begin + zone.order[zone.next++] * length;
  }
  place.length = length;
  zone.moved += length;
  track.last_end = place.offset + length;
  return true;
}

}  // namespace loadline::engine
