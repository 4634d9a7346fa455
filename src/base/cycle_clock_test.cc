#include "base/cycle_clock.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace loadline {
namespace {

TEST(CycleClock, stays_close_to_the_system_clock) {
  const CycleClock clock;
  const SteadyClock system;
  const Instant end = system.now() + Duration::milliseconds(400);
  Duration worst;
  while (system.now() < end) {
    const Instant before = system.now();
    const Instant read = clock.now();
    const Instant after = system.now();
    // Between the two readings around it, or off by so much.
    worst = std::max({worst, before - read, read - after});
    clock.sleep_until(after + Duration::milliseconds(1));
  }
  EXPECT_LT(worst, Duration::microseconds(100));
}

TEST(CycleClock, never_goes_back_within_a_thread) {
  const CycleClock clock;
  std::vector<std::jthread> threads;
  std::atomic<int> backwards = 0;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      Instant last = clock.now();
      const Instant end = last + Duration::milliseconds(200);
      while (last < end) {
        const Instant now = clock.now();
        if (now < last) ++backwards;
        last = now;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(backwards, 0);
}

TEST(CycleClock, never_goes_back_from_one_thread_to_another) {
  const CycleClock clock;
  std::atomic<std::int64_t> newest = 0;
  std::atomic<int> backwards = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      const Instant end = clock.now() + Duration::milliseconds(200);
      Instant now;
      while (now < end) {
        const std::int64_t seen = newest.load();
        now = clock.now();
        // A thread put aside in the middle of a reading goes by the steering of before.
        if (now.ns() + 20'000 < seen) ++backwards;
        std::int64_t known = newest.load();
        while (known < now.ns() && !newest.compare_exchange_weak(known, now.ns())) {
        }
      }
    });
  }
  threads.clear();
  EXPECT_EQ(backwards, 0);
}

TEST(CycleClock, is_never_zero) { EXPECT_TRUE(CycleClock().now().stamped()); }

}  // namespace
}  // namespace loadline
