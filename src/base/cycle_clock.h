// CLOCK_MONOTONIC, read from the processor's own counter: about half the price of the system call's
// fast path, which a worker pays twice an operation.
//
// Only where the counter runs at one rate on all cores and through all sleep states and the kernel
// itself keeps time by it; elsewhere, and for the first milliseconds, each reading is
// CLOCK_MONOTONIC itself. The rate is measured against CLOCK_MONOTONIC all along, every 50 ms, and
// steered so that the two stay within microseconds; a reading is never smaller than one before.
// docs/decisions/004-clock.md has the reasons.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "base/clock.h"

namespace loadline {

class CycleClock final : public Clock {
 public:
  CycleClock();
  Instant now() const override;
  void sleep_until(Instant when) const override { system_.sleep_until(when); }

  // Whether readings come from the counter.
  bool counting() const { return anchor_.cycles_max.load(std::memory_order_relaxed) > 0; }

 private:
  // time = ns + (cycles since `cycles`) * rate / 2^32, for `cycles_max` cycles. Guarded by
  // `version`, which is odd while it changes (a sequence lock).
  struct Anchor {
    std::atomic<std::uint64_t> version = 0;
    std::atomic<std::uint64_t> cycles = 0;
    std::atomic<std::uint64_t> cycles_max = 0;
    std::atomic<std::int64_t> ns = 0;
    std::atomic<std::uint64_t> rate = 0;
  };
  Instant anchor_again() const;
  void set_anchor(std::uint64_t cycles, std::int64_t ns, std::uint64_t rate) const;

  SteadyClock system_;
  bool usable_;
  // What measuring the rate is about: where it began.
  std::uint64_t first_cycles_ = 0;
  std::int64_t first_ns_ = 0;
  mutable Anchor anchor_;
  mutable std::mutex steering_;
};

}  // namespace loadline
