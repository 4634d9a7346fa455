// How long the store waits before it answers: known latencies for tests of the measuring.
//
//     fixed:5            every answer 5 ms after the request has been received
//     uniform:1,9        between 1 and 9 ms
//     lognormal:5,0.5    median 5 ms, sigma 0.5: quantile q is 5 * exp(0.5 * z(q))
//     exponential:5      mean 5 ms
//
// Numbers are milliseconds and may have decimals.
//
// Threads: plain values.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "base/rng.h"
#include "base/units.h"

namespace loadline::serve {

class DelayModel {
 public:
  // No delay.
  DelayModel() = default;
  static Result<DelayModel> parse(std::string_view text);

  bool none() const { return shape_ == Shape::none; }
  Duration sample(Rng& rng) const;

 private:
  enum class Shape : std::uint8_t { none, fixed, uniform, lognormal, exponential };
  Shape shape_ = Shape::none;
  double first_ms_ = 0;
  double second_ = 0;
};

}  // namespace loadline::serve
