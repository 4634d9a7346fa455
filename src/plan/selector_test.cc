#include "plan/selector.h"

#include <gtest/gtest.h>

#include <ostream>

namespace loadline::plan {

static void PrintTo(const Slice& slice, std::ostream* out) {
  *out << slice.first << " x " << slice.count;
}

namespace {

TEST(Slice, splits_ten_numbers_over_three_workers_as_cosbench_does) {
  EXPECT_EQ(slice_of(1, 10, 0, 3), (Slice{.first = 1, .count = 4}));
  EXPECT_EQ(slice_of(1, 10, 1, 3), (Slice{.first = 5, .count = 3}));
  EXPECT_EQ(slice_of(1, 10, 2, 3), (Slice{.first = 8, .count = 3}));
}

TEST(Slice, leaves_nothing_for_workers_past_the_last_number) {
  for (std::uint32_t worker = 0; worker < 8; ++worker) {
    EXPECT_EQ(slice_of(1, 3, worker, 8).count, worker < 3 ? 1 : 0) << worker;
  }
}

TEST(Slice, covers_every_number_exactly_once) {
  for (const std::uint32_t workers : {1U, 2U, 3U, 7U, 64U, 101U}) {
    for (const std::int64_t numbers : {1, 2, 63, 64, 65, 100, 1009}) {
      std::int64_t next = 5;
      for (std::uint32_t worker = 0; worker < workers; ++worker) {
        const Slice slice = slice_of(5, 5 + numbers - 1, worker, workers);
        if (slice.count > 0) {
          EXPECT_EQ(slice.first, next);
        }
        next += slice.count;
      }
      EXPECT_EQ(next, 5 + numbers) << workers << " workers, " << numbers << " numbers";
    }
  }
}

TEST(Slice, reaches_the_largest_numbers_a_plan_may_hold) {
  const Slice last = slice_of(0, INT64_MAX - 1, 999'999, 1'000'000);
  EXPECT_EQ(last.first + last.count - 1, INT64_MAX - 1);
}

TEST(Selector, compares_all_its_parts) {
  EXPECT_EQ(Selector::range(1, 2), Selector::range(1, 2));
  EXPECT_NE(Selector::range(1, 2), Selector::sequence(1, 2));
  EXPECT_NE(Selector::range(1, 2), Selector::range(1, 3));
}

}  // namespace
}  // namespace loadline::plan
