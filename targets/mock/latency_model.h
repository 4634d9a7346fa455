// How long the mock takes for an operation: a fixed time or a seeded distribution whose quantiles
// are known, so that tests can compare what was measured with the truth.
#pragma once

#include <string>

#include "base/error.h"
#include "base/rng.h"
#include "base/units.h"

namespace loadline::targets {

class LatencyModel {
 public:
  // "2ms", "250us", "uniform(1ms,5ms)", "exponential(2ms)" (the mean), "lognormal(2ms,0.5)" (median
  // and sigma of the logarithm). Error.what says what would be right.
  static Result<LatencyModel> parse(std::string_view text);
  static LatencyModel fixed(Duration d);

  Duration draw(Rng& rng) const;
  // The true quantile, for q in (0, 1).
  Duration quantile(double q) const;

 private:
  enum class Kind { fixed, uniform, exponential, lognormal };
  Kind kind_ = Kind::fixed;
  double a_ns_ = 0;  // fixed: the time; uniform: lower; exponential: mean; lognormal: median
  double b_ = 0;     // uniform: upper in ns; lognormal: sigma
};

}  // namespace loadline::targets
