// Jobs on blocks among each other, and how deep each keeps its queue.
#include <gtest/gtest.h>

#include <cerrno>

#include "engine/block_worker.h"
#include "engine/fake_block_target.h"
#include "engine/stage.h"

namespace loadline::engine {
namespace {

using record::BlockStop;

constexpr std::uint64_t k_mib = 1 << 20;

class NoTicks final : public record::TickSink {
 public:
  void consume(const record::Tick&) override {}
};

class JobsTest : public ::testing::Test {
 protected:
  static plan::Job sequential_reads(std::uint64_t size) {
    plan::BlockIo io;
    io.files = {{"f", Bytes(size)}};
    io.uses = {true, false, false};
    return {.name = "a", .target = {.type = "fake", .parameters = {}}, .block = io};
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

  SimClock clock_;
  testing::FakeBlockTarget target_;
  ContentPool content_{1};
  NoTicks ticks_;
  std::stop_source stop_;
  plan::Stage stage_;
};

TEST_F(JobsTest, ends_with_another_job_where_that_one_says_so) {
  plan::Job first = sequential_reads(k_mib);
  first.block->end_of_job = plan::EndScope::group;
  plan::Job of_group = sequential_reads(k_mib);
  of_group.block->time_based = true;
  of_group.stop.runtime = Duration::seconds(36'000);
  of_group.name = "b";
  plan::Job waiting = of_group;
  waiting.after = "b";
  plan::Job other = sequential_reads(4 * k_mib);
  other.block->group = 1;
  const StageOutcome outcome = run_all({first, of_group, waiting, other});
  EXPECT_EQ(outcome.jobs[0].block->stop, BlockStop::size);
  EXPECT_EQ(outcome.jobs[1].block->stop, BlockStop::other_job);
  EXPECT_EQ(outcome.jobs[1].block->failure.error, 0);
  EXPECT_EQ(outcome.jobs[2].block->stop, BlockStop::other_job);
  EXPECT_EQ(done(outcome.jobs[2], 0), 0U);
  EXPECT_EQ(outcome.jobs[3].block->stop, BlockStop::size);
  EXPECT_FALSE(outcome.ends_run);
}

TEST_F(JobsTest, ends_with_a_job_that_failed) {
  plan::Job bad = sequential_reads(k_mib);
  bad.block->files = {{"bad", Bytes(k_mib)}};
  bad.block->end_on_error = plan::EndScope::run;
  plan::Job good = sequential_reads(k_mib);
  good.block->time_based = true;
  good.stop.runtime = Duration::seconds(36'000);
  target_.script = [](const testing::LoggedBlock& op) {
    return op.file == "bad" ? testing::BlockAnswer{target::Outcome::io_error, EIO}
                            : testing::BlockAnswer{};
  };
  const StageOutcome outcome = run_all({bad, good});
  EXPECT_EQ(outcome.jobs[0].block->stop, BlockStop::error);
  EXPECT_EQ(outcome.jobs[1].block->stop, BlockStop::other_job);
  EXPECT_TRUE(outcome.ends_run);
}

TEST_F(JobsTest, keeps_to_its_share_of_a_flow) {
  plan::Job light = sequential_reads(k_mib);
  light.block->time_based = true;
  light.block->flow = {.weight = 1, .id = 7};
  light.stop.runtime = Duration::seconds(36'000);
  plan::Job heavy = light;
  heavy.block->flow.weight = 4;
  heavy.block->operations = 20'000;
  heavy.block->end_of_job = plan::EndScope::stage;
  const StageOutcome outcome = run_all({light, heavy});
  EXPECT_EQ(done(outcome.jobs[1], 0), 20'000U);
  // Alone from the end of the other on, until it is told.
  EXPECT_GT(done(outcome.jobs[0], 0), 4'500U);
}

TEST_F(JobsTest, lets_the_queue_drain_before_it_fills_it) {
  target_.blocking = false;
  target_.gathers = true;
  plan::Job job = sequential_reads(68 * 4096);
  job.workers = 8;
  job.block->depth_low = 2;
  const record::JobResult result = run(job);
  EXPECT_EQ(done(result, 0), 68U);
  const record::DepthBuckets& submits = result.block->submits;
  EXPECT_EQ(submits[record::call_bucket(6)], 11U);
  EXPECT_EQ(submits[record::call_bucket(1)], 0U);
}

TEST_F(JobsTest, hands_over_so_many_at_once) {
  target_.blocking = false;
  target_.gathers = true;
  plan::Job job = sequential_reads(8 * 4096);
  job.workers = 8;
  job.block->batch_submit = 4;
  const record::JobResult result = run(job);
  EXPECT_EQ(done(result, 0), 8U);
  EXPECT_EQ(result.block->submits[record::call_bucket(4)], 2U);
  EXPECT_EQ(result.block->submits[record::call_bucket(8)], 0U);
}

TEST_F(JobsTest, hands_over_one_by_one_and_takes_so_many_where_asked) {
  target_.blocking = false;
  target_.gathers = true;
  plan::Job job = sequential_reads(64 * 4096);
  job.workers = 16;
  job.block->batch_submit = 1;
  job.block->batch_reap_max = 1;
  const record::JobResult result = run(job);
  EXPECT_EQ(result.block->submits[record::call_bucket(1)], 64U);
  EXPECT_EQ(result.block->completes[record::call_bucket(1)], 64U);
  EXPECT_EQ(result.block->depth[record::depth_bucket(16)], 64U - 15)
      << "full but for the operations that fill it";
}

TEST_F(JobsTest, counts_the_time_of_handing_over_to_all_that_went_with_it) {
  target_.blocking = false;
  target_.gathers = true;
  target_.hand_over_time = Duration::microseconds(30);
  plan::Job job = sequential_reads(8 * 4096);
  job.workers = 8;
  const record::JobResult result = run(job);
  const record::OpStats& stats = result.ops[0].stats;
  EXPECT_EQ(stats.submission.count(), 8U);
  EXPECT_EQ(stats.submission.min(), Duration::microseconds(30));
  EXPECT_EQ(stats.submission.max(), Duration::microseconds(30));
  EXPECT_EQ(stats.submission.sum_ns() + stats.completion.sum_ns(), stats.service.sum_ns());
  EXPECT_EQ(result.block->submits[record::call_bucket(8)], 1U);
}

TEST_F(JobsTest, puts_off_its_rate_while_it_thinks_where_asked) {
  plan::Job job = sequential_reads(100 * 4096);
  job.block->rate[0].operations = Rate::per_second(1000);
  job.block->think = {.pause = Duration::milliseconds(10), .every = 10};
  const Duration caught_up = run(job).window;
  job.block->think.moves_rate = true;
  const Duration put_off = run(job).window;
  EXPECT_LT(caught_up, Duration::milliseconds(125));
  EXPECT_GT(put_off, Duration::milliseconds(180));
}

TEST_F(JobsTest, keeps_few_files_open_at_once) {
  plan::Job job = sequential_reads(0);
  job.block->files.clear();
  for (const char* name : {"f0", "f1", "f2", "f3"}) {
    job.block->files.push_back({name, Bytes(4 * 4096)});
  }
  job.block->open_files = 2;
  const record::JobResult result = run(job);
  EXPECT_EQ(done(result, 0), 16U);
  std::string order;
  for (const testing::LoggedBlock& op : target_.log_of(target::OpKind::read)) order += op.file[1];
  // A file that is done makes room for the next.
  EXPECT_EQ(order, "0101010123232323");
  job.block->open_files = 1;
  target_.forget_log();
  EXPECT_EQ(done(run(job), 0), 16U);
  order.clear();
  for (const testing::LoggedBlock& op : target_.log_of(target::OpKind::read)) order += op.file[1];
  EXPECT_EQ(order, "0000111122223333");
}

}  // namespace
}  // namespace loadline::engine
