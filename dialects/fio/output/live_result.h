// A run so far, added up from its ticks: what a summary is made of before the run has ended.
//
// Threads: one at a time. Memory: the histograms of every job.
#pragma once

#include "plan/plan.h"
#include "record/run_result.h"
#include "record/tick.h"

namespace loadline::dialects::fio::output {

class LiveResult {
 public:
  explicit LiveResult(const plan::Plan& plan);
  void add(const record::Tick& tick);
  // What only a job's end can tell (CPU time, depths, the devices) is zero.
  const record::RunResult& result() const { return result_; }

 private:
  record::RunResult result_;
};

}  // namespace loadline::dialects::fio::output
