#include "store/partial_result.h"

#include <algorithm>
#include <utility>

#include "plan/result_operations.h"

namespace loadline::store {
namespace {

record::JobResult job_of(const plan::Job& job) {
  record::JobResult result{.name = job.name,
                           .label = job.label,
                           .workers = job.workers,
                           .target = job.target.type,
                           .target_says = {}};
  result.window_start = job.stop.ramp_up;
  result.offered = job.pace.rate;
  for (const plan::ResultOperation& op : plan::result_operations(job)) {
    result.ops.push_back({.name = op.name, .label = op.label, .action = op.action, .stats = {}});
  }
  return result;
}

void add(const OpTick& tick, record::OpStats& stats) {
  for (std::size_t i = 0; i < tick.outcomes.size(); ++i) stats.outcomes[i] += tick.outcomes[i];
  stats.bytes += tick.bytes;
  stats.outside += tick.outside;
}

// As much of the measured window as has passed.
Duration window_of(const plan::StopRule& stop, Duration elapsed) {
  const Duration past_ramp = std::max(elapsed - stop.ramp_up, Duration());
  return stop.runtime > Duration() ? std::min(past_ramp, stop.runtime) : past_ramp;
}

}  // namespace

PartialResult::PartialResult(const plan::Plan& plan) : plan_(plan) {
  for (const plan::Stage& stage : plan.stages) {
    record::StageResult& result = result_.stages.emplace_back();
    result.id = stage.id;
    result.name = stage.name;
    for (const plan::Job& job : stage.jobs) result.jobs.push_back(job_of(job));
  }
}

void PartialResult::add(const TickRow& row) {
  if (row.stage >= result_.stages.size()) return;
  record::StageResult& stage = result_.stages[row.stage];
  stages_seen_ = std::max<std::size_t>(stages_seen_, row.stage + 1);
  stage.elapsed = std::max(stage.elapsed, row.start + row.length);
  stage.ended = row.ended;
  if (stage.started == WallTime()) {
    stage.started = WallTime::from_ns((row.ended - WallTime()).ns() - stage.elapsed.ns());
    if (result_.started == WallTime()) result_.started = stage.started;
  }
  result_.elapsed = row.ended - result_.started;
  for (std::size_t job = 0; job < std::min(row.jobs.size(), stage.jobs.size()); ++job) {
    std::vector<record::OpResult>& ops = stage.jobs[job].ops;
    for (std::size_t op = 0; op < std::min(row.jobs[job].size(), ops.size()); ++op) {
      store::add(row.jobs[job][op], ops[op].stats);
    }
  }
}

record::RunResult PartialResult::take() {
  for (std::size_t i = 0; i < stages_seen_; ++i) {
    record::StageResult& stage = result_.stages[i];
    const bool last = i + 1 == stages_seen_;
    stage.state = last ? record::StageState::running : record::StageState::completed;
    if (last) stage.ended = WallTime();
    for (std::size_t job = 0; job < stage.jobs.size(); ++job) {
      stage.jobs[job].window = window_of(plan_.stages[i].jobs[job].stop, stage.elapsed);
    }
  }
  return std::move(result_);
}

}  // namespace loadline::store
