#include "record/histogram.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace loadline::record {
namespace {

__extension__ using Wide = unsigned __int128;

}  // namespace

void Histogram::merge(const Histogram& other) {
  if (other.empty()) return;
  if (other.first_ <= other.last_) {
    make_room(other.first_);
    make_room(other.last_);
  }
  for (std::size_t i = other.first_; i <= other.last_ && i < k_buckets; ++i) {
    counts_[i - base_] += other.counts_[i - other.base_];
  }
  count_ += other.count_;
  past_top_ += other.past_top_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  first_ = std::min(first_, other.first_);
  last_ = std::max(last_, other.last_);
}

void Histogram::clear() {
  if (first_ <= last_ && !counts_.empty()) {
    std::fill(counts_.begin() + static_cast<std::ptrdiff_t>(first_ - base_),
              counts_.begin() + static_cast<std::ptrdiff_t>(last_ - base_) + 1, 0);
  }
  count_ = past_top_ = sum_ = max_ = 0;
  min_ = UINT64_MAX;
  first_ = k_buckets;
  last_ = 0;
}

// Whole octaves, from the lowest to the highest that was ever asked for.
void Histogram::make_room(std::size_t index) {
  const std::size_t begin = index / k_half * k_half;
  if (counts_.empty()) {
    base_ = begin;
    counts_.resize(k_half);
  } else if (index < base_) {
    counts_.insert(counts_.begin(), base_ - begin, 0);
    base_ = begin;
  } else if (index - base_ >= counts_.size()) {
    // No more than that: what a vector adds of its own is never used.
    counts_.reserve(begin + k_half - base_);
    counts_.resize(begin + k_half - base_);
  }
}

Duration Histogram::mean() const {
  return Duration::nanoseconds(empty() ? 0 : static_cast<std::int64_t>(sum_ / count_));
}

Duration Histogram::standard_deviation() const {
  const std::uint64_t inside = count_ - past_top_;
  if (inside == 0) return {};
  const double mean_ns = static_cast<double>(sum_) / static_cast<double>(count_);
  double squares = 0;
  for (std::size_t i = first_; i <= last_ && i < k_buckets; ++i) {
    const double middle = static_cast<double>(lowest_of(i) + highest_of(i)) / 2;
    squares += static_cast<double>(counts_[i - base_]) * (middle - mean_ns) * (middle - mean_ns);
  }
  return Duration::nanoseconds(
      static_cast<std::int64_t>(std::sqrt(squares / static_cast<double>(inside))));
}

Duration Histogram::quantile(std::uint32_t per_ten_million) const {
  CHECK(per_ten_million <= 10'000'000);
  if (empty()) return {};
  const Wide scaled = static_cast<Wide>(count_) * per_ten_million;
  const auto rounded_up = static_cast<std::uint64_t>((scaled + 9'999'999) / 10'000'000);
  const auto rank = std::max<std::uint64_t>(1, rounded_up);
  if (rank == count_) return max();
  std::uint64_t seen = 0;
  for (std::size_t i = first_; i <= last_ && i < k_buckets; ++i) {
    seen += counts_[i - base_];
    if (seen >= rank) {
      const std::uint64_t middle = lowest_of(i) + (highest_of(i) - lowest_of(i)) / 2;
      return Duration::nanoseconds(static_cast<std::int64_t>(std::clamp(middle, min_, max_)));
    }
  }
  return max();
}

std::uint64_t Histogram::count_at_or_below(Duration d) const {
  if (d.ns() < 0 || empty()) return 0;
  const std::size_t index = index_of(static_cast<std::uint64_t>(d.ns()));
  if (index >= k_buckets) return count_;
  std::uint64_t seen = 0;
  for (std::size_t i = first_; i <= last_ && i <= index; ++i) seen += counts_[i - base_];
  return seen;
}

std::uint64_t Histogram::lowest_of(std::size_t index) {
  if (index < 2 * k_half) return index;
  const std::size_t shift = index / k_half - 1;
  return static_cast<std::uint64_t>(index - shift * k_half) << shift;
}

std::uint64_t Histogram::highest_of(std::size_t index) {
  if (index < 2 * k_half) return index;
  const std::size_t shift = index / k_half - 1;
  return lowest_of(index) + ((std::uint64_t{1} << shift) - 1);
}

void Histogram::restore_bucket(std::size_t index, std::uint64_t times) {
  CHECK(index < k_buckets);
  if (times == 0) return;
  make_room(index);
  counts_[index - base_] += times;
  count_ += times;
  first_ = std::min(first_, index);
  last_ = std::max(last_, index);
}

void Histogram::restore_summary(std::uint64_t min_ns, std::uint64_t max_ns, std::uint64_t sum_ns,
                                std::uint64_t past_top) {
  min_ = min_ns;
  max_ = max_ns;
  sum_ = sum_ns;
  past_top_ += past_top;
  count_ += past_top;
}

bool Histogram::operator==(const Histogram& other) const {
  if (count_ != other.count_ || past_top_ != other.past_top_ || sum_ != other.sum_) return false;
  if (empty()) return true;
  if (min_ != other.min_ || max_ != other.max_ || first_ != other.first_ || last_ != other.last_) {
    return false;
  }
  for (std::size_t i = first_; i <= last_ && i < k_buckets; ++i) {
    if (counts_[i - base_] != other.counts_[i - other.base_]) return false;
  }
  return true;
}

}  // namespace loadline::record
