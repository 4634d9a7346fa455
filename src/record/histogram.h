// A log-linear histogram of durations in whole nanoseconds. Every power of two from 128 ns up is
// cut into 128 equal buckets, values below 256 ns have a bucket each: a bucket is at most 1/128 of
// its values wide, from 1 ns to hours. The layout is HdrHistogram's with two significant digits and
// unit 1 ns (http://hdrhistogram.org), so that export loses nothing.
//
// Merging adds bucket by bucket: associative, commutative, without loss. Percentiles use integer
// rank arithmetic. Values past the top are counted apart and still enter count, sum and maximum.
//
// Threads: a plain value. Memory: nothing until the first value, then 1 KB for each octave from the
// lowest to the highest value so far, 40 KB at most: thousands of them are there at once.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/units.h"

namespace loadline::record {

class Histogram {
 public:
  static constexpr unsigned k_sub_bucket_bits = 8;                      // 256 linear buckets first
  static constexpr std::size_t k_half = 1U << (k_sub_bucket_bits - 1);  // 128 per octave after
  static constexpr unsigned k_top_bits = 45;                            // 2^45 ns = 9.7 hours
  static constexpr std::size_t k_buckets = (k_top_bits - k_sub_bucket_bits + 2) * k_half;

  // Negative durations count as 0: a clock must not step, but a result must not break either.
  void add(Duration d) { add(d, 1); }
  void add(Duration d, std::uint64_t times);
  void merge(const Histogram& other);
  void clear();

  std::uint64_t count() const { return count_; }
  bool empty() const { return count_ == 0; }
  std::uint64_t past_top() const { return past_top_; }
  Duration min() const {
    return Duration::nanoseconds(empty() ? 0 : static_cast<std::int64_t>(min_));
  }
  Duration max() const { return Duration::nanoseconds(static_cast<std::int64_t>(max_)); }
  // Exact sum in nanoseconds (584 years fit).
  std::uint64_t sum_ns() const { return sum_; }
  Duration mean() const;
  Duration standard_deviation() const;

  // The smallest recorded value (within its bucket: the middle, held to [min, max]) that at least
  // the share `per_ten_million` / 10^7 of all values do not exceed: 9'990'000 is p99.9. Zero where
  // nothing was recorded.
  Duration quantile(std::uint32_t per_ten_million) const;

  // How many values lie at or below `d`, to bucket accuracy: the bucket of `d` counts whole.
  std::uint64_t count_at_or_below(Duration d) const;

  // The buckets that hold anything, for encoders: index from first_used() to last_used().
  std::size_t first_used() const { return first_; }
  std::size_t last_used() const { return last_; }
  std::uint64_t at(std::size_t index) const {
    return index - base_ < counts_.size() ? counts_[index - base_] : 0;
  }

  // The smallest and largest value of a bucket.
  static std::uint64_t lowest_of(std::size_t index);
  static std::uint64_t highest_of(std::size_t index);
  static std::size_t index_of(std::uint64_t value_ns) {
    if (value_ns < 2 * k_half) return value_ns;
    const unsigned shift = static_cast<unsigned>(std::bit_width(value_ns)) - k_sub_bucket_bits;
    return shift * k_half + (value_ns >> shift);
  }

  // For decoders: puts a bucket back; min, max, sum and past_top follow by restore_summary().
  void restore_bucket(std::size_t index, std::uint64_t times);
  void restore_summary(std::uint64_t min_ns, std::uint64_t max_ns, std::uint64_t sum_ns,
                       std::uint64_t past_top);

  // What its buckets take.
  Bytes memory() const { return Bytes(counts_.capacity() * sizeof(counts_[0])); }

  bool operator==(const Histogram& other) const;

 private:
  void make_room(std::size_t index);

  std::vector<std::uint64_t> counts_;  // of the buckets from base_ on
  std::size_t base_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t past_top_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t min_ = UINT64_MAX;
  std::uint64_t max_ = 0;
  std::size_t first_ = k_buckets;
  std::size_t last_ = 0;
};

inline void Histogram::add(Duration d, std::uint64_t times) {
  if (times == 0) return;
  const std::uint64_t value = d.ns() > 0 ? static_cast<std::uint64_t>(d.ns()) : 0;
  count_ += times;
  sum_ += value * times;
  if (value < min_) min_ = value;
  if (value > max_) max_ = value;
  const std::size_t index = index_of(value);
  if (index >= k_buckets) [[unlikely]] {
    past_top_ += times;
    return;
  }
  if (index - base_ >= counts_.size()) [[unlikely]]
    make_room(index);
  counts_[index - base_] += times;
  if (index < first_) first_ = index;
  if (index > last_) last_ = index;
}

}  // namespace loadline::record
