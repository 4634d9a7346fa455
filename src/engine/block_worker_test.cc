#include "engine/block_worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <set>

#include "engine/fake_block_target.h"
#include "engine/stage.h"

namespace loadline::engine {
namespace {

using plan::Placement;
using record::BlockStop;
using target::OpKind;
using target::Outcome;
using testing::BlockAnswer;
using ::testing::ElementsAre;
using testing::FakeBlockTarget;
using ::testing::HasSubstr;
using testing::LoggedBlock;

constexpr std::uint64_t k_mib = 1 << 20;

class TickSum final : public record::TickSink {
 public:
  void consume(const record::Tick& tick) override {
    for (const auto& job : tick.jobs) {
      for (const record::OpStats& op : job) samples += op.samples();
    }
  }
  std::uint64_t samples = 0;
};

class BlockTest : public ::testing::Test {
 protected:
  static plan::Job job_of(Placement placement, bool reads, bool writes, std::uint64_t size) {
    plan::BlockIo io;
    io.files = {{"f", Bytes(size)}};
    io.uses = {reads, writes, false};
    for (auto& order : io.order) order.placement = placement;
    return {.name = "a", .target = {.type = "fake", .parameters = {}}, .block = io};
  }
  static plan::Job sequential_reads(std::uint64_t size) {
    return job_of(Placement::sequential, true, false, size);
  }

  StageOutcome run_all(std::vector<plan::Job> jobs) {
    stage_ = {.id = "s1", .name = "s", .jobs = std::move(jobs)};
    StageOptions options{.stage = &stage_,
                         .content = &content_,
                         .clock = &clock_,
                         .seed = 11,
                         .stop = stop_.get_token(),
                         .ticks = &ticks_};
    options.targets.assign(stage_.jobs.size(), &target_);
    auto outcome = run_stage(options);
    EXPECT_TRUE(outcome.has_value());
    return *outcome;
  }
  record::JobResult run(const plan::Job& job) { return run_all({job}).jobs[0]; }

  static std::uint64_t done(const record::JobResult& result, std::size_t op) {
    return result.ops[op].stats.successes();
  }
  static std::set<std::uint64_t> offsets_of(const std::vector<LoggedBlock>& log) {
    std::set<std::uint64_t> offsets;
    for (const LoggedBlock& op : log) offsets.insert(op.offset);
    return offsets;
  }

  SimClock clock_;
  FakeBlockTarget target_;
  ContentPool content_{1};
  TickSum ticks_;
  std::stop_source stop_;
  plan::Stage stage_;
};

TEST_F(BlockTest, reads_a_file_once_and_counts_what_it_did) {
  const record::JobResult result = run(sequential_reads(k_mib));
  EXPECT_EQ(done(result, 0), 256U);
  EXPECT_EQ(result.ops[0].name, "read");
  EXPECT_EQ(result.ops[0].stats.bytes, Bytes(k_mib));
  EXPECT_EQ(result.ops[0].stats.service.mean(), Duration::microseconds(100));
  EXPECT_EQ(result.window, Duration::microseconds(25'600));
  const record::BlockCounters& block = *result.block;
  EXPECT_EQ(block.stop, BlockStop::size);
  EXPECT_EQ(block.directions[0].runtime, Duration::microseconds(25'600));
  EXPECT_EQ(block.depth[0], 256U);
  EXPECT_EQ(block.failure.error, 0);
  EXPECT_EQ(ticks_.samples, 256U);
}

TEST_F(BlockTest, writes_at_random_at_depth_cover_each_block_once) {
  target_.blocking = false;
  plan::Job job = job_of(Placement::random, false, true, k_mib);
  job.workers = 8;
  const record::JobResult result = run(job);
  EXPECT_EQ(done(result, 1), 256U);
  EXPECT_EQ(offsets_of(target_.log()).size(), 256U);
  EXPECT_EQ(result.window, Duration::microseconds(3200));
  const record::OpStats& stats = result.ops[1].stats;
  EXPECT_EQ(stats.submission.count(), 256U);
  EXPECT_EQ(stats.completion.count(), 256U);
  EXPECT_EQ(stats.service.mean(), Duration::microseconds(100));
  EXPECT_EQ(result.block->depth[3], 125U);  // two end and begin together, the first eight apart
}

TEST_F(BlockTest, mixes_reads_and_writes_by_share) {
  plan::Job job = job_of(Placement::random, true, true, 40 * k_mib);
  job.block->read_percent = 70;
  const record::JobResult result = run(job);
  EXPECT_EQ(done(result, 0) + done(result, 1), 10'240U);
  EXPECT_NEAR(static_cast<double>(done(result, 0)), 7168, 200);
  EXPECT_EQ(offsets_of(target_.log()).size(), 10'240U);
}

TEST_F(BlockTest, moves_the_amount_that_is_asked_for) {
  plan::Job job = sequential_reads(64 * 1024);
  job.block->amount.bytes = Bytes(96 * 1024);
  EXPECT_EQ(done(run(job), 0), 24U);
  job.block->amount = {};
  job.block->loops = 3;
  EXPECT_EQ(done(run(job), 0), 48U);
  job.block->operations = 20;
  const record::JobResult result = run(job);
  EXPECT_EQ(done(result, 0), 20U);
  EXPECT_EQ(result.block->stop, BlockStop::operations);
}

TEST_F(BlockTest, goes_round_until_its_time_is_over) {
  plan::Job job = sequential_reads(64 * 1024);
  job.block->time_based = true;
  job.stop.ramp_up = Duration::seconds(1);
  job.stop.runtime = Duration::seconds(2);
  const record::JobResult result = run(job);
  EXPECT_EQ(result.block->stop, BlockStop::runtime);
  EXPECT_EQ(result.window, Duration::seconds(2));
  EXPECT_EQ(result.window_start, Duration::seconds(1));
  EXPECT_NEAR(static_cast<double>(done(result, 0)), 20'000, 2);
  EXPECT_NEAR(static_cast<double>(result.ops[0].stats.outside), 10'000, 2);
}

TEST_F(BlockTest, what_is_moved_in_the_ramp_is_no_part_of_the_amount) {
  plan::Job job = sequential_reads(64 * k_mib);
  job.block->amount.bytes = Bytes(4 * k_mib);
  job.stop.ramp_up = Duration::milliseconds(50);
  const record::JobResult result = run(job);
  EXPECT_NEAR(static_cast<double>(done(result, 0)), 1024, 1);
}

TEST_F(BlockTest, keeps_a_rate_and_tells_the_response_time) {
  plan::Job job = sequential_reads(64 * k_mib);
  job.block->rate[0].operations = Rate::per_second(1000);
  job.block->operations = 2000;
  // Half a second without an answer.
  target_.latency = [n = 0](const LoggedBlock&) mutable {
    return ++n == 1000 ? Duration::milliseconds(500) : Duration::microseconds(100);
  };
  const record::JobResult result = run(job);
  EXPECT_NEAR(result.window.as_seconds(), 2.0, 0.01);
  const record::OpStats& stats = result.ops[0].stats;
  EXPECT_EQ(stats.response.count(), 2000U);
  EXPECT_LT(stats.service.quantile(9'900'000), Duration::milliseconds(1));
  EXPECT_GT(stats.response.quantile(8'500'000), Duration::milliseconds(100));
}

TEST_F(BlockTest, keeps_the_rate_of_each_direction_of_a_mix) {
  for (const bool poisson : {false, true}) {
    plan::Job job = job_of(Placement::random, true, true, 64 * k_mib);
    job.block->time_based = true;
    job.block->poisson = poisson;
    job.block->rate[0].operations = Rate::per_second(300);
    job.block->rate[1].bytes = Rate::per_second(4096 * 100);
    job.stop.runtime = Duration::seconds(50);
    const record::JobResult result = run(job);
    EXPECT_NEAR(static_cast<double>(done(result, 0)), 15'000, poisson ? 500 : 10) << poisson;
    EXPECT_NEAR(static_cast<double>(done(result, 1)), 5000, poisson ? 300 : 10) << poisson;
  }
}

TEST_F(BlockTest, fails_below_the_least_rate) {
  plan::Job job = sequential_reads(64 * k_mib);
  job.block->rate[0].operations_min = Rate::per_second(20'000);
  const record::JobResult result = run(job);
  EXPECT_EQ(result.block->stop, BlockStop::error);
  EXPECT_EQ(result.block->failure.error, EIO);
  EXPECT_THAT(result.block->failure.text, HasSubstr("least rate 20000 IOPS not met, got 1"));
  EXPECT_GT(done(result, 0), 9000U);
}

TEST_F(BlockTest, fails_above_the_highest_latency) {
  target_.latency = [n = 0](const LoggedBlock&) mutable {
    return Duration::microseconds(++n == 50 ? 5000 : 100);
  };
  plan::Job job = sequential_reads(k_mib);
  job.block->latency_max[0] = Duration::milliseconds(1);
  const record::JobResult result = run(job);
  EXPECT_EQ(result.block->failure.error, ETIMEDOUT);
  EXPECT_EQ(done(result, 0), 50U);
}

TEST_F(BlockTest, thinks_between_blocks) {
  plan::Job job = sequential_reads(64 * 1024);
  job.block->think = {.pause = Duration::milliseconds(10), .every = 4};
  const record::JobResult result = run(job);
  EXPECT_EQ(done(result, 0), 16U);
  EXPECT_EQ(result.window, Duration::microseconds(31'600));
}

TEST_F(BlockTest, syncs_after_so_many_writes_and_at_the_end) {
  plan::Job job = job_of(Placement::sequential, false, true, 64 * 1024);
  job.block->syncs = {{plan::SyncKind::fdatasync, 4, 0}};
  job.block->sync_at_end = true;
  target_.latency = [](const LoggedBlock& op) {
    return Duration::microseconds(op.kind == OpKind::write ? 100 : 1000);
  };
  const record::JobResult result = run(job);
  EXPECT_EQ(done(result, 1), 16U);
  EXPECT_EQ(done(result, 3), 3U);  // none is due before a write that does not come
  EXPECT_EQ(target_.log_of(OpKind::sync_data).size(), 3U);
  EXPECT_EQ(target_.log_of(OpKind::sync).size(), 1U);
  EXPECT_EQ(result.block->end_sync, Duration::milliseconds(1));
  EXPECT_EQ(result.block->directions[1].runtime, Duration::microseconds(1600 + 3000 + 1000));
  EXPECT_EQ(result.ops[1].stats.service.max(), Duration::microseconds(100));
}

TEST_F(BlockTest, a_failure_ends_its_job_and_no_other) {
  target_.script = [](const LoggedBlock& op) {
    const bool bad = op.file == "f" && op.offset == 40'960;
    return bad ? BlockAnswer{.outcome = Outcome::io_error, .status = EIO} : BlockAnswer{};
  };
  plan::Job bad = sequential_reads(k_mib);
  plan::Job good = sequential_reads(k_mib);
  good.name = "b";
  good.block->files[0].path = "g";
  const StageOutcome outcome = run_all({bad, good});
  EXPECT_FALSE(outcome.given_up);
  const record::BlockCounters& block = *outcome.jobs[0].block;
  EXPECT_EQ(block.stop, BlockStop::error);
  EXPECT_EQ(block.failure.error, EIO);
  EXPECT_EQ(block.failure.operation, "read");
  EXPECT_EQ(block.failure.file, "f");
  EXPECT_EQ(block.failure.offset, Bytes(40'960));
  EXPECT_EQ(done(outcome.jobs[0], 0), 10U);
  EXPECT_EQ(done(outcome.jobs[1], 0), 256U);
}

TEST_F(BlockTest, goes_on_after_failures_that_are_tolerated) {
  target_.script = [n = 0](const LoggedBlock&) mutable {
    return ++n % 4 == 0 ? BlockAnswer{.outcome = Outcome::io_error, .status = EIO} : BlockAnswer{};
  };
  plan::Job job = sequential_reads(k_mib);
  job.block->tolerance.ignored_read = {EIO};
  const record::JobResult result = run(job);
  EXPECT_EQ(result.block->stop, BlockStop::size);
  EXPECT_EQ(done(result, 0), 192U);
  EXPECT_EQ(result.block->directions[0].errors, 64U);
  EXPECT_EQ(result.block->total_errors(), 64U);
  EXPECT_THAT(result.block->errors, ElementsAre(std::pair<int, std::uint64_t>(EIO, 64)));
  EXPECT_TRUE(result.block->mismatches.empty());
}

TEST_F(BlockTest, names_the_first_failures_that_are_tolerated_where_asked) {
  target_.script = [n = 0](const LoggedBlock&) mutable {
    return ++n % 2 == 0 ? BlockAnswer{.outcome = Outcome::io_error, .status = EIO} : BlockAnswer{};
  };
  plan::Job job = sequential_reads(k_mib);
  job.block->tolerance.io[0] = true;
  job.block->tolerance.listed = true;
  const record::JobResult result = run(job);
  EXPECT_EQ(result.block->failure.error, 0);
  EXPECT_EQ(result.block->directions[0].errors, 128U);
  ASSERT_EQ(result.block->mismatches.size(), 64U);
  const record::BlockFailure& first = result.block->mismatches[0];
  EXPECT_EQ(first.error, EIO);
  EXPECT_EQ(first.operation, "read");
  EXPECT_EQ(first.offset, Bytes(4096));
}

TEST_F(BlockTest, a_file_that_cannot_be_opened_ends_its_job_alone) {
  plan::Job bad = sequential_reads(k_mib);
  bad.block->files[0].path = "missing";
  const StageOutcome outcome = run_all({bad, sequential_reads(k_mib)});
  EXPECT_EQ(outcome.jobs[0].block->failure.error, ENOENT);
  EXPECT_EQ(outcome.jobs[0].block->failure.operation, "open");
  EXPECT_EQ(done(outcome.jobs[1], 0), 256U);
}

TEST_F(BlockTest, continues_short_transfers) {
  target_.script = [](const LoggedBlock& op) {
    return op.length == 4096 ? BlockAnswer{.bytes = 1000} : BlockAnswer{};
  };
  const record::JobResult result = run(sequential_reads(64 * 1024));
  EXPECT_EQ(done(result, 0), 16U);
  EXPECT_EQ(result.ops[0].stats.bytes, Bytes(64 * 1024));
  EXPECT_EQ(result.block->directions[0].short_transfers, 16U);
  EXPECT_EQ(target_.log()[1].offset, 1000U);
  EXPECT_EQ(target_.log()[1].length, 3096U);
  EXPECT_EQ(result.ops[0].stats.service.mean(), Duration::microseconds(200));
}

TEST_F(BlockTest, the_end_of_a_file_is_a_failure) {
  target_.script = [](const LoggedBlock& op) {
    return op.offset >= 32'768 ? BlockAnswer{.bytes = 0} : BlockAnswer{};
  };
  const record::JobResult result = run(sequential_reads(64 * 1024));
  EXPECT_EQ(done(result, 0), 8U);
  EXPECT_EQ(result.block->failure.error, EIO);
}

TEST_F(BlockTest, a_full_device_is_the_end_where_it_was_asked_for) {
  target_.script = [](const LoggedBlock& op) {
    return op.offset >= 32'768 ? BlockAnswer{.outcome = Outcome::no_space, .status = ENOSPC}
                               : BlockAnswer{};
  };
  plan::Job job = job_of(Placement::sequential, false, true, 0);
  job.block->fill_device = true;
  const record::JobResult result = run(job);
  EXPECT_EQ(done(result, 1), 8U);
  EXPECT_EQ(result.block->stop, BlockStop::space);
  EXPECT_EQ(result.block->failure.error, 0);
}

TEST_F(BlockTest, trims_before_it_writes) {
  plan::Job job = job_of(Placement::sequential, false, true, 16 * 1024);
  job.block->uses[2] = true;
  job.block->trim_then_write = true;
  const record::JobResult result = run(job);
  // As fio has it: the amount counts for each of the two.
  EXPECT_EQ(done(result, 1), 4U);
  EXPECT_EQ(done(result, 2), 4U);
  const auto log = target_.log();
  EXPECT_EQ(log[0].kind, OpKind::trim);
  EXPECT_EQ(log[1].kind, OpKind::write);
  EXPECT_EQ(log[0].offset, log[1].offset);
}

TEST_F(BlockTest, finds_the_depth_for_a_latency) {
  target_.blocking = false;
  plan::Job job = job_of(Placement::random, true, false, 64 * k_mib);
  job.workers = 32;
  job.block->time_based = true;
  job.stop.runtime = Duration::seconds(60);
  job.block->latency_target = plan::LatencyTarget{.limit = Duration::microseconds(150),
                                                  .window = Duration::milliseconds(50)};
  const record::JobResult result = run(job);
  EXPECT_EQ(result.block->stop, BlockStop::latency_target);
  EXPECT_EQ(result.block->latency_target->depth, 32U);
}

TEST(DepthSearch, halves_the_gap) {
  const plan::LatencyTarget target{.limit = Duration::microseconds(100),
                                   .window = Duration::seconds(1)};
  DepthSearch search(target, 64);
  for (int i = 0; i < 20; ++i) {
    search.count(Duration::microseconds(search.depth() <= 11 ? 50 : 500));
    if (search.end_window()) break;
  }
  EXPECT_EQ(search.report().depth, 11U);
  EXPECT_EQ(search.depth(), 11U);
}

TEST_F(BlockTest, ends_when_it_is_steady) {
  target_.latency = [n = 0](const LoggedBlock&) mutable {
    ++n;
    return Duration::microseconds(n < 20'000 ? 100 + n / 100 : 300);
  };
  plan::Job job = sequential_reads(64 * k_mib);
  job.block->time_based = true;
  job.stop.runtime = Duration::seconds(600);
  job.block->steady = plan::SteadyRule{.limit = 1,
                                       .limit_is_percent = true,
                                       .window = Duration::seconds(5),
                                       .ramp = Duration::seconds(1)};
  const record::JobResult result = run(job);
  EXPECT_EQ(result.block->stop, BlockStop::steady);
  EXPECT_TRUE(result.block->steady->attained);
  EXPECT_EQ(result.block->steady->iops.size(), 5U);
  EXPECT_NEAR(result.block->steady->iops.back(), 3333, 10);
}

TEST_F(BlockTest, acts_on_each_file_once) {
  plan::Job job = job_of(Placement::sequential, false, true, 0);
  job.block->action = plan::FileAction::create;
  job.block->files = {{"a", Bytes()}, {"b", Bytes()}, {"c", Bytes()}};
  const record::JobResult result = run(job);
  EXPECT_EQ(done(result, 1), 3U);
  const auto log = target_.log_of(OpKind::create);
  ASSERT_EQ(log.size(), 3U);
  EXPECT_EQ(log[2].file, "c");
}

TEST_F(BlockTest, waits_for_the_job_before_it_and_its_delay) {
  plan::Job first = sequential_reads(k_mib);
  plan::Job second = sequential_reads(k_mib);
  second.name = "b";
  second.after = "a";
  second.start_delay = Duration::seconds(1);
  const StageOutcome outcome = run_all({first, second});
  EXPECT_GE(outcome.jobs[1].block->started, outcome.jobs[0].block->elapsed + Duration::seconds(1));
}

TEST_F(BlockTest, never_touches_the_same_bytes_twice_at_once_where_it_must_not) {
  target_.blocking = false;
  plan::Job job = job_of(Placement::random, false, true, 16 * 4096);
  job.workers = 8;
  job.block->with_repetition = true;
  job.block->no_overlap = true;
  job.block->amount.bytes = Bytes(4 * k_mib);
  run(job);
  std::vector<LoggedBlock> log = target_.log();
  ASSERT_EQ(log.size(), 1024U);
  std::map<std::uint64_t, Instant> busy_until;
  for (const LoggedBlock& op : log) {
    EXPECT_GE(op.at, busy_until[op.offset]);
    busy_until[op.offset] = op.at + Duration::microseconds(100);
  }
}

TEST_F(BlockTest, a_stop_from_outside_keeps_what_was_measured) {
  target_.latency = [this, n = 0](const LoggedBlock&) mutable {
    if (++n == 5000) stop_.request_stop();
    return Duration::microseconds(100);
  };
  const record::JobResult result = run(sequential_reads(64 * k_mib));
  EXPECT_EQ(result.block->stop, BlockStop::signal);
  EXPECT_GE(done(result, 0), 5000U);
  EXPECT_LT(done(result, 0), 7000U);
}

TEST_F(BlockTest, an_operation_that_hangs_until_the_stop_is_part_of_the_time) {
  target_.blocking = false;
  target_.latency = [this, n = 0](const LoggedBlock&) mutable {
    if (++n <= 10) return Duration::microseconds(100);
    stop_.request_stop();
    return Duration::milliseconds(60'000);
  };
  plan::Job job = sequential_reads(64 * k_mib);
  job.block->rate[0].operations = Rate::per_second(10);  // so the eleventh begins after a second
  const record::JobResult result = run(job);
  EXPECT_EQ(done(result, 0), 10U);
  for (const Duration time : {result.window, result.block->directions[0].runtime}) {
    EXPECT_GE(time, Duration::milliseconds(1000));
    EXPECT_LT(time, Duration::milliseconds(1200));
  }
}

TEST_F(BlockTest, says_how_much_was_written_since_the_last_sync) {
  plan::Job job = sequential_reads(10 * 4096);
  job.block->uses = {false, true, false};
  EXPECT_EQ(run(job).block->unsynced, std::nullopt);
  job.block->syncs = {{.kind = plan::SyncKind::fdatasync, .every = 4}};
  EXPECT_EQ(run(job).block->unsynced, Bytes(2 * 4096));
  job.block->sync_at_end = true;
  EXPECT_EQ(run(job).block->unsynced, Bytes());
  job.block->syncs.clear();
  EXPECT_EQ(run(job).block->unsynced, Bytes());
}

}  // namespace
}  // namespace loadline::engine
