#include "base/units.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace loadline {
namespace {

TEST(Duration, counts_nanoseconds) {
  EXPECT_EQ(Duration::seconds(2), Duration::milliseconds(2000));
  EXPECT_EQ(Duration::milliseconds(3), Duration::microseconds(3000));
  EXPECT_EQ(Duration::microseconds(4), Duration::nanoseconds(4000));
  EXPECT_EQ(Duration::seconds(7) / Duration::seconds(2), 3);
  EXPECT_DOUBLE_EQ(Duration::milliseconds(1500).as_seconds(), 1.5);
  EXPECT_DOUBLE_EQ(Duration::microseconds(1500).as_milliseconds(), 1.5);
}

TEST(Duration, from_seconds_takes_the_nearest_nanosecond) {
  EXPECT_EQ(Duration::from_seconds(4.35), Duration::milliseconds(4350));
  EXPECT_EQ(Duration::from_seconds(0.29), Duration::milliseconds(290));
  EXPECT_EQ(Duration::from_seconds(-4.35), Duration::milliseconds(-4350));
  for (std::int64_t ms = 0; ms < 20'000; ++ms) {
    const Duration d = Duration::milliseconds(ms);
    ASSERT_EQ(Duration::from_seconds(d.as_seconds()), d) << ms;
  }
}

TEST(Instant, for_ever_stays_for_ever) {
  EXPECT_EQ(Instant::max() + Duration::seconds(1), Instant::max());
  EXPECT_EQ(Instant::from_ns(5) + Duration::max(), Instant::max());
  EXPECT_EQ(Instant::from_ns(5) + Duration::nanoseconds(-3), Instant::from_ns(2));
  EXPECT_FALSE(Instant().stamped());
}

TEST(Rate, is_zero_where_no_time_has_passed) {
  EXPECT_EQ(Rate::of(100, Duration()), Rate());
  EXPECT_DOUBLE_EQ(Rate::of(100, Duration::milliseconds(500)).per_second(), 200);
}

TEST(Units, do_not_mix_with_each_other_or_with_numbers) {
  static_assert(!std::is_convertible_v<std::uint64_t, Bytes>);
  static_assert(!std::is_convertible_v<Bytes, std::uint64_t>);
  static_assert(!std::is_convertible_v<Bytes, OpCount>);
  static_assert(!std::is_convertible_v<std::int64_t, Duration>);
  static_assert(!std::is_convertible_v<Duration, Instant>);
  static_assert(!std::is_convertible_v<double, Rate>);
  EXPECT_EQ((Bytes(3) * 4 + Bytes(2) - Bytes(1)).count(), 13U);
  EXPECT_EQ((OpCount(3) + OpCount(2) - OpCount(1)).count(), 4U);
}

}  // namespace
}  // namespace loadline
