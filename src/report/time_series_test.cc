#include "report/time_series.h"

#include <gtest/gtest.h>

namespace loadline::report {
namespace {

const Duration k_second = Duration::seconds(1);

store::OpTick tick_of(std::uint64_t successes, Duration latency) {
  store::OpTick tick;
  tick.successes = successes;
  tick.p50 = tick.p99 = tick.max = latency;
  return tick;
}

TEST(TimeSeries, keeps_every_tick_of_a_short_run) {
  TimeSeries series(Duration(), Duration::seconds(600));
  for (int i = 0; i < 600; ++i) series.add(k_second * i, k_second, tick_of(5, k_second));
  EXPECT_EQ(series.points().size(), 600U);
  EXPECT_EQ(series.ticks_per_point(), 1U);
  EXPECT_EQ(series.points()[599].start, k_second * 599);
}

TEST(TimeSeries, never_exceeds_its_points_and_loses_no_count_and_no_peak) {
  for (const int ticks : {601, 602, 1'199, 1'200, 1'201, 3'600, 86'400}) {
    TimeSeries series(Duration(), k_second * ticks);
    std::uint64_t sum = 0;
    for (int i = 0; i < ticks; ++i) {
      const auto n = static_cast<std::uint64_t>(i % 7);
      sum += n;
      const bool peak = i == ticks / 2;
      series.add(k_second * i, k_second, tick_of(n, Duration::milliseconds(peak ? 9'000 : 2)));
    }
    EXPECT_LE(series.points().size(), TimeSeries::k_points_most);
    EXPECT_GT(series.points().size(), TimeSeries::k_points_most / 2 - 1) << ticks;
    std::uint64_t found = 0;
    Duration peak;
    Duration at;
    for (const SeriesPoint& p : series.points()) {
      EXPECT_EQ(p.start, at) << ticks;  // no gap, no overlap
      at = p.end;
      found += p.successes;
      peak = std::max(peak, p.max);
    }
    EXPECT_EQ(at, k_second * ticks);
    EXPECT_EQ(found, sum);
    EXPECT_EQ(peak, Duration::seconds(9));
  }
}

TEST(TimeSeries, remembers_the_slowest_and_fastest_tick_of_a_point) {
  TimeSeries series(Duration(), Duration::seconds(1'200));
  for (int i = 0; i < 1'200; ++i) {
    series.add(k_second * i, k_second, tick_of(i % 2 == 0 ? 10 : 30, k_second));
  }
  ASSERT_EQ(series.ticks_per_point(), 2U);
  EXPECT_DOUBLE_EQ(series.points()[100].rate_least, 10);
  EXPECT_DOUBLE_EQ(series.points()[100].rate_most, 30);
  EXPECT_EQ(series.points()[100].successes, 40U);
}

TEST(TimeSeries, joins_a_last_tick_that_is_cut_short) {
  TimeSeries series(Duration(), Duration::seconds(10));
  for (int i = 0; i < 3; ++i) series.add(k_second * i, k_second, tick_of(100, k_second));
  series.add(k_second * 3, Duration::milliseconds(4), tick_of(9, k_second));
  series.add(k_second * 3 + Duration::milliseconds(4), Duration(), tick_of(1, k_second));
  ASSERT_EQ(series.points().size(), 3U);
  EXPECT_EQ(series.points()[2].successes, 110U);
  EXPECT_DOUBLE_EQ(series.points()[2].rate_most, 100);
  EXPECT_EQ(series.points()[2].end, Duration::milliseconds(3'004));
}

TEST(TimeSeries, computes_rates_over_the_measured_part) {
  TimeSeries series(Duration::milliseconds(1'500), Duration::milliseconds(2'600));
  for (int i = 0; i < 6; ++i) series.add(k_second * i, k_second, tick_of(i == 1 ? 50 : 100, {}));
  const auto& points = series.points();
  EXPECT_FALSE(points[0].has_rate());  // ramp
  EXPECT_EQ(points[1].measured, Duration::milliseconds(500));
  EXPECT_DOUBLE_EQ(points[1].rate_most, 100);
  EXPECT_TRUE(points[3].has_rate());
  EXPECT_FALSE(points[4].has_rate());  // a tenth of it: too little to say
  EXPECT_FALSE(points[5].has_rate());
}

TEST(TimeSeries, takes_the_whole_stage_where_no_window_is_known) {
  TimeSeries series(Duration::seconds(5), Duration());
  series.add(Duration(), k_second, tick_of(7, k_second));
  EXPECT_TRUE(series.points()[0].has_rate());
}

}  // namespace
}  // namespace loadline::report
