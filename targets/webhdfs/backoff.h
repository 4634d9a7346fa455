// How long to wait before another attempt, and what must not show in a failure's words. Shared by
// the sessions that wait on many operations and the calls that are waited for.
//
// Threads: functions are pure; an Attempts belongs to one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/rng.h"
#include "base/secret.h"
#include "base/units.h"
#include "targets/webhdfs/outcome.h"

namespace loadline::targets::webhdfs {

inline constexpr Duration k_retry_first = Duration::milliseconds(50);
inline constexpr Duration k_retry_most = Duration::seconds(5);
inline constexpr std::size_t k_secret_least = 4;

// Before attempt `attempt` (1: the first after the original): twice as long each time, half of it
// at random so that workers do not march in step.
inline Duration pause_before(std::uint16_t attempt, Rng& rng) {
  const int doublings = std::min<int>(attempt - 1, 10);
  const Duration pause = std::min(k_retry_first * (1LL << doublings), k_retry_most);
  return Duration::from_seconds(pause.as_seconds() * (0.5 + rng.unit() / 2));
}

// The attempts of one operation that is waited for.
class Attempts {
 public:
  Attempts(std::uint16_t most, const Clock& clock, Rng& rng)
      : most_(most), clock_(clock), rng_(rng) {}

  // Sleeps and returns true where another attempt may help and is allowed.
  bool another(target::Outcome outcome) {
    if (made_ >= most_ || !worth_retrying(outcome)) return false;
    ++made_;
    clock_.sleep_until(clock_.now() + pause_before(made_, rng_));
    return true;
  }
  std::uint16_t made() const { return made_; }

 private:
  std::uint16_t most_;
  std::uint16_t made_ = 0;  // after the first
  const Clock& clock_;
  Rng& rng_;
};

// The text without the secret, which a server may repeat. One of a letter or two is a placeholder
// that would be found in every word.
inline std::string without_secret(std::string text, const Secret& secret) {
  const std::string_view hidden = secret.reveal();
  if (hidden.size() < k_secret_least) return text;
  for (std::size_t at = 0; (at = text.find(hidden, at)) != std::string::npos;) {
    text.replace(at, hidden.size(), Secret::k_mask);
    at += Secret::k_mask.size();
  }
  return text;
}

}  // namespace loadline::targets::webhdfs
