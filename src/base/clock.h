// Time. Measurements use one monotonic Clock that is handed in; tests hand in a SimClock and own
// time. Wall time only labels a run. Nothing outside src/base reads the operating system's clocks.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "base/units.h"

namespace loadline {

// Threads: all methods may be called from any thread.
class Clock {
 public:
  virtual ~Clock() = default;
  // Monotonic; never zero (a zero Instant means "never stamped").
  virtual Instant now() const = 0;
  // Returns at or after `when`; at once where it lies in the past.
  virtual void sleep_until(Instant when) const = 0;
  // True where time only moves when somebody sleeps: waiting is then done by sleep_until alone.
  virtual bool simulated() const { return false; }
};

// CLOCK_MONOTONIC.
class SteadyClock final : public Clock {
 public:
  Instant now() const override;
  void sleep_until(Instant when) const override;
};

// Stands still until somebody sleeps, then jumps. One sleeper at a time gives a deterministic run;
// with several, time is the furthest point anybody has slept to.
class SimClock final : public Clock {
 public:
  explicit SimClock(Instant start = Instant::from_ns(1'000'000'000)) : now_ns_(start.ns()) {}
  Instant now() const override { return Instant::from_ns(now_ns_.load()); }
  void sleep_until(Instant when) const override;
  bool simulated() const override { return true; }
  void advance(Duration d) { now_ns_.fetch_add(d.ns()); }

 private:
  mutable std::atomic<std::int64_t> now_ns_;
};

// Nanoseconds since 1970; a label, never a measurement.
class WallTime {
 public:
  constexpr WallTime() = default;
  static constexpr WallTime from_ns(std::int64_t ns) { return WallTime(ns); }
  static WallTime now();

  constexpr std::int64_t ns() const { return ns_; }
  constexpr WallTime operator+(Duration d) const { return WallTime(ns_ + d.ns()); }
  constexpr Duration operator-(WallTime o) const { return Duration::nanoseconds(ns_ - o.ns_); }
  constexpr auto operator<=>(const WallTime&) const = default;

  // Local time through strftime, e.g. "%Y-%m-%d %H:%M:%S".
  std::string local(const char* format) const;
  // "2026-11-30T16:59:47.123Z"
  std::string iso8601() const;

 private:
  explicit constexpr WallTime(std::int64_t ns) : ns_(ns) {}
  std::int64_t ns_ = 0;
};

// CPU time (user + system) of the whole process, and of the calling thread.
Duration process_cpu_time();
Duration thread_cpu_time();

}  // namespace loadline
