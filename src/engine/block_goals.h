// Rules that end a job on blocks by what it measures: the steady state, and the search for the
// depth that keeps a latency.
//
// Threads: belong to one thread.
#pragma once

#include <cstdint>

#include "base/units.h"
#include "plan/block_io.h"
#include "record/block_counters.h"

namespace loadline::engine {

// One row an interval; the rule looks at the last window of them. Deviation: the largest distance
// from the mean. Slope: of the least-squares line, a row as unit. Both in percent of the mean where
// the limit is.
class SteadyState {
 public:
  explicit SteadyState(const plan::SteadyRule& rule);

  // What happened in an interval of this length. True where the state is reached.
  bool add(std::uint64_t operations, std::uint64_t bytes, std::uint64_t latency_ns,
           Duration length);
  const record::SteadyReport& report() const { return report_; }

 private:
  const plan::SteadyRule& rule_;
  std::size_t rows_;
  record::SteadyReport report_;
};

// Windows of fixed length: the depth doubles while the share of operations within the limit is
// kept, then the gap is halved until it is known to one.
class DepthSearch {
 public:
  DepthSearch(const plan::LatencyTarget& target, std::uint32_t depth_max);

  std::uint32_t depth() const { return depth_; }
  void count(Duration latency) {
    ++operations_;
    if (latency > target_.limit) ++over_;
  }
  // The window is over. True where the search is.
  bool end_window();
  record::LatencyTargetReport report() const { return {.depth = good_, .found = good_ > 0}; }

 private:
  const plan::LatencyTarget& target_;
  std::uint32_t depth_max_;
  std::uint32_t depth_ = 1;
  std::uint32_t good_ = 0;  // the highest that kept it
  std::uint32_t bad_ = 0;   // the lowest that did not; zero: none yet
  std::uint64_t operations_ = 0;
  std::uint64_t over_ = 0;
};

}  // namespace loadline::engine
