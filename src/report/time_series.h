// The ticks of one operation as points of a chart: at most k_points_most, however long the run was.
// A point that stands for several ticks keeps what must not get lost: counts are added up, rates
// keep their smallest and largest tick, latencies their largest. Percentiles are never averaged.
//
// Threads: a plain value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/units.h"
#include "store/stored_run.h"

namespace loadline::report {

struct SeriesPoint {
  Duration start{};
  Duration end{};
  Duration measured{};  // the part of it inside the job's window
  std::uint64_t successes = 0;
  std::uint64_t failures = 0;
  std::uint64_t outside = 0;
  Bytes bytes{};
  double rate_least = 0;  // successes per second of the slowest whole tick; 0 where there was none
  double rate_most = 0;
  Duration p50{};  // the largest of its ticks; zero where nothing succeeded
  Duration p99{};
  Duration max{};

  Duration length() const { return end - start; }
  // Whether enough of it was measured to give a rate.
  bool has_rate() const { return measured.ns() > 0 && measured * 4 >= length(); }
};

class TimeSeries {
 public:
  // The job's window since the stage's start; all of the stage where it is not known (zero length).
  TimeSeries(Duration window_start, Duration window);

  // In order. A tick much shorter than those before (the last one of a stage) joins the point
  // before it.
  void add(Duration start, Duration length, const store::OpTick& tick);

  const std::vector<SeriesPoint>& points() const { return points_; }
  std::uint64_t ticks_per_point() const { return ticks_per_point_; }

  static constexpr std::size_t k_points_most = 600;

 private:
  void halve();

  Duration window_start_;
  Duration window_end_;
  std::vector<SeriesPoint> points_;
  std::uint64_t ticks_per_point_ = 1;
  std::uint64_t ticks_in_last_ = 0;
  Duration longest_tick_;
};

}  // namespace loadline::report
