#include "engine/block_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <thread>

#include "engine/fake_block_target.h"
#include "engine/stage.h"

namespace loadline::engine {
namespace {

using record::BlockStop;
using target::Outcome;
using testing::BlockAnswer;
using testing::FakeBlockTarget;
using ::testing::HasSubstr;
using testing::LoggedBlock;

class TickSum final : public record::TickSink {
 public:
  void consume(const record::Tick& tick) override {
    for (const auto& job : tick.jobs) {
      for (const record::OpStats& op : job) samples += op.samples();
    }
    if (samples >= stop_at) stop->request_stop();
  }
  std::uint64_t samples = 0;
  std::uint64_t stop_at = UINT64_MAX;
  std::stop_source* stop = nullptr;
};

// Real processes on the real clock; what a script of the fake target does happens in them.
class BlockProcessTest : public ::testing::Test {
 protected:
  BlockProcessTest() {
    target_.latency = [](const LoggedBlock&) { return Duration::microseconds(50); };
  }

  static plan::Job reads_of(const std::string& name, std::uint64_t operations) {
    plan::BlockIo io;
    io.files = {{"f", Bytes(1 << 20)}};
    io.uses = {true, false, false};
    io.operations = operations;
    io.time_based = true;
    io.client.own_process = true;
    return {.name = name, .target = {.type = "fake", .parameters = {}}, .block = io};
  }

  StageOutcome run(std::vector<plan::Job> jobs) {
    target_.sizes["f"] = 1 << 20;
    stage_ = {.id = "s1", .name = "s", .jobs = std::move(jobs)};
    StageOptions options{.stage = &stage_,
                         .content = &content_,
                         .clock = &clock_,
                         .seed = 11,
                         .drain = drain_,
                         .stop = stop_.get_token(),
                         .ticks = &ticks_,
                         .tick = Duration::milliseconds(20)};
    options.targets.assign(stage_.jobs.size(), &target_);
    auto outcome = run_stage(options);
    EXPECT_TRUE(outcome.has_value());
    return *outcome;
  }

  static std::uint64_t reads(const record::JobResult& result) {
    return result.ops[0].stats.successes();
  }

  SteadyClock clock_;
  FakeBlockTarget target_;
  ContentPool content_{1};
  TickSum ticks_;
  std::stop_source stop_;
  Duration drain_ = Duration::seconds(10);
  plan::Stage stage_;
};

TEST_F(BlockProcessTest, counts_what_its_process_did) {
  const record::JobResult result = run({reads_of("a", 2000)}).jobs[0];
  EXPECT_EQ(reads(result), 2000U);
  EXPECT_EQ(ticks_.samples, 2000U);
  EXPECT_EQ(result.ops[0].stats.bytes, Bytes(2000 * 4096));
  EXPECT_EQ(result.block->stop, BlockStop::operations);
  EXPECT_EQ(result.block->depth[0], 2000U);
  EXPECT_EQ(result.block->failure.error, 0);
  EXPECT_GT(result.block->thread_id, 0);
  EXPECT_NE(result.block->thread_id, ::getpid());
  EXPECT_GE(result.window, Duration::milliseconds(100));
  EXPECT_GT(result.client.cpu_of_threads, Duration());
  // Nothing happened in this one.
  EXPECT_TRUE(target_.log().empty());
}

TEST_F(BlockProcessTest, gives_each_job_a_process) {
  const StageOutcome outcome = run({reads_of("a", 100), reads_of("b", 200), reads_of("c", 300)});
  EXPECT_EQ(reads(outcome.jobs[0]), 100U);
  EXPECT_EQ(reads(outcome.jobs[1]), 200U);
  EXPECT_EQ(reads(outcome.jobs[2]), 300U);
  EXPECT_NE(outcome.jobs[0].block->thread_id, outcome.jobs[1].block->thread_id);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a process is left";
}

TEST_F(BlockProcessTest, starts_no_more_of_them_after_a_stop) {
  stop_.request_stop();
  const StageOutcome outcome = run({reads_of("a", 100), reads_of("b", 200)});
  EXPECT_TRUE(outcome.stopped);
  EXPECT_FALSE(outcome.storage_hangs);
  EXPECT_TRUE(outcome.jobs.empty());
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a process is left";
}

TEST_F(BlockProcessTest, ends_one_that_is_still_being_prepared_with_the_stop) {
  plan::Job slow = reads_of("slow", 100);
  slow.block->files.assign(200, {"f", Bytes(1 << 20)});
  target_.streams = true;
  target_.open_time = Duration::milliseconds(100);
  target_.files["f"].resize(1 << 20);
  std::jthread later([this] {
    clock_.sleep_until(clock_.now() + Duration::milliseconds(300));
    stop_.request_stop();
  });
  const Instant before = clock_.now();
  const StageOutcome outcome = run({slow});
  EXPECT_LT(clock_.now() - before, Duration::seconds(8)) << "20 s of opening were waited for";
  EXPECT_TRUE(outcome.stopped);
  EXPECT_FALSE(outcome.storage_hangs);
  EXPECT_EQ(outcome.jobs[0].block->stop, BlockStop::signal);
  EXPECT_EQ(outcome.jobs[0].block->failure.error, 0);
}

TEST_F(BlockProcessTest, waits_for_the_job_before_and_for_its_delay) {
  plan::Job second = reads_of("b", 10);
  second.after = "a";
  second.start_delay = Duration::milliseconds(60);
  const StageOutcome outcome = run({reads_of("a", 1000), second});
  const record::BlockCounters& first = *outcome.jobs[0].block;
  EXPECT_GE(outcome.jobs[1].block->started,
            first.started + first.elapsed + Duration::milliseconds(60));
}

TEST_F(BlockProcessTest, stops_when_the_stage_does) {
  ticks_.stop = &stop_;
  ticks_.stop_at = 1000;
  const StageOutcome outcome = run({reads_of("a", 0), reads_of("b", 0)});
  EXPECT_TRUE(outcome.stopped);
  for (const record::JobResult& job : outcome.jobs) {
    EXPECT_EQ(job.block->stop, BlockStop::signal);
    EXPECT_EQ(job.block->failure.error, 0);
    EXPECT_GT(reads(job), 0U);
  }
}

TEST_F(BlockProcessTest, does_nothing_where_a_stop_comes_before_its_turn) {
  ticks_.stop = &stop_;
  ticks_.stop_at = 1000;
  plan::Job late = reads_of("b", 0);
  late.start_delay = Duration::seconds(60);
  const StageOutcome outcome = run({reads_of("a", 0), late});
  EXPECT_TRUE(outcome.stopped);
  EXPECT_EQ(reads(outcome.jobs[1]), 0U);
  EXPECT_EQ(outcome.jobs[1].block->failure.error, 0);
}

TEST_F(BlockProcessTest, keeps_the_counts_of_a_process_that_is_killed) {
  int left = 2000;
  target_.script = [&left](const LoggedBlock& op) {
    if (op.file == "doomed" && --left == 0) ::raise(SIGKILL);
    return BlockAnswer{};
  };
  target_.sizes["doomed"] = 1 << 20;
  plan::Job doomed = reads_of("a", 0);
  doomed.block->files[0].path = "doomed";
  const StageOutcome outcome = run({doomed, reads_of("b", 4000)});
  const record::BlockCounters& block = *outcome.jobs[0].block;
  EXPECT_EQ(block.failure.text, "the process of this job was killed by signal 9 (SIGKILL)");
  EXPECT_EQ(block.failure.operation, "process");
  EXPECT_EQ(block.signal, 9);
  EXPECT_EQ(block.stop, BlockStop::error);
  EXPECT_GT(reads(outcome.jobs[0]), 0U);
  EXPECT_LT(reads(outcome.jobs[0]), 2000U);
  EXPECT_GT(block.directions[0].runtime, Duration());
  EXPECT_EQ(reads(outcome.jobs[1]), 4000U);
  EXPECT_EQ(outcome.jobs[1].block->failure.error, 0);
}

TEST_F(BlockProcessTest, says_that_a_process_ended_early) {
  target_.script = [](const LoggedBlock&) -> BlockAnswer {
    // allowed: what a process that is lost does
    ::_exit(3);
  };
  const record::JobResult result = run({reads_of("a", 10)}).jobs[0];
  EXPECT_EQ(result.block->failure.text, "the process of this job ended early, with status 3");
  EXPECT_EQ(result.block->signal, 0);
}

TEST_F(BlockProcessTest, ends_though_an_operation_does_not) {
  int left = 500;
  target_.script = [&left](const LoggedBlock&) {
    while (left == 0) ::pause();
    --left;
    return BlockAnswer{};
  };
  drain_ = Duration::milliseconds(200);
  std::jthread later([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    stop_.request_stop();
  });
  const Instant begun = clock_.now();
  const record::JobResult result = run({reads_of("a", 0)}).jobs[0];
  EXPECT_LT(clock_.now() - begun, Duration::seconds(5));
  EXPECT_EQ(result.block->stop, BlockStop::signal);
  EXPECT_THAT(result.block->failure.text, HasSubstr("did not end within"));
  EXPECT_EQ(result.in_flight_at_end, 1U);
  EXPECT_GE(result.block->directions[0].runtime, Duration::milliseconds(350))
      << "the time runs to the stop";
  EXPECT_GE(result.window, Duration::milliseconds(350));
}

TEST_F(BlockProcessTest, passes_on_what_its_process_complains_of) {
  target_.script = [](const LoggedBlock&) -> BlockAnswer {
    constexpr std::string_view k_text = "something is wrong here\n";
    (void)!::write(STDERR_FILENO, k_text.data(), k_text.size());
    return {};
  };
  ::testing::internal::CaptureStderr();
  run({reads_of("a", 1)});
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "something is wrong here\n");
}

TEST_F(BlockProcessTest, is_no_process_where_time_is_simulated) {
  EXPECT_FALSE(BlockProcess::possible(reads_of("a", 1), SimClock()));
  EXPECT_TRUE(BlockProcess::possible(reads_of("a", 1), clock_));
}

}  // namespace
}  // namespace loadline::engine
