#include "record/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/rng.h"

namespace loadline::record {
namespace {

Duration ns(std::uint64_t n) { return Duration::nanoseconds(static_cast<std::int64_t>(n)); }

// The value of that rank in a sorted list: the definition that quantile() approximates.
std::uint64_t exact_quantile(const std::vector<std::uint64_t>& sorted,
                             std::uint32_t per_ten_million) {
  const auto n = static_cast<std::uint64_t>(sorted.size());
  const std::uint64_t rank = (n * per_ten_million + 9'999'999) / 10'000'000;
  return sorted[std::max<std::uint64_t>(rank, 1) - 1];
}

Histogram histogram_of(const std::vector<std::uint64_t>& values) {
  Histogram histogram;
  for (const std::uint64_t value : values) histogram.add(ns(value));
  return histogram;
}

TEST(Histogram, buckets_follow_each_other_without_a_gap) {
  for (std::size_t i = 0; i + 1 < Histogram::k_buckets; ++i) {
    ASSERT_EQ(Histogram::highest_of(i) + 1, Histogram::lowest_of(i + 1)) << i;
    ASSERT_EQ(Histogram::index_of(Histogram::lowest_of(i)), i);
    ASSERT_EQ(Histogram::index_of(Histogram::highest_of(i)), i);
  }
  EXPECT_EQ(Histogram::highest_of(Histogram::k_buckets - 1),
            (std::uint64_t{1} << Histogram::k_top_bits) - 1);
}

TEST(Histogram, a_bucket_is_at_most_a_128th_of_its_values_wide) {
  for (std::size_t i = 0; i < Histogram::k_buckets; ++i) {
    const std::uint64_t low = Histogram::lowest_of(i);
    const std::uint64_t width = Histogram::highest_of(i) - low + 1;
    ASSERT_TRUE(width == 1 || width * 128 <= low) << i;
  }
}

TEST(Histogram, quantiles_are_within_a_128th_of_the_exact_ones_at_every_magnitude) {
  Rng rng(1);
  for (std::uint64_t magnitude = 1; magnitude < (std::uint64_t{1} << 42); magnitude *= 4) {
    std::vector<std::uint64_t> values;
    for (int i = 0; i < 3000; ++i) values.push_back(magnitude + rng.below(magnitude * 8));
    const Histogram histogram = histogram_of(values);
    std::ranges::sort(values);
    for (const std::uint32_t q : {0U, 1U, 1'000'000U, 5'000'000U, 9'000'000U, 9'900'000U,
                                  9'990'000U, 9'999'000U, 10'000'000U}) {
      const auto exact = static_cast<double>(exact_quantile(values, q));
      const auto found = static_cast<double>(histogram.quantile(q).ns());
      ASSERT_LE(std::abs(found - exact), exact / 128) << magnitude << " at " << q;
    }
  }
}

TEST(Histogram, ranks_are_counted_in_whole_numbers) {
  std::vector<std::uint64_t> hundred;
  for (std::uint64_t i = 1; i <= 100; ++i) hundred.push_back(i);
  const Histogram histogram = histogram_of(hundred);
  EXPECT_EQ(histogram.quantile(0), ns(1));
  EXPECT_EQ(histogram.quantile(100'000), ns(1));  // 1 % of 100 is one value
  EXPECT_EQ(histogram.quantile(100'001), ns(2));  // and a hair more is two
  EXPECT_EQ(histogram.quantile(5'000'000), ns(50));
  EXPECT_EQ(histogram.quantile(9'900'000), ns(99));
  EXPECT_EQ(histogram.quantile(9'990'000), ns(100));
  EXPECT_EQ(histogram.quantile(10'000'000), ns(100));
}

TEST(Histogram, ranks_of_huge_counts_do_not_overflow) {
  Histogram histogram;
  histogram.add(ns(10), UINT64_MAX / 40);
  histogram.add(ns(20), UINT64_MAX / 40);
  EXPECT_EQ(histogram.quantile(4'999'999), ns(10));
  EXPECT_EQ(histogram.quantile(9'999'999), ns(20));
}

TEST(Histogram, the_ends_are_exact) {
  const Histogram histogram = histogram_of({1'234'567, 3'456'789, 98'765'432'109});
  EXPECT_EQ(histogram.min(), ns(1'234'567));
  EXPECT_EQ(histogram.max(), ns(98'765'432'109));
  EXPECT_EQ(histogram.quantile(10'000'000), ns(98'765'432'109));
  EXPECT_GE(histogram.quantile(0), histogram.min());
  EXPECT_EQ(histogram.sum_ns(), 1'234'567U + 3'456'789U + 98'765'432'109U);
  EXPECT_EQ(histogram.mean(), ns((1'234'567ULL + 3'456'789 + 98'765'432'109) / 3));
}

TEST(Histogram, says_nothing_of_nothing) {
  const Histogram histogram;
  EXPECT_TRUE(histogram.empty());
  EXPECT_EQ(histogram.quantile(9'900'000), Duration());
  EXPECT_EQ(histogram.min(), Duration());
  EXPECT_EQ(histogram.max(), Duration());
  EXPECT_EQ(histogram.mean(), Duration());
  EXPECT_EQ(histogram.standard_deviation(), Duration());
  EXPECT_EQ(histogram.count_at_or_below(ns(5)), 0U);
}

TEST(Histogram, a_negative_duration_counts_as_zero) {
  Histogram histogram;
  histogram.add(Duration::nanoseconds(-5));
  EXPECT_EQ(histogram.count(), 1U);
  EXPECT_EQ(histogram.max(), Duration());
}

TEST(Histogram, values_past_the_top_are_counted_apart_and_keep_their_rank) {
  const std::uint64_t top = std::uint64_t{1} << Histogram::k_top_bits;
  const Histogram histogram = histogram_of({10, top - 1, top, top * 5});
  EXPECT_EQ(histogram.count(), 4U);
  EXPECT_EQ(histogram.past_top(), 2U);
  EXPECT_EQ(histogram.max(), ns(top * 5));
  EXPECT_EQ(histogram.quantile(2'500'000), ns(10));
  EXPECT_LT(histogram.quantile(5'000'000), ns(top));
  EXPECT_EQ(histogram.quantile(7'500'000), ns(top * 5));
  EXPECT_EQ(histogram.count_at_or_below(ns(top - 1)), 2U);
}

TEST(Histogram, holds_nothing_but_values_past_the_top) {
  Histogram far = histogram_of({std::uint64_t{1} << 50});
  Histogram other = histogram_of({7});
  far.merge(other);
  EXPECT_EQ(far.count(), 2U);
  EXPECT_EQ(far.quantile(5'000'000), ns(7));
  other.merge(histogram_of({std::uint64_t{1} << 50}));
  EXPECT_EQ(other, far);
}

TEST(Histogram, merging_equals_adding_in_any_order) {
  Rng rng(7);
  std::vector<std::uint64_t> values;
  for (int i = 0; i < 5000; ++i) values.push_back(rng.next() >> (rng.below(62) + 1));
  const Histogram whole = histogram_of(values);
  for (int round = 0; round < 10; ++round) {
    std::vector<Histogram> parts(1 + rng.below(9));
    for (const std::uint64_t value : values) parts[rng.below(parts.size())].add(ns(value));
    while (parts.size() > 1) {
      const std::size_t from = rng.below(parts.size());
      const Histogram taken = parts[from];
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(from));
      parts[rng.below(parts.size())].merge(taken);
    }
    ASSERT_EQ(parts[0], whole);
  }
}

TEST(Histogram, merging_nothing_changes_nothing) {
  Histogram histogram = histogram_of({5, 600, 70'000});
  const Histogram before = histogram;
  histogram.merge(Histogram());
  EXPECT_EQ(histogram, before);
  Histogram empty;
  empty.merge(before);
  EXPECT_EQ(empty, before);
}

TEST(Histogram, clearing_leaves_no_trace) {
  Histogram histogram = histogram_of({5, 600, 70'000, std::uint64_t{1} << 50});
  histogram.clear();
  EXPECT_EQ(histogram, Histogram());
  histogram.add(ns(600));
  EXPECT_EQ(histogram, histogram_of({600}));
}

TEST(Histogram, adds_many_at_once) {
  Histogram at_once;
  at_once.add(ns(900), 3);
  EXPECT_EQ(at_once, histogram_of({900, 900, 900}));
  at_once.add(ns(5'000'000), 0);
  EXPECT_EQ(at_once, histogram_of({900, 900, 900}));
}

TEST(Histogram, spread_is_that_of_the_values_to_bucket_accuracy) {
  const Histogram histogram = histogram_of({100'000, 200'000, 300'000, 400'000});
  EXPECT_NEAR(static_cast<double>(histogram.standard_deviation().ns()), 111'803, 111'803 / 64.0);
  EXPECT_EQ(histogram_of({5, 5, 5}).standard_deviation(), Duration());
}

TEST(Histogram, is_restored_from_its_buckets_and_summary) {
  const Histogram histogram =
      histogram_of({0, 1, 255, 256, 1'000'000, 1'000'001, std::uint64_t{1} << 46});
  Histogram again;
  for (std::size_t i = histogram.first_used(); i <= histogram.last_used(); ++i) {
    again.restore_bucket(i, histogram.at(i));
  }
  again.restore_summary(static_cast<std::uint64_t>(histogram.min().ns()),
                        static_cast<std::uint64_t>(histogram.max().ns()), histogram.sum_ns(),
                        histogram.past_top());
  EXPECT_EQ(again, histogram);
}

TEST(Histogram, counts_what_lies_at_or_below) {
  const Histogram histogram = histogram_of({10, 20, 20, 30});
  EXPECT_EQ(histogram.count_at_or_below(ns(9)), 0U);
  EXPECT_EQ(histogram.count_at_or_below(ns(20)), 3U);
  EXPECT_EQ(histogram.count_at_or_below(ns(1'000'000)), 4U);
  EXPECT_EQ(histogram.count_at_or_below(Duration::nanoseconds(-1)), 0U);
}

TEST(Histogram, has_memory_for_the_octaves_between_its_values_alone) {
  Histogram histogram;
  EXPECT_EQ(histogram.memory(), Bytes());
  for (std::uint64_t value = 20'000; value < 300'000; value += 7) histogram.add(ns(value));
  EXPECT_LE(histogram.memory(), Bytes(6 * 1024));
  const Histogram narrow = histogram;
  // Below and above what it has.
  histogram.add(ns(3));
  histogram.add(ns(std::uint64_t{1} << 40));
  EXPECT_EQ(histogram.count(), narrow.count() + 2);
  EXPECT_EQ(histogram.at(Histogram::index_of(3)), 1U);
  EXPECT_EQ(histogram.at(Histogram::index_of(40'000)), narrow.at(Histogram::index_of(40'000)));
  EXPECT_EQ(narrow.at(0) + narrow.at(Histogram::k_buckets - 1), 0U);
  Histogram other = histogram_of({3, std::uint64_t{1} << 40});
  other.merge(narrow);
  EXPECT_EQ(other, histogram);
  histogram.clear();
  EXPECT_EQ(histogram, Histogram());
}

}  // namespace
}  // namespace loadline::record
