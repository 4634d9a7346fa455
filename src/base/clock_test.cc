#include "base/clock.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

namespace loadline {
namespace {

TEST(SimClock, stands_still_until_somebody_sleeps) {
  const SimClock clock(Instant::from_ns(100));
  EXPECT_TRUE(clock.simulated());
  EXPECT_EQ(clock.now(), Instant::from_ns(100));
  EXPECT_EQ(clock.now(), Instant::from_ns(100));
  clock.sleep_until(Instant::from_ns(500));
  EXPECT_EQ(clock.now(), Instant::from_ns(500));
}

TEST(SimClock, never_goes_back) {
  SimClock clock(Instant::from_ns(100));
  clock.sleep_until(Instant::from_ns(50));
  EXPECT_EQ(clock.now(), Instant::from_ns(100));
  clock.advance(Duration::nanoseconds(7));
  EXPECT_EQ(clock.now(), Instant::from_ns(107));
}

TEST(SteadyClock, sleeps_until_the_instant_and_is_never_zero) {
  const SteadyClock clock;
  const Instant before = clock.now();
  EXPECT_TRUE(before.stamped());
  clock.sleep_until(before + Duration::milliseconds(5));
  EXPECT_GE(clock.now(), before + Duration::milliseconds(5));
  clock.sleep_until(before);  // the past: at once
}

TEST(WallTime, prints_iso_8601_in_utc) {
  EXPECT_EQ(WallTime::from_ns(1'796'057'987'123'999'999).iso8601(), "2026-11-30T16:59:47.123Z");
  EXPECT_EQ(WallTime().iso8601(), "1970-01-01T00:00:00.000Z");
}

TEST(WallTime, prints_local_time_by_a_format) {
  setenv("TZ", "UTC-2", 1);  // two hours east
  tzset();
  EXPECT_EQ(WallTime::from_ns(1'796'057'987'000'000'000).local("%Y-%m-%d %H:%M:%S"),
            "2026-11-30 18:59:47");
  unsetenv("TZ");
  tzset();
}

TEST(CpuTime, moves_while_work_is_done) {
  const Duration before = thread_cpu_time();
  volatile std::uint64_t sink = 0;
  while (thread_cpu_time() - before < Duration::milliseconds(2)) sink = sink + 1;
  EXPECT_GE(process_cpu_time(), thread_cpu_time() - before);
}

}  // namespace
}  // namespace loadline
