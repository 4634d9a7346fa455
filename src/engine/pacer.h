// When the operations of an open-loop job are due. The schedule is fixed in advance and never waits
// for the storage: an operation that finds no free worker keeps its intended start, so that its
// response time tells the truth (no coordinated omission).
//
// Threads: each worker thread has its own Pacer for its share of the rate.
#pragma once

#include <cstdint>

#include "base/rng.h"
#include "base/units.h"
#include "plan/plan.h"

namespace loadline::engine {

class Pacer {
 public:
  // `rate` is this thread's share; `phase` in [0, 1) shifts a constant schedule inside its first
  // gap so that several threads interleave evenly.
  Pacer(plan::Arrival arrival, Rate rate, Instant start, double phase, Rng rng)
      : poisson_(arrival == plan::Arrival::poisson),
        gap_ns_(1e9 / rate.per_second()),
        start_(start),
        offset_ns_(poisson_ ? 0 : phase * gap_ns_),
        rng_(rng) {
    if (poisson_) advance();
  }

  Instant next() const {
    return start_ + Duration::nanoseconds(static_cast<std::int64_t>(offset_ns_));
  }
  void advance() { offset_ns_ += poisson_ ? rng_.exponential() * gap_ns_ : gap_ns_; }

 private:
  bool poisson_;
  double gap_ns_;
  Instant start_;
  double offset_ns_;  // doubles hold nanoseconds of a hundred days exactly enough (< 1 ns)
  Rng rng_;
};

}  // namespace loadline::engine
