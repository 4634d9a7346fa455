#include "serve/body.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace loadline::serve {

Body::~Body() {
  const bool sent = sent_.load(std::memory_order_relaxed);
  for (const Extent& extent : extents_) {
    if (extent.sort == Sort::chunk) arena_.release(extent.chunk, sent);
  }
  if (small_charge_ > 0) arena_.uncharge(Bytes(small_charge_));
}

Slice Body::slice(std::uint64_t offset, std::size_t most) const {
  if (offset >= size_ || most == 0) return {};
  most = static_cast<std::size_t>(std::min<std::uint64_t>(most, size_ - offset));
  if (small_) return {small_.get() + offset, most, std::nullopt};
  const auto after =
      std::upper_bound(extents_.begin(), extents_.end(), offset,
                       [](std::uint64_t at, const Extent& extent) { return at < extent.begin; });
  const auto index = static_cast<std::size_t>(after - extents_.begin()) - 1;
  const Extent& extent = extents_[index];
  most = static_cast<std::size_t>(std::min<std::uint64_t>(most, end_of(index) - offset));
  std::uint64_t within = offset - extent.begin;
  if (extent.sort != Sort::chunk) {
    within %= extent.period;
    most = static_cast<std::size_t>(std::min<std::uint64_t>(most, extent.period - within));
  }
  if (extent.sort == Sort::repeat) return slice(extent.begin - extent.period + within, most);
  const std::uint64_t place = extent.chunk.offset + within;
  return {arena_.at(place), most, place};
}

Bytes Body::footprint() const {
  std::uint64_t sum = small_charge_;
  for (const Extent& extent : extents_) {
    if (extent.sort == Sort::chunk) sum += extent.chunk.touched;
  }
  return Bytes(sum);
}

BodyWriter::BodyWriter(Arena& arena, std::optional<Bytes> expected, const Chunk* filler)
    : arena_(arena), body_(std::make_unique<Body>(arena)) {
  if (expected) expected_ = expected->count();
  if (filler != nullptr) {
    mode_ = Mode::filler;
    body_->extents_.push_back(
        {.begin = 0, .period = filler->capacity, .chunk = *filler, .sort = Body::Sort::filler});
  } else if (expected_ && *expected_ <= k_small_body) {
    if (*expected_ > 0 && !arena_.charge(*expected)) {
      mode_ = Mode::full;
    } else {
      mode_ = Mode::small;
      body_->small_charge_ = static_cast<std::uint32_t>(*expected_);
      body_->small_ = std::make_unique_for_overwrite<std::byte[]>(*expected_);
    }
  }
}

std::span<std::byte> BodyWriter::space(std::span<std::byte> scratch) {
  space_ = scratch;
  if (mode_ == Mode::small) {
    space_ = {body_->small_.get() + body_->size_, *expected_ - body_->size_};
  } else if (mode_ == Mode::chunks && open_chunk()) {
    const Extent& extent = body_->extents_.back();
    const std::uint64_t used = body_->size_ - extent.begin;
    space_ = {arena_.at(extent.chunk.offset + used), extent.chunk.touched - used};
  }
  return space_;
}

void BodyWriter::commit(std::size_t n) {
  CHECK(n <= space_.size());
  switch (mode_) {
    case Mode::repeat: append_repeat(space_.first(n)); break;
    case Mode::chunks: grown(n); break;
    case Mode::small:
    case Mode::filler: body_->size_ += n; break;
    case Mode::full: break;
  }
}

void BodyWriter::append(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  switch (mode_) {
    case Mode::small:
      CHECK(bytes.size() <= *expected_ - body_->size_);
      std::memcpy(body_->small_.get() + body_->size_, bytes.data(), bytes.size());
      body_->size_ += bytes.size();
      break;
    case Mode::chunks: append_chunks(bytes); break;
    case Mode::repeat: append_repeat(bytes); break;
    case Mode::filler: body_->size_ += bytes.size(); break;
    case Mode::full: break;
  }
}

std::unique_ptr<Body> BodyWriter::finish() {
  CHECK(!full());
  if (!body_->extents_.empty()) {
    Extent& last = body_->extents_.back();
    const std::uint64_t used = body_->size_ - last.begin;
    // Not for a few pages: it is a system call.
    if (last.sort == Body::Sort::chunk && used < last.chunk.touched / 2) {
      arena_.trim(last.chunk, static_cast<std::size_t>(used));
    }
  }
  return std::move(body_);
}

// True where the last extent is a chunk with room; opens one where it is not.
bool BodyWriter::open_chunk() {
  auto& extents = body_->extents_;
  if (!extents.empty() && extents.back().sort == Body::Sort::chunk &&
      body_->size_ - extents.back().begin < extents.back().chunk.touched) {
    return true;
  }
  const std::uint64_t wanted =
      expected_ ? *expected_ - body_->size_ : std::max<std::uint64_t>(body_->size_, k_period_least);
  const auto chunk = arena_.allocate(
      static_cast<std::size_t>(std::min<std::uint64_t>(wanted, Arena::k_chunk_most)));
  if (!chunk) {
    run_full();
    return false;
  }
  extents.push_back({.begin = body_->size_, .period = 0, .chunk = *chunk});
  return true;
}

void BodyWriter::run_full() {
  mode_ = Mode::full;
  body_ = std::make_unique<Body>(arena_);  // gives back what it held
}

// `n` bytes more lie in the last chunk.
void BodyWriter::grown(std::size_t n) {
  const std::uint64_t from = body_->size_;
  body_->size_ += n;
  if (searching_ && std::max(expected_.value_or(0), body_->size_) >= k_fold_least) {
    look_for_period(from);
  }
}

// Looks whether the first bytes of the window come again at or after `from`. A place that straddles
// two chunks is missed; the next repetition then gives a multiple of the period.
void BodyWriter::look_for_period(std::uint64_t from) {
  const std::uint64_t size = body_->size_;
  if (size - window_ < k_period_least + k_needle) return;
  if (size - window_ > k_period_most) searching_ = false;
  if (!needle_known_) {
    for (std::size_t i = 0; i < k_needle; ++i) needle_[i] = *body_->slice(window_ + i, 1).data;
    needle_known_ = true;
  }
  const Extent& last = body_->extents_.back();
  std::uint64_t at = from > k_needle ? from - k_needle : 0;
  at = std::max({at, last.begin, window_ + k_period_least});
  while (searching_ && at + k_needle <= size) {
    const std::byte* start = arena_.at(last.chunk.offset + (at - last.begin));
    const void* found = ::memmem(start, size - at, needle_.data(), k_needle);
    if (found == nullptr) return;
    at += static_cast<std::uint64_t>(static_cast<const std::byte*>(found) - start);
    if (repeats(at, at - window_)) return fold(at, at - window_);
    if (++attempts_ >= k_attempts_most) searching_ = false;
    ++at;
  }
}

// True where everything from `from` to the end equals what stands `period` bytes before.
bool BodyWriter::repeats(std::uint64_t from, std::uint64_t period) const {
  while (from < body_->size_) {
    const Slice now = body_->slice(from, Arena::k_chunk_most);
    const Slice before = body_->slice(from - period, now.length);
    if (std::memcmp(now.data, before.data, before.length) != 0) return false;
    from += before.length;
  }
  return true;
}

// Drops the bytes from `from` on in favour of a repeat.
void BodyWriter::fold(std::uint64_t from, std::uint64_t period) {
  auto& extents = body_->extents_;
  while (extents.back().begin >= from) {
    arena_.release(extents.back().chunk, false);
    extents.pop_back();
  }
  arena_.trim(extents.back().chunk, static_cast<std::size_t>(from - extents.back().begin));
  extents.push_back({.begin = from, .period = period, .chunk = {}, .sort = Body::Sort::repeat});
  mode_ = Mode::repeat;
}

void BodyWriter::append_chunks(std::span<const std::byte> bytes) {
  while (!bytes.empty() && mode_ == Mode::chunks) {
    const std::span<std::byte> room = space({});
    if (mode_ != Mode::chunks) return;  // full
    const std::size_t n = std::min(room.size(), bytes.size());
    std::memcpy(room.data(), bytes.data(), n);
    commit(n);
    bytes = bytes.subspan(n);
  }
  if (mode_ == Mode::repeat) append_repeat(bytes);
}

void BodyWriter::append_repeat(std::span<const std::byte> bytes) {
  const Extent repeat = body_->extents_.back();
  while (!bytes.empty()) {
    const std::uint64_t within = (body_->size_ - repeat.begin) % repeat.period;
    const Slice before = body_->slice(repeat.begin - repeat.period + within, bytes.size());
    const std::size_t n =
        static_cast<std::size_t>(std::min<std::uint64_t>(before.length, repeat.period - within));
    if (std::memcmp(before.data, bytes.data(), n) != 0) break;
    body_->size_ += n;
    bytes = bytes.subspan(n);
  }
  if (bytes.empty()) return;
  // The repetition ends somewhere in the next piece; the search starts again behind it.
  const std::uint64_t within = (body_->size_ - repeat.begin) % repeat.period;
  const Slice before = body_->slice(repeat.begin - repeat.period + within, bytes.size());
  const auto [mismatch, unused] =
      std::mismatch(bytes.begin(), bytes.end(), before.data, before.data + before.length);
  const auto same = static_cast<std::size_t>(mismatch - bytes.begin());
  body_->size_ += same;
  window_ = body_->size_;
  needle_known_ = false;
  mode_ = Mode::chunks;
  append_chunks(bytes.subspan(same));
}

}  // namespace loadline::serve
