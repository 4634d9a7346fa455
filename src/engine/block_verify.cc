#include "engine/block_verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/check.h"

namespace loadline::engine {
namespace {

using plan::Checksum;
using Fault = BlockVerifier::Fault;

constexpr std::size_t k_sector = 512;

std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// FNV-1a: names a file by its path.
std::uint32_t name_of(const std::string& path) {
  std::uint32_t hash = 2166136261U;
  for (const char c : path) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

bool only_zeros(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
}

// All sizes and offsets of writes are multiples of it.
std::uint64_t common_unit(const plan::BlockIo& block) {
  std::uint64_t unit = 0;
  for (std::size_t d = 0; d < plan::k_directions; ++d) {
    if (!block.uses[d]) continue;
    unit = std::gcd(unit, BlockSizes(block.sizes[d]).unit());
    unit = std::gcd(unit, block.sizes[d].align.count());
  }
  if (block.sequencing == plan::Sequencing::stride) {
    unit = std::gcd(unit, static_cast<std::uint64_t>(std::abs(block.sequence_by)));
  }
  for (const Bytes zone : {block.zone_size, block.zone_range, block.zone_skip}) {
    unit = std::gcd(unit, zone.count());
  }
  const std::uint64_t asked = block.verify.interval.count();
  return asked > 0 ? std::gcd(unit, asked) : unit;
}

}  // namespace

Result<BlockVerifier> BlockVerifier::make(const plan::BlockIo& block,
                                          const std::vector<FileRegion>& regions,
                                          std::uint64_t seed) {
  const plan::VerifySpec& spec = block.verify;
  const std::uint64_t interval = common_unit(block);
  const bool headless = spec.checksum == Checksum::pattern || spec.checksum == Checksum::null;
  const std::size_t header = headless ? 1 : sizeof(VerifyHeader) + digest_size(spec.checksum);
  const std::uint64_t least = header + (headless ? 0 : spec.header_offset.count());
  if (interval < least || interval > UINT32_MAX) {
    return fail(ErrorCode::bad_input,
                fmt::format("blocks have only {} bytes in common, and verification needs {}; make "
                            "all sizes multiples of 512",
                            interval, least));
  }
  auto pattern = BlockPattern::parse(spec.pattern);
  if (!pattern) return fail(ErrorCode::bad_input, "is no pattern of hex digits", spec.pattern);
  return BlockVerifier(block, regions, interval, std::move(*pattern), seed);
}

BlockVerifier::BlockVerifier(const plan::BlockIo& block, const std::vector<FileRegion>& regions,
                             std::uint64_t interval, BlockPattern pattern, std::uint64_t seed)
    : spec_(block.verify),
      interval_(interval),
      pattern_(std::move(pattern)),
      has_pattern_(!block.verify.pattern.empty() || block.verify.checksum == Checksum::pattern_hdr),
      seed_(seed),
      map_(regions, interval),
      checksum_(block.verify.checksum),
      digest_size_(engine::digest_size(block.verify.checksum)),
      scratch_(interval) {
  for (const plan::BlockFile& file : block.files) {
    paths_.push_back(file.path);
    file_ids_.push_back(name_of(file.path));
  }
}

bool BlockVerifier::headless() const {
  return spec_.checksum == Checksum::pattern || spec_.checksum == Checksum::null;
}

std::size_t BlockVerifier::header_size() const { return sizeof(Header) + digest_size_; }

void BlockVerifier::note_written(const BlockPlace& place) {
  if (++sequence_ == WriteMap::k_trimmed) sequence_ = 1;
  map_.note(place, sequence_);
}

void BlockVerifier::write(std::span<std::byte> block, const BlockPlace& place) {
  note_written(place);
  for (std::uint64_t at = 0; at + interval_ <= block.size(); at += interval_) {
    fill_interval(block.subspan(at, interval_), place.file, place.offset + at, seed_, sequence_);
  }
}

void BlockVerifier::fill_interval(std::span<std::byte> into, std::uint32_t file,
                                  std::uint64_t offset, std::uint64_t seed,
                                  std::uint32_t sequence) {
  if (headless()) return pattern_.fill(into, offset);
  Header header{.kind = kind_number(spec_.checksum),
                .length = static_cast<std::uint32_t>(interval_),
                .seed = seed,
                .offset = offset,
                .sequence = sequence,
                .file = file_ids_[file],
                .number = static_cast<std::uint16_t>(sequence - 1)};
  header.check = header.own_check();
  fill_data(into, header);
  std::memcpy(into.data(), &header, sizeof header);
  checksum_.digest(into.subspan(header_size()), into.subspan(sizeof header, digest_size_));
  place_header(into);
}

// Made at the head, it changes places with the data where it belongs; with less room before it than
// it is long, that data moves to the head instead.
void BlockVerifier::place_header(std::span<std::byte> interval) const {
  if (before_header() == 0) return;
  const auto head = static_cast<std::ptrdiff_t>(header_size());
  const auto at = static_cast<std::ptrdiff_t>(before_header());
  const auto begin = interval.begin();
  if (header_swaps()) {
    std::swap_ranges(begin, begin + head, begin + at);
  } else {
    std::rotate(begin, begin + head, begin + head + at);
  }
}

void BlockVerifier::take_header_back(std::span<std::byte> interval) const {
  if (header_swaps()) return place_header(interval);
  const auto begin = interval.begin();
  const auto at = static_cast<std::ptrdiff_t>(before_header());
  std::rotate(begin, begin + at, begin + at + static_cast<std::ptrdiff_t>(header_size()));
}

// All but the header, in the order of its checksum.
std::span<const std::byte> BlockVerifier::data_of(std::span<const std::byte> interval) {
  if (before_header() == 0) return interval.subspan(header_size());
  joined_.assign(interval.begin(), interval.end());
  take_header_back(joined_);
  return std::span<const std::byte>(joined_).subspan(header_size());
}

Result<void> BlockVerifier::resume(const VerifyState& state) {
  if (state.interval != interval_ || state.files != paths_.size()) {
    return fail(ErrorCode::bad_input,
                fmt::format("is of a job with {} files and intervals of {} bytes; this one has {} "
                            "and {}",
                            state.files, state.interval, paths_.size(), interval_));
  }
  seed_ = state.seed;
  return state.complete ? Result<void>() : map_.decode(std::as_bytes(std::span(state.map)));
}

void BlockVerifier::fill_data(std::span<std::byte> interval, const Header& header) const {
  if (has_pattern_) return pattern_.fill(interval, header.offset);
  const std::span<std::byte> into = interval.subspan(header_size());
  std::uint64_t word =
      mixed(mixed(header.seed ^ header.file) ^ mixed(header.offset) ^ header.sequence);
  std::size_t i = 0;
  for (; i + sizeof word <= into.size(); i += sizeof word) {
    word = word * 0xd1342543de82ef95ULL + 0x9e3779b97f4a7c15ULL;
    const std::uint64_t folded = word ^ (word >> 29);
    std::memcpy(into.data() + i, &folded, sizeof folded);
  }
  if (i < into.size()) std::memcpy(into.data() + i, &word, into.size() - i);
}

BlockVerifier::Count BlockVerifier::check(std::span<const std::byte> block, const BlockPlace& place,
                                          bool unknown_too,
                                          const std::function<bool(const Mismatch&)>& excused) {
  Count count;
  if (spec_.checksum == Checksum::null) return count;
  for (std::uint64_t at = 0; at + interval_ <= block.size(); at += interval_) {
    const std::uint32_t sequence = map_.at(place.file, place.offset + at);
    if (sequence == 0 && !unknown_too) continue;
    ++count.checked;
    Mismatch mismatch =
        check_interval(block.subspan(at, interval_), place.file, place.offset + at, sequence);
    if (mismatch.fault == Fault::none) continue;
    mismatch.file = place.file;
    mismatch.offset = place.offset + at;
    mismatch.length = interval_;
    if (excused && excused(mismatch)) {
      ++count.excused;
      --count.checked;
      continue;
    }
    ++count.wrong;
    if (count.first.size() >= k_kept) continue;
    count.first.push_back(std::move(mismatch));
  }
  return count;
}

BlockVerifier::Mismatch BlockVerifier::check_interval(std::span<const std::byte> found,
                                                      std::uint32_t file, std::uint64_t offset,
                                                      std::uint32_t sequence) {
  if (sequence == WriteMap::k_trimmed) {
    if (only_zeros(found)) return {};
    return {.fault = Fault::trimmed, .text = "expected zeros after a trim, found something else"};
  }
  if (headless()) {
    pattern_.fill(scratch_, offset);
    const auto differs = std::ranges::mismatch(found, scratch_);
    if (differs.in1 == found.end()) return {};
    return {
        .fault = Fault::pattern,
        .text = fmt::format("not the pattern from byte {} on: expected {:02x}, found {:02x}",
                            differs.in1 - found.begin(), std::to_integer<unsigned>(*differs.in2),
                            std::to_integer<unsigned>(*differs.in1))};
  }
  const Header header = Header::read(found.subspan(before_header()));
  if (!header.whole()) {
    if (only_zeros(found)) {
      return {.fault = Fault::zeros,
              .text = "expected written data, found zeros: never written, or the write got lost"};
    }
    return {.fault = Fault::header,
            .text = fmt::format("expected a header, found {}: {:04x} {:08x}",
                                header.magic == Header::k_magic ? "a damaged one" : "none",
                                header.magic, header.check)};
  }
  if (!header.ours()) {
    const Mismatch mismatch = check_foreign_header(header, offset, sequence);
    return mismatch.fault == Fault::none ? check_data(found, header) : mismatch;
  }
  Mismatch mismatch = check_header(header, file, offset, sequence);
  const bool readable = header.length == interval_ && header.is_of(spec_.checksum);
  if (!readable || mismatch.fault == Fault::misplaced) return mismatch;
  Mismatch data = check_data(found, header);
  // A header of one write over the data of another is a torn block, whichever is the older.
  return data.fault == Fault::torn || mismatch.fault == Fault::none ? data : mismatch;
}

BlockVerifier::Mismatch BlockVerifier::check_header(const Header& header, std::uint32_t file,
                                                    std::uint64_t offset,
                                                    std::uint32_t sequence) const {
  const auto other = std::ranges::find(file_ids_, header.file);
  // What an earlier run wrote may have been moved, or been named by another path.
  const bool moved = other == file_ids_.end() && (sequence == 0 || spec_.only);
  if ((header.file != file_ids_[file] && !moved) || header.offset != offset) {
    const std::string whose = other == file_ids_.end()
                                  ? std::string("another file")
                                  : paths_[static_cast<std::size_t>(other - file_ids_.begin())];
    return {.fault = Fault::misplaced,
            .text = fmt::format("expected the data of offset {}, found that of offset {} of {}",
                                offset, header.offset, whose)};
  }
  if (header.length != interval_ || !header.is_of(spec_.checksum)) {
    return {.fault = Fault::foreign,
            .text = fmt::format("expected {} bytes with {}, found {} bytes of kind {}: written by "
                                "another job",
                                interval_, to_string(spec_.checksum), header.length, header.kind)};
  }
  if (sequence == 0) return {};
  if (spec_.check_seed && header.seed != seed_) {
    return {.fault = Fault::foreign,
            .text = fmt::format("expected seed {:016x}, found {:016x}: the data of another run",
                                seed_, header.seed)};
  }
  if (spec_.check_sequence && header.sequence != sequence) {
    return {.fault = Fault::stale,
            .text = fmt::format("expected write number {}, found number {}: {} data", sequence,
                                header.sequence, header.sequence < sequence ? "old" : "later")};
  }
  return {};
}

// fio knows neither the file nor, across runs, the number of the write.
BlockVerifier::Mismatch BlockVerifier::check_foreign_header(const Header& header,
                                                            std::uint64_t offset,
                                                            std::uint32_t sequence) const {
  if (header.offset != offset) {
    return {.fault = Fault::misplaced,
            .text = fmt::format("expected the data of offset {}, found that of offset {} of a file "
                                "that fio wrote",
                                offset, header.offset)};
  }
  if (header.length != interval_ || !header.is_of(spec_.checksum)) {
    return {.fault = Fault::foreign,
            .text = fmt::format("expected {} bytes with {}, found {} bytes of kind {} that fio "
                                "wrote; verify_interval= says how long",
                                interval_, to_string(spec_.checksum), header.length, header.kind)};
  }
  if (sequence != 0 && !spec_.only) {
    return {.fault = Fault::foreign, .text = "expected the data of this run, found what fio wrote"};
  }
  if (spec_.checksum == Checksum::sha512) {
    return {.fault = Fault::foreign,
            .text = "written by fio, whose sha512 keeps no checksum that could be compared"};
  }
  return {};
}

BlockVerifier::Mismatch BlockVerifier::check_data(std::span<const std::byte> found,
                                                  const Header& header) {
  const std::span<const std::byte> data = data_of(found);
  std::array<std::byte, k_digest_max> digest{};
  bool fine = false;
  if (digest_size_ > 0) {
    checksum_.digest(data, digest);
    fine = std::memcmp(digest.data(), found.data() + before_header() + sizeof header,
                       digest_size_) == 0;
  } else if (!header.ours() && spec_.pattern.empty()) {
    fine = true;  // a header is all that fio writes
  } else {
    fill_data(scratch_, header);
    fine = std::memcmp(scratch_.data() + header_size(), data.data(), data.size()) == 0;
  }
  return fine ? Mismatch() : describe_damage(found, header);
}

// Against what the header says that should be there.
BlockVerifier::Mismatch BlockVerifier::describe_damage(std::span<const std::byte> found,
                                                       const Header& header) {
  if (!header.ours() && spec_.pattern.empty()) {
    return {.fault = Fault::damaged,
            .text = "the checksum in fio's header differs from the data's"};
  }
  fill_data(scratch_, header);
  place_header(scratch_);
  const std::uint64_t head = before_header();
  std::uint64_t wrong = 0;
  std::uint64_t first = found.size();
  std::uint64_t sectors_lost = 0;
  std::uint64_t first_lost = 0;
  for (std::uint64_t at = 0; at < found.size(); at += k_sector) {
    const std::uint64_t end = std::min<std::uint64_t>(at + k_sector, found.size());
    std::uint64_t here = 0;
    std::uint64_t compared = 0;
    for (std::uint64_t i = at; i < end; ++i) {
      if (i >= head && i < head + header_size()) continue;
      ++compared;
      if (found[i] == scratch_[i]) continue;
      ++here;
      first = std::min(first, i);
    }
    wrong += here;
    if (compared > 0 && here * 2 > compared) {
      if (sectors_lost++ == 0) first_lost = at;
    }
  }
  if (sectors_lost > 0) {
    return {.fault = Fault::torn,
            .text = fmt::format("torn: {} of {} sectors are not of this write (number {}), the "
                                "first at byte {}",
                                sectors_lost, (found.size() + k_sector - 1) / k_sector,
                                header.sequence, first_lost)};
  }
  if (wrong == 0) {
    return {.fault = Fault::damaged, .text = "the checksum in the header differs from the data's"};
  }
  return {.fault = Fault::damaged,
          .text = fmt::format("{} byte{}, the first at byte {}: expected {:02x}, found "
                              "{:02x}",
                              wrong, wrong == 1 ? " differs" : "s differ", first,
                              std::to_integer<unsigned>(scratch_[first]),
                              std::to_integer<unsigned>(found[first]))};
}

std::vector<std::byte> BlockVerifier::expected(const Mismatch& mismatch) {
  std::vector<std::byte> bytes(interval_);
  const std::uint32_t sequence = map_.at(mismatch.file, mismatch.offset);
  if (sequence != WriteMap::k_trimmed) {
    fill_interval(bytes, mismatch.file, mismatch.offset, seed_, sequence);
  }
  return bytes;
}

}  // namespace loadline::engine
