#include "engine/client_load.h"

#include <algorithm>

namespace loadline::engine {

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
