#include "engine/block_result.h"

#include <algorithm>
#include <cerrno>

namespace loadline::engine {

BlockWorker::Report report_of_left() {
  BlockWorker::Report report;
  report.in_flight_at_end = 1;
  report.counters.stop = record::BlockStop::signal;
  report.counters.failure = {.error = ETIMEDOUT,
                             .operation = "process",
                             .text =
                                 "an operation under way did not end after the stop; the thread "
                                 "of this job was left behind"};
  return report;
}

// Measured: from the first operation to the end of the last, or to the stop where it was stopped
// and one hung until then, or the runtime that was asked for where that ended the job.
void add_block(const plan::Job& job, const BlockWorker::Report& report, Instant stage_start,
               record::JobResult& result) {
  result.in_flight_at_end = report.in_flight_at_end;
  result.client.threads = 1;
  result.client.cpu_of_threads = result.client.cpu_of_busiest = report.cpu;
  result.client.loops = report.loops;
  result.block = report.counters;
  double offered = 0;
  for (std::size_t d = 0; d < plan::k_directions; ++d) {
    if (job.block->uses[d]) offered += job.block->rate[d].operations.per_second();
  }
  result.offered = Rate::per_second(offered);
  const plan::BlockIo& block = *job.block;
  result.pauses = block.think.pause > Duration() || block.think.spin > Duration() ||
                  (!block.trace.replay.empty() && !block.trace.at_once);
  if (report.first_issued == Instant::max()) return;
  result.window_start = report.first_issued - stage_start;
  result.window = std::max(report.last_done, report.stopped) - report.first_issued;
  if (!report.by_runtime) return;
  result.window_start = report.counters.started + job.stop.ramp_up;
  result.window = std::max(job.stop.runtime, result.window);
}

}  // namespace loadline::engine
