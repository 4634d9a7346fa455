#include "report/time_series.h"

#include <algorithm>

namespace loadline::report {
namespace {

void merge(SeriesPoint& into, const SeriesPoint& next) {
  const bool into_has = into.rate_most > 0 || into.has_rate();
  const bool next_has = next.rate_most > 0 || next.has_rate();
  if (into_has && next_has) {
    into.rate_least = std::min(into.rate_least, next.rate_least);
  } else if (next_has) {
    into.rate_least = next.rate_least;
  }
  into.rate_most = std::max(into.rate_most, next.rate_most);
  into.end = std::max(into.end, next.end);
  into.measured += next.measured;
  into.successes += next.successes;
  into.failures += next.failures;
  into.outside += next.outside;
  into.bytes += next.bytes;
  into.p50 = std::max(into.p50, next.p50);
  into.p99 = std::max(into.p99, next.p99);
  into.max = std::max(into.max, next.max);
}

}  // namespace

TimeSeries::TimeSeries(Duration window_start, Duration window)
    : window_start_(window_start),
      window_end_(window.ns() > 0 ? window_start + window : Duration::max()) {
  if (window.ns() <= 0) window_start_ = Duration();
}

void TimeSeries::add(Duration start, Duration length, const store::OpTick& tick) {
  const Duration end = start + length;
  SeriesPoint point{.start = start, .end = end};
  point.measured =
      std::max(Duration(), std::min(end, window_end_) - std::max(start, window_start_));
  point.successes = tick.successes;
  point.failures = tick.failures;
  point.outside = tick.outside;
  point.bytes = tick.bytes;
  point.p50 = tick.p50;
  point.p99 = tick.p99;
  point.max = tick.max;

  const bool whole = length * 2 >= longest_tick_ && length.ns() > 0;
  if (whole && point.has_rate()) {
    point.rate_least = point.rate_most =
        Rate::of(static_cast<double>(tick.successes), point.measured).per_second();
  }
  longest_tick_ = std::max(longest_tick_, length);
  const bool room = ticks_in_last_ < ticks_per_point_;
  if (!points_.empty() && (room || !whole)) {
    // The rates of a tick that is cut short say nothing.
    const SeriesPoint before = points_.back();
    merge(points_.back(), point);
    if (!whole) {
      points_.back().rate_least = before.rate_least;
      points_.back().rate_most = before.rate_most;
    }
    ++ticks_in_last_;
    return;
  }
  points_.push_back(point);
  ticks_in_last_ = 1;
  if (points_.size() > k_points_most) halve();
}

void TimeSeries::halve() {
  // An odd number of points: the last one has only begun and goes on filling.
  static_assert(k_points_most % 2 == 0);
  for (std::size_t i = 0; i < points_.size(); i += 2) {
    points_[i / 2] = points_[i];
    if (i + 1 < points_.size()) merge(points_[i / 2], points_[i + 1]);
  }
  points_.resize((points_.size() + 1) / 2);
  ticks_per_point_ *= 2;
}

}  // namespace loadline::report
