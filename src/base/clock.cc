#include "base/clock.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>

namespace loadline {
namespace {

std::int64_t read_clock(clockid_t id) {
  timespec ts{};
  clock_gettime(id, &ts);
  return static_cast<std::int64_t>(ts.tv_sec) * 1'000'000'000 + ts.tv_nsec;
}

tm utc_or_local(std::int64_t ns, bool utc) {
  const auto seconds = static_cast<time_t>(ns / 1'000'000'000);
  tm parts{};
  utc ? gmtime_r(&seconds, &parts) : localtime_r(&seconds, &parts);
  return parts;
}

}  // namespace

Instant SteadyClock::now() const { return Instant::from_ns(read_clock(CLOCK_MONOTONIC)); }

void SteadyClock::sleep_until(Instant when) const {
  const timespec ts{.tv_sec = when.ns() / 1'000'000'000, .tv_nsec = when.ns() % 1'000'000'000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, nullptr) == EINTR) {
  }
}

void SimClock::sleep_until(Instant when) const {
  std::int64_t seen = now_ns_.load();
  while (seen < when.ns() && !now_ns_.compare_exchange_weak(seen, when.ns())) {
  }
}

WallTime WallTime::now() { return WallTime(read_clock(CLOCK_REALTIME)); }

std::string WallTime::local(const char* format) const {
  const tm parts = utc_or_local(ns_, false);
  std::array<char, 128> text{};
  const std::size_t n = std::strftime(text.data(), text.size(), format, &parts);
  return {text.data(), n};
}

std::string WallTime::iso8601() const {
  const tm parts = utc_or_local(ns_, true);
  std::array<char, 32> text{};
  const std::size_t n = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  std::array<char, 16> fraction{};
  const int milliseconds = static_cast<int>(std::max<std::int64_t>(ns_, 0) / 1'000'000 % 1000);
  std::snprintf(fraction.data(), fraction.size(), ".%03dZ", milliseconds);
  return std::string(text.data(), n) + fraction.data();
}

Duration process_cpu_time() { return Duration::nanoseconds(read_clock(CLOCK_PROCESS_CPUTIME_ID)); }

Duration thread_cpu_time() { return Duration::nanoseconds(read_clock(CLOCK_THREAD_CPUTIME_ID)); }

}  // namespace loadline
