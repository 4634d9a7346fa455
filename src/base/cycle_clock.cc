#include "base/cycle_clock.h"

#include <algorithm>
#include <fstream>
#include <string>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace loadline {
namespace {

constexpr std::int64_t k_first_look_ns = 2'000'000;  // then the rate is known to a few in 10^5
constexpr std::int64_t k_steer_ns = 50'000'000;
constexpr std::int64_t k_step_ns = 1'000'000;  // further ahead than this, time has jumped

constexpr int k_looks = 4;  // at both clocks, of which the closest counts

__extension__ using Wide = unsigned __int128;

#if defined(__x86_64__)
std::uint64_t read_cycles() { return __rdtsc(); }

// Invariant: one rate whatever the power state (Intel SDM 3B 18.17, AMD APM 2 "Time-Stamp
// Counter"); and synchronous over the cores, which the kernel has found out for us.
bool can_count() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (__get_cpuid(0x80000007, &a, &b, &c, &d) == 0 || (d & (1U << 8)) == 0) return false;
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string source;
  return static_cast<bool>(file >> source) && source == "tsc";
}
#else
std::uint64_t read_cycles() { return 0; }
bool can_count() { return false; }
#endif

std::uint64_t rate_of(std::int64_t ns, std::uint64_t cycles) {
  return static_cast<std::uint64_t>((static_cast<Wide>(ns) << 32) / cycles);
}

std::int64_t ns_of(std::uint64_t cycles, std::uint64_t rate) {
  return static_cast<std::int64_t>((static_cast<Wide>(cycles) * rate) >> 32);
}

struct Pair {
  std::uint64_t cycles = 0;
  std::int64_t ns = 0;
};

// Both clocks at one moment. The thread may be put aside between two readings, so the closest of a
// few looks is taken.
Pair look_at_both(const SteadyClock& system) {
  Pair best;
  std::uint64_t narrowest = UINT64_MAX;
  for (int i = 0; i < k_looks; ++i) {
    const std::uint64_t before = read_cycles();
    const std::int64_t ns = system.now().ns();
    const std::uint64_t width = read_cycles() - before;
    if (width < narrowest) {
      narrowest = width;
      best = {.cycles = before + width / 2, .ns = ns};
    }
  }
  return best;
}

}  // namespace

CycleClock::CycleClock() : usable_(can_count()) {
  const Pair first = look_at_both(system_);
  first_ns_ = first.ns;
  first_cycles_ = first.cycles;
}

Instant CycleClock::now() const {
  if (!usable_) return system_.now();
  const std::uint64_t version = anchor_.version.load(std::memory_order_acquire);
  const std::uint64_t cycles = anchor_.cycles.load(std::memory_order_acquire);
  const std::uint64_t cycles_max = anchor_.cycles_max.load(std::memory_order_acquire);
  const std::int64_t ns = anchor_.ns.load(std::memory_order_acquire);
  const std::uint64_t rate = anchor_.rate.load(std::memory_order_acquire);
  if (version == anchor_.version.load(std::memory_order_relaxed) && (version & 1) == 0) [[likely]] {
    // Another core's counter may be a few cycles behind the anchor's.
    const std::uint64_t counted = read_cycles();
    const std::uint64_t since = counted > cycles ? counted - cycles : 0;
    if (since < cycles_max) [[likely]]
      return Instant::from_ns(ns + ns_of(since, rate));
  }
  return anchor_again();
}

// One thread steers; whoever comes meanwhile waits for it, so that no two disagree.
Instant CycleClock::anchor_again() const {
  const std::scoped_lock lock(steering_);
  const std::uint64_t old_cycles = anchor_.cycles.load(std::memory_order_relaxed);
  const std::uint64_t old_max = anchor_.cycles_max.load(std::memory_order_relaxed);
  const std::int64_t old_ns = anchor_.ns.load(std::memory_order_relaxed);
  const std::uint64_t old_rate = anchor_.rate.load(std::memory_order_relaxed);
  const std::uint64_t counted = read_cycles();
  const std::uint64_t since = counted > old_cycles ? counted - old_cycles : 0;
  if (since < old_max) return Instant::from_ns(old_ns + ns_of(since, old_rate));

  const auto [middle, measured] = look_at_both(system_);
  const std::int64_t predicted = old_ns + ns_of(middle - old_cycles, old_rate);
  if (measured - first_ns_ < k_first_look_ns) return Instant::from_ns(measured);
  const std::uint64_t true_rate = rate_of(measured - first_ns_, middle - first_cycles_);
  if (old_max == 0 || measured - predicted > k_step_ns) {
    // The first anchor must not lie before a reading that was handed out: those were measured.
    set_anchor(middle, measured, true_rate);
    return Instant::from_ns(measured);
  }
  // Go on from where readings are, at the rate that meets the measured time at the next look.
  const std::int64_t error = std::max(measured - predicted, -k_steer_ns / 2);
  const std::int64_t span = k_steer_ns + error;
  const auto rate = static_cast<std::uint64_t>(static_cast<Wide>(true_rate) *
                                               static_cast<std::uint64_t>(span) / k_steer_ns);
  set_anchor(middle, predicted, rate);
  return Instant::from_ns(predicted);
}

// Release and acquire on the fields themselves order them between the two looks at the version.
void CycleClock::set_anchor(std::uint64_t cycles, std::int64_t ns, std::uint64_t rate) const {
  const std::uint64_t version = anchor_.version.load(std::memory_order_relaxed);
  anchor_.version.store(version + 1, std::memory_order_relaxed);
  anchor_.cycles.store(cycles, std::memory_order_release);
  anchor_.ns.store(ns, std::memory_order_release);
  anchor_.rate.store(rate, std::memory_order_release);
  anchor_.cycles_max.store(static_cast<std::uint64_t>((static_cast<Wide>(k_steer_ns) << 32) / rate),
                           std::memory_order_relaxed);
  anchor_.version.store(version + 2, std::memory_order_release);
}

}  // namespace loadline
