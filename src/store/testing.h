// Results and ticks for tests, of this folder and of those above it. Never part of the product.
#pragma once

#include <string>

#include "record/run_result.h"
#include "record/tick.h"

namespace loadline::store::testing {

// 2026-11-30T16:59:47.000Z
inline constexpr WallTime k_submitted = WallTime::from_ns(1'796'057'987'000'000'000);

// `successes` operations of 1 us, 2 us, .. and three failures.
inline record::OpStats some_stats(std::int64_t successes) {
  record::OpStats stats;
  stats.outcomes[0] = static_cast<std::uint64_t>(successes);
  stats.bytes = Bytes(static_cast<std::uint64_t>(successes) * 4096);
  for (std::int64_t i = 1; i <= successes; ++i) {
    stats.service.add(Duration::microseconds(i));
    stats.response.add(Duration::microseconds(2 * i));
    stats.first_byte.add(Duration::nanoseconds(500 * i));
    stats.submission.add(Duration::nanoseconds(100 * i));
    stats.completion.add(Duration::nanoseconds(900 * i));
  }
  for (int i = 0; i < 3; ++i) {
    const auto outcome = i < 2 ? target::Outcome::throttled : target::Outcome::timeout;
    ++stats.outcomes[static_cast<std::size_t>(outcome)];
    stats.failed.add(Duration::seconds(1 + i));
    stats.count_failure(outcome, i < 2 ? 503 : 0, "c1", "o" + std::to_string(i),
                        i < 2 ? "SlowDown" : "");
  }
  return stats;
}

inline record::BlockCounters full_block() {
  record::BlockCounters block;
  block.depth = {1, 2, 3, 4, 5, 6, 7};
  block.submits[1] = 8;
  block.completes[2] = 9;
  block.directions[0] = {Duration::seconds(3), 4, 5};
  block.sync_errors = 6;
  block.verify_errors = 7;
  block.verified = 8;
  block.end_sync = Duration::milliseconds(9);
  block.elapsed = Duration::seconds(10);
  block.started = Duration::milliseconds(11);
  block.cpu_user = Duration::milliseconds(12);
  block.cpu_system = Duration::milliseconds(13);
  block.context_switches = 14;
  block.major_faults = 15;
  block.minor_faults = 16;
  block.thread_id = 17;
  block.stop = record::BlockStop::error;
  block.failure = {5, "read", "/mnt/f", Bytes(4096), Bytes(512), "Input/output error"};
  block.mismatches = {{84, "verify", "/mnt/f", Bytes(8192), Bytes(4096), "zeros"}};
  block.remarks = {"the state was not kept"};
  block.errors = {{5, 3}, {28, 1}};
  block.latency_target = record::LatencyTargetReport{12, true};
  block.steady = record::SteadyReport{true, 0.5, -0.25, {1, 2}, {3, 4}, {5, 6}};
  block.observed = target::Observed{.device_read = Bytes(1),
                                    .device_written = Bytes(2),
                                    .cached_share = 0.75,
                                    .unwritten_share = 0.5,
                                    .holes = Bytes(3),
                                    .direct_refused = true,
                                    .depth = 4,
                                    .storage = "ext4"};
  block.laid_out = {"/mnt/f"};
  block.asked = Bytes(100);
  block.used = Bytes(50);
  block.unsynced = Bytes(7);
  return block;
}

inline record::JobResult full_job() {
  record::JobResult job{.name = "mix",
                        .label = "normal",
                        .workers = 64,
                        .target = "s3",
                        .target_says = "Server: nginx/1.22"};
  job.window = Duration::seconds(10);
  job.window_start = Duration::milliseconds(1500);
  job.in_flight_at_end = 5;
  job.oldest_in_flight = Duration::milliseconds(1250);
  job.never_issued = 6;
  job.offered = Rate::per_second(123.25);
  job.client = {.threads = 2,
                .wall = Duration::seconds(12),
                .cpu_of_threads = Duration::nanoseconds(3'123'456'789),
                .cpu_of_busiest = Duration::seconds(2),
                .loops = 12345,
                .lag_max = Duration::microseconds(77),
                .late_issues = 8};
  record::OpStats stats = some_stats(1000);
  stats.items = 9;
  stats.retries = 10;
  stats.outside = 11;
  stats.container_ops = 12;
  stats.container_failures = 13;
  job.ops.push_back({"read", "read", plan::Action::read, std::move(stats)});
  job.block = full_block();
  job.files = {{.number = 7,
                .worker = 3,
                .outcome = target::Outcome::no_space,
                .bytes = Bytes(1 << 20),
                .begin = Duration::nanoseconds(1'000'000'001),
                .open = Duration::microseconds(2),
                .transfer = Duration::seconds(3),
                .short_of_size = true,
                .detail = "No space left on device"},
               {.number = UINT64_MAX}};
  job.interfaces = {{"eth0", Bytes(1), Bytes(UINT64_MAX), 25'000}, {"lo", Bytes(2), Bytes(3)}};
  job.remarks = {"the folder /d stays"};
  job.ops.push_back({"empty", "cleanup", plan::Action::cleanup, {}});
  return job;
}

// Every field differs from its default somewhere. Its shape is its own, not that of a plan.
inline record::RunResult full_result() {
  record::RunResult result{.state = record::RunState::failed, .reason = "s2-main: too many"};
  result.submitted = k_submitted;
  result.started = k_submitted + Duration::seconds(1);
  result.ended = k_submitted + Duration::milliseconds(13'500);
  result.elapsed = Duration::milliseconds(12'500);
  result.stages.push_back({.id = "s1-delay", .name = "delay"});
  record::StageResult& stage = result.stages.emplace_back();
  stage.id = "s2-main";
  stage.name = "main";
  stage.state = record::StageState::failed;
  stage.reason = "3 of 1003 operations failed";
  stage.started = k_submitted + Duration::seconds(2);
  stage.ended = k_submitted + Duration::seconds(13);
  stage.elapsed = Duration::nanoseconds(11'000'000'001);
  stage.history = {{record::StageState::waiting, k_submitted},
                   {record::StageState::running, k_submitted + Duration::seconds(2)}};
  stage.trigger_output = "dropped\n";
  stage.jobs.push_back(full_job());
  result.verdicts = {{"too_short", record::Verdict::Level::note, "s2-main", "Run longer."},
                     {"debug_build", record::Verdict::Level::warning, "", "Built for tests."}};
  result.trigger_output = "started\n";
  result.left_behind = {"c1 (1000 objects)"};
  result.context = {{"host", "h1"}, {"kernel", "6.1"}, {"command", "loadline run \"x\""}};
  return result;
}

// The tick number `index` of a stage of one job with one operation.
inline record::Tick some_tick(std::uint32_t stage, std::uint64_t index, std::int64_t successes) {
  const auto start = Duration::seconds(static_cast<std::int64_t>(index));
  record::Tick tick{.stage = stage,
                    .index = index,
                    .start = start,
                    .length = Duration::seconds(1),
                    .ended = WallTime::now(),
                    .jobs = {}};
  tick.jobs.push_back({successes > 0 ? some_stats(successes) : record::OpStats()});
  return tick;
}

}  // namespace loadline::store::testing
