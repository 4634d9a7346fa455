// Rates, think time, limits of latency, the steady state, and when writes are made durable.
#include <fcntl.h>

#include "dialects/fio/planning/parts.h"

namespace loadline::dialects::fio {
namespace {

Rate per_second(std::uint64_t count) { return Rate::per_second(static_cast<double>(count)); }

void put_syncs(const JobOptions& job, plan::BlockIo& block) {
  if (job.fsync > 0) block.syncs.push_back({.kind = plan::SyncKind::fsync, .every = job.fsync});
  if (job.fdatasync > 0) {
    block.syncs.push_back({.kind = plan::SyncKind::fdatasync, .every = job.fdatasync});
  }
  const SyncFileRange& range = job.sync_file_range;
  if (range.every > 0) {
    const unsigned flags = (range.wait_before ? SYNC_FILE_RANGE_WAIT_BEFORE : 0U) |
                           (range.write ? SYNC_FILE_RANGE_WRITE : 0U) |
                           (range.wait_after ? SYNC_FILE_RANGE_WAIT_AFTER : 0U);
    block.syncs.push_back(
        {.kind = plan::SyncKind::range, .every = range.every, .range_flags = flags});
  }
  block.sync_at_end = job.end_fsync;
  block.sync_on_close = job.fsync_on_close;
}

plan::SteadyRule::Of value_of(SteadyState::Value value) {
  switch (value) {
    case SteadyState::Value::iops: return plan::SteadyRule::Of::iops;
    case SteadyState::Value::bandwidth: return plan::SteadyRule::Of::bandwidth;
    case SteadyState::Value::latency: return plan::SteadyRule::Of::latency;
  }
  return plan::SteadyRule::Of::iops;
}

void put_steady(const ReportOptions& job, plan::BlockIo& block) {
  if (job.steadystate_duration == Duration()) return;
  // fio's own rule where only its duration was given.
  const SteadyState rule =
      job.steadystate.value_or(SteadyState{.slope = true, .percent = true, .limit = 0.01});
  block.steady = plan::SteadyRule{.of = value_of(rule.value),
                                  .slope = rule.slope,
                                  .limit = rule.limit,
                                  .limit_is_percent = rule.percent,
                                  .window = job.steadystate_duration,
                                  .ramp = job.steadystate_ramp,
                                  .interval = job.steadystate_interval};
}

}  // namespace

void put_pace(const Clone& clone, plan::BlockIo& block, Findings&) {
  const JobOptions& job = clone.job;
  for (const Direction d : k_directions) {
    const auto i = static_cast<std::size_t>(d);
    block.rate[i] = {.operations = per_second(job.rate_iops[d]),
                     .bytes = per_second(job.rate[d].count()),
                     .operations_min = per_second(job.rate_iops_min[d]),
                     .bytes_min = per_second(job.rate_min[d].count())};
    block.latency_max[i] = job.max_latency[d];
  }
  block.poisson = job.rate_process == RateProcess::poisson;
  block.rate_cycle = job.rate_cycle;
  block.think = {.pause = job.thinktime,
                 .spin = job.thinktime_spin,
                 .every = job.thinktime_blocks,
                 .counted_on_issue = job.thinktime_blocks_type == ThinktimeBlocks::issue,
                 .io_time = job.thinktime_iotime,
                 .moves_rate = job.rate_ignore_thinktime};
  if (job.latency_target > Duration()) {
    block.latency_target = plan::LatencyTarget{
        .limit = job.latency_target,
        .window = job.latency_window > Duration() ? job.latency_window : Duration::seconds(1),
        .percentile = job.latency_percentile,
        .keep_running = job.latency_run};
  }
  put_steady(job, block);
  put_syncs(job, block);
}

}  // namespace loadline::dialects::fio
