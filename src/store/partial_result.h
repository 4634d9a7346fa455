// What can be said of a run that left no result.json: it is still going on, or its process is gone.
// Built from the plan and the ticks, one at a time.
//
// Threads: belongs to one thread.
#pragma once

#include "plan/plan.h"
#include "record/run_result.h"
#include "store/stored_run.h"

namespace loadline::store {

class PartialResult {
 public:
  explicit PartialResult(const plan::Plan& plan);

  void add(const TickRow& row);
  // Counts and times so far, without histograms. Stages before the last one with a tick count as
  // completed, it as running. Call once.
  record::RunResult take();

 private:
  const plan::Plan& plan_;
  record::RunResult result_;
  std::size_t stages_seen_ = 0;
};

}  // namespace loadline::store
