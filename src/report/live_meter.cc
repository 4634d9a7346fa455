#include "report/live_meter.h"

#include <algorithm>

#include "plan/result_operations.h"

namespace loadline::report {
namespace {

std::uint64_t numbers_of(const plan::NameSpec& name) {
  if (!name.index) return 0;
  return static_cast<std::uint64_t>(name.index->upper - name.index->lower) + 1;
}

// Objects that one pass of a walk touches; 0 where it touches containers alone.
std::uint64_t walked_by(const plan::OpSpec& op) {
  return numbers_of(op.object) * std::max<std::uint64_t>(1, numbers_of(op.container));
}

std::uint64_t quota_of(const plan::Job& job) {
  if (job.stop.total_operations.count() > 0) return job.stop.total_operations.count();
  if (!job.stop.one_pass) return 0;
  std::uint64_t sum = 0;
  for (const plan::OpSpec& op : job.ops) {
    if (plan::is_walk(op.action)) sum += walked_by(op);
  }
  return sum;
}

}  // namespace

StageLimits limits_of(const plan::Stage& stage) {
  if (stage.jobs.empty()) return {.expected = stage.delay_after};
  StageLimits limits;
  bool all_timed = true;
  bool all_counted = true;
  for (const plan::Job& job : stage.jobs) {
    const bool timed = job.stop.runtime.ns() > 0;
    all_timed = all_timed && timed;
    if (timed) {
      limits.expected =
          std::max(limits.expected, job.stop.ramp_up + job.stop.runtime + job.stop.ramp_down);
    }
    const std::uint64_t quota = quota_of(job);
    all_counted = all_counted && quota > 0;
    limits.quota += quota;
  }
  if (!all_timed) limits.expected = Duration();
  if (!all_counted) limits.quota = 0;
  return limits;
}

LiveMeter::LiveMeter(const plan::Plan& plan) : plan_(plan) {
  if (!plan.stages.empty()) begin_stage(0);
}

void LiveMeter::begin_stage(std::uint32_t stage) {
  stage_ = stage;
  recent_ = Duration();
  const plan::Stage& spec = plan_.stages.at(stage);
  const StageLimits limits = limits_of(spec);
  shown_ = {.stage = stage + std::size_t{1},
            .stages = plan_.stages.size(),
            .stage_name = spec.id,
            .sleeping = spec.jobs.empty(),
            .expected = limits.expected,
            .quota = limits.quota};
  jobs_.clear();
  for (const plan::Job& job : spec.jobs) {
    const std::vector<plan::ResultOperation> ops = plan::result_operations(job);
    jobs_.emplace_back(ops.size());
    for (const plan::ResultOperation& op : ops) {
      shown_.ops.push_back({.name = spec.jobs.size() > 1 ? job.name + " " + op.name : op.name});
    }
  }
}

void LiveMeter::consume(const record::Tick& tick) {
  const std::scoped_lock lock(mutex_);
  if (tick.stage < stage_) return;
  if (tick.stage > stage_) begin_stage(tick.stage);
  recent_ += tick.length;
  for (std::size_t j = 0; j < std::min(jobs_.size(), tick.jobs.size()); ++j) {
    for (std::size_t o = 0; o < std::min(jobs_[j].size(), tick.jobs[j].size()); ++o) {
      const record::OpStats& stats = tick.jobs[j][o];
      Op& op = jobs_[j][o];
      op.recent.merge(stats);
      op.samples += stats.samples();
      op.failed += stats.failure_count();
    }
  }
}

LiveView LiveMeter::view(std::uint32_t stage, Duration elapsed) {
  const std::scoped_lock lock(mutex_);
  if (stage > stage_) begin_stage(stage);
  shown_.elapsed = elapsed;
  if (recent_.ns() > 0) refresh();
  return shown_;
}

void LiveMeter::refresh() {
  shown_.recent = recent_;
  shown_.done = 0;
  std::size_t row = 0;
  for (std::vector<Op>& job : jobs_) {
    for (Op& op : job) {
      LiveOp& to = shown_.ops[row++];
      to.recent_ok = op.recent.successes();
      to.recent_failed = op.recent.failure_count();
      to.recent_bytes = op.recent.bytes;
      to.recent_p50 = op.recent.latency().quantile(5'000'000);
      to.recent_p99 = op.recent.latency().quantile(9'900'000);
      to.failed = op.failed;
      shown_.done += op.samples;
      op.recent.clear();
    }
  }
  recent_ = Duration();
}

}  // namespace loadline::report
