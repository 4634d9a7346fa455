// What jobs on blocks record and repeat.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "engine/fake_block_target.h"
#include "engine/stage.h"
#include "record/trace.h"

namespace loadline::engine {
namespace {

using record::TraceKind;
using record::TraceRow;
using target::OpKind;
using testing::FakeBlockTarget;
using ::testing::HasSubstr;
using testing::LoggedBlock;

class NoTicks final : public record::TickSink {
 public:
  void consume(const record::Tick&) override {}
};

class BlockTraceTest : public ::testing::Test {
 protected:
  BlockTraceTest()
      : path_(std::filesystem::temp_directory_path() /
              ("block_trace_test." + std::to_string(getpid()))) {}
  ~BlockTraceTest() override { std::filesystem::remove(path_); }

  static plan::Job job_of(bool reads, bool writes) {
    plan::BlockIo io;
    io.files = {{"f", Bytes(1 << 20)}};
    io.uses = {reads, writes, false};
    for (auto& order : io.order) order.placement = plan::Placement::random;
    return {.name = "a", .target = {.type = "fake", .parameters = {}}, .block = io};
  }
  record::JobResult run(const plan::Job& job) {
    plan::Stage stage{.id = "s1", .name = "s", .jobs = {job}};
    StageOptions options{
        .stage = &stage, .content = &content_, .clock = &clock_, .seed = 11, .ticks = &ticks_};
    options.targets.assign(1, &target_);
    auto outcome = run_stage(options);
    EXPECT_TRUE(outcome.has_value());
    return outcome->jobs[0];
  }
  std::vector<TraceRow> rows(bool finished) const {
    auto reader = record::TraceReader::open(path_.string());
    EXPECT_TRUE(reader.has_value());
    std::vector<TraceRow> all;
    for (TraceRow row; reader->next(row).value();) {
      if (row.kind < TraceKind::file && row.finished == finished) all.push_back(row);
    }
    return all;
  }
  // Rows of two files, as a trace.
  void put(const std::vector<TraceRow>& rows) const {
    auto writer = record::TraceWriter::create(path_.string());
    ASSERT_TRUE(writer);
    writer->add_file("one", {});
    writer->add_file("two", {});
    for (const TraceRow& row : rows) writer->append(row);
    ASSERT_TRUE(writer->close());
  }
  plan::Job replaying() const {
    plan::Job job = job_of(true, true);
    job.block->files = {{"one", Bytes()}, {"two", Bytes()}};
    for (auto& size : job.block->sizes) size.max = Bytes(8192);
    job.block->trace.replay = path_.string();
    return job;
  }
  static TraceRow at_ms(std::int64_t ms, TraceKind kind, std::uint32_t file, std::uint64_t offset,
                        std::uint64_t length = 4096) {
    return {.at = Duration::milliseconds(ms),
            .kind = kind,
            .file = file,
            .offset = Bytes(offset),
            .length = Bytes(length)};
  }

  std::filesystem::path path_;
  SimClock clock_;
  FakeBlockTarget target_;
  ContentPool content_{1};
  NoTicks ticks_;
};

TEST_F(BlockTraceTest, records_each_operation_in_order_of_issue_and_how_it_ended) {
  target_.blocking = false;
  target_.latency = [](const LoggedBlock& op) {
    return Duration::microseconds(op.offset % 8192 == 0 ? 300 : 100);
  };
  plan::Job job = job_of(true, true);
  job.workers = 4;
  job.block->syncs = {{.kind = plan::SyncKind::fdatasync, .every = 32}};
  job.block->trace.record = path_.string();
  run(job);
  const std::vector<TraceRow> issued = rows(false);
  const std::vector<TraceRow> ended = rows(true);
  const std::vector<LoggedBlock> log = target_.log();
  ASSERT_EQ(issued.size(), log.size());
  ASSERT_EQ(ended.size(), log.size());
  for (std::size_t i = 0; i < log.size(); ++i) {
    EXPECT_EQ(issued[i].offset.count(), log[i].offset);
    EXPECT_EQ(issued[i].length.count(), log[i].length);
    EXPECT_EQ(issued[i].at, log[i].at - log[0].at);
    EXPECT_EQ(issued[i].kind == TraceKind::sync_data, log[i].kind == OpKind::sync_data);
  }
  for (std::size_t i = 1; i < ended.size(); ++i) {
    EXPECT_LE(ended[i - 1].at + ended[i - 1].total, ended[i].at + ended[i].total);
    EXPECT_TRUE(ended[i].measured);
    EXPECT_TRUE(ended[i].split);
    EXPECT_EQ(ended[i].submission + ended[i].completion, ended[i].total);
  }
}

TEST_F(BlockTraceTest, a_row_of_issue_holds_what_handing_over_took) {
  target_.blocking = false;
  target_.gathers = true;
  target_.hand_over_time = Duration::microseconds(30);
  target_.latency = [](const LoggedBlock&) { return Duration::microseconds(100); };
  plan::Job job = job_of(true, false);
  job.workers = 4;
  job.block->trace.record = path_.string();
  run(job);
  std::map<std::uint64_t, Duration> submission;
  for (const TraceRow& row : rows(false)) submission[row.offset.count()] = row.submission;
  ASSERT_EQ(submission.size(), 256U);
  for (const TraceRow& row : rows(true)) {
    EXPECT_EQ(row.submission, submission[row.offset.count()]);
    EXPECT_GE(row.submission, target_.hand_over_time);
  }
}

TEST_F(BlockTraceTest, says_what_failed_and_what_was_not_measured) {
  target_.script = [](const LoggedBlock& op) {
    return op.offset == 4096
               ? testing::BlockAnswer{.outcome = target::Outcome::io_error, .status = EIO}
               : testing::BlockAnswer{};
  };
  plan::Job job = job_of(true, false);
  job.block->trace.record = path_.string();
  job.block->tolerance.io[0] = true;
  job.block->time_based = true;
  job.stop.ramp_up = Duration::milliseconds(10);
  job.stop.runtime = Duration::milliseconds(50);
  run(job);
  std::uint64_t failed = 0;
  for (const TraceRow& row : rows(true)) {
    if (row.error != 0) ++failed;
    EXPECT_EQ(row.error != 0, row.offset.count() == 4096);
    EXPECT_EQ(row.measured, row.at >= Duration::milliseconds(10));
  }
  EXPECT_GT(failed, 0U);
}

TEST_F(BlockTraceTest, a_trace_that_cannot_be_written_is_the_jobs_failure) {
  plan::Job job = job_of(true, false);
  job.block->trace.record = "/nowhere/at/all";
  const record::JobResult result = run(job);
  EXPECT_EQ(result.block->failure.error, ENOENT);
  EXPECT_EQ(result.block->failure.file, "/nowhere/at/all");
  if (!std::filesystem::exists("/dev/full")) return;
  std::ofstream(path_) << "something of somebody's";
  job.block->trace.record = path_.string();
  EXPECT_THAT(run(job).block->failure.text, HasSubstr("is there and no trace"));
}

TEST_F(BlockTraceTest, repeats_operations_in_order_at_their_times) {
  put({at_ms(0, TraceKind::write, 0, 0), at_ms(10, TraceKind::read, 1, 4096, 8192),
       at_ms(10, TraceKind::sync, 0, 0, 0), at_ms(40, TraceKind::sync_data, 1, 0, 0)});
  const record::JobResult result = run(replaying());
  const std::vector<LoggedBlock> log = target_.log();
  ASSERT_EQ(log.size(), 4U);
  EXPECT_EQ(log[0].kind, OpKind::write);
  EXPECT_EQ(log[0].file, "one");
  EXPECT_EQ(log[1].kind, OpKind::read);
  EXPECT_EQ(log[1].file, "two");
  EXPECT_EQ(log[1].offset, 4096U);
  EXPECT_EQ(log[1].length, 8192U);
  EXPECT_EQ(log[1].at - log[0].at, Duration::milliseconds(10));
  EXPECT_EQ(log[2].kind, OpKind::sync);
  // One at a time: this one is late by the one before.
  EXPECT_EQ(log[2].at - log[1].at, Duration::microseconds(100));
  EXPECT_EQ(log[3].kind, OpKind::sync_data);
  EXPECT_EQ(log[3].at - log[0].at, Duration::milliseconds(40));
  EXPECT_EQ(result.block->failure.error, 0);
  EXPECT_EQ(result.ops[0].stats.successes(), 1U);
  EXPECT_EQ(result.ops[3].stats.successes(), 2U);
  EXPECT_EQ(result.ops[3].stats.response.max(), Duration::microseconds(200));
}

TEST_F(BlockTraceTest, repeats_faster_slower_or_at_once) {
  put({at_ms(0, TraceKind::write, 0, 0), at_ms(10, TraceKind::write, 0, 4096)});
  plan::Job job = replaying();
  const auto gap = [&] {
    target_.forget_log();
    run(job);
    return target_.log()[1].at - target_.log()[0].at;
  };
  job.block->trace.speed_percent = 200;
  EXPECT_EQ(gap(), Duration::milliseconds(5));
  job.block->trace.speed_percent = 50;
  EXPECT_EQ(gap(), Duration::milliseconds(20));
  job.block->trace.at_once = true;
  EXPECT_EQ(gap(), Duration::microseconds(100));
}

TEST_F(BlockTraceTest, what_was_recorded_can_be_repeated) {
  target_.blocking = false;
  plan::Job job = job_of(true, true);
  job.workers = 8;
  job.block->trace.record = path_.string();
  run(job);
  const std::vector<LoggedBlock> first = target_.log();
  target_.forget_log();
  job.block->trace = {.replay = path_.string()};
  run(job);
  const std::vector<LoggedBlock> second = target_.log();
  ASSERT_EQ(second.size(), first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(second[i].kind, first[i].kind);
    EXPECT_EQ(second[i].offset, first[i].offset);
    EXPECT_EQ(second[i].at - second[0].at, first[i].at - first[0].at);
  }
}

TEST_F(BlockTraceTest, refuses_operations_that_the_job_is_not_made_for) {
  const auto failure = [&](const TraceRow& row) {
    put({row});
    return run(replaying()).block->failure.text;
  };
  EXPECT_EQ(failure(at_ms(0, TraceKind::read, 0, 0)), "");
  EXPECT_THAT(failure(at_ms(0, TraceKind::trim, 0, 0)), HasSubstr("not made for"));
  EXPECT_THAT(failure(at_ms(0, TraceKind::read, 0, 0, 1 << 20)), HasSubstr("not made for"));
  plan::Job job = replaying();
  job.block->trace.replay += ".none";
  EXPECT_EQ(run(job).block->failure.error, ENOENT);
}

}  // namespace
}  // namespace loadline::engine
