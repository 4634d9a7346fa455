#include "engine/job_times.h"

#include <algorithm>

namespace loadline::engine {

Duration window_of(const plan::StopRule& stop, const JobTimes& times, record::JobResult& result) {
  const auto [start, first, last, end] = times;
  const bool measured = first != Instant::max();
  if (stop.runtime == Duration()) {
    if (!measured) return {};
    result.window_start = first - start;
    return last - first;
  }
  const Instant begin = start + stop.ramp_up;
  result.window_start = stop.ramp_up;
  // Paced operations count where they were due: rates cover the time that all of them took.
  if (result.offered.per_second() > 0 && last > begin + stop.runtime) return last - begin;
  if (end >= begin + stop.runtime) return stop.runtime;
  return measured && last > begin ? last - begin : Duration();
}

void add_load(const Worker::Report& report, record::JobResult& result) {
  result.in_flight_at_end += report.in_flight_at_end;
  result.oldest_in_flight = std::max(result.oldest_in_flight, report.oldest_in_flight);
  result.never_issued += report.never_issued;
  result.client.threads += 1;
  result.client.cpu_of_threads += report.cpu;
  result.client.cpu_of_busiest = std::max(result.client.cpu_of_busiest, report.cpu);
  result.client.loops += report.loops;
  result.client.lag_max = std::max(result.client.lag_max, report.lag_max);
  result.client.late_issues += report.late_issues;
}

}  // namespace loadline::engine
