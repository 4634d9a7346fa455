#include "dialects/fio/output/live_result.h"

#include <unistd.h>

#include <algorithm>
#include <array>

namespace loadline::dialects::fio::output {

namespace {

void take(const record::WorkerLoad& load, record::BlockCounters& counters) {
  counters.depth = load.depth;
  counters.submits = load.submits;
  counters.completes = load.completes;
  counters.cpu_user = load.cpu_user;
  counters.cpu_system = load.cpu_system;
  counters.context_switches = load.context_switches;
  counters.major_faults = load.major_faults;
  counters.minor_faults = load.minor_faults;
}

}  // namespace

LiveResult::LiveResult(const plan::Plan& plan) {
  constexpr std::array k_actions = {plan::Action::read, plan::Action::write, plan::Action::trim,
                                    plan::Action::sync};
  for (const plan::Stage& stage : plan.stages) {
    record::StageResult& into = result_.stages.emplace_back();
    for (const plan::Job& spec : stage.jobs) {
      record::JobResult& job = into.jobs.emplace_back();
      job.name = spec.name;
      job.window_start = spec.start_delay + spec.stop.ramp_up;
      job.block.emplace().thread_id = ::getpid();
      for (const plan::Action action : k_actions) {
        record::OpResult& op = job.ops.emplace_back();
        op.name = to_string(action);
        op.action = action;
      }
    }
  }
}

void LiveResult::add(const record::Tick& tick) {
  if (tick.stage >= result_.stages.size()) return;
  std::vector<record::JobResult>& jobs = result_.stages[tick.stage].jobs;
  const Duration end = tick.start + tick.length;
  for (std::size_t i = 0; i < std::min(jobs.size(), tick.jobs.size()); ++i) {
    record::JobResult& job = jobs[i];
    if (i < tick.loads.size()) take(tick.loads[i], *job.block);
    bool busy = false;
    for (std::size_t op = 0; op < std::min(job.ops.size(), tick.jobs[i].size()); ++op) {
      job.ops[op].stats.merge(tick.jobs[i][op]);
      busy = busy || tick.jobs[i][op].samples() > 0;
    }
    // A job that has become silent may have ended.
    if (!busy) continue;
    job.window = std::max(Duration(), end - job.window_start);
    job.block->elapsed = end;
  }
}

}  // namespace loadline::dialects::fio::output
