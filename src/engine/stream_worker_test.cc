// Jobs on streams, run as a stage.
#include "engine/stream_worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/fake_block_target.h"
#include "engine/stage.h"

namespace loadline::engine {
namespace {

using plan::StreamAction;
using plan::StreamIo;
using target::OpKind;
using target::Outcome;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class TickSum final : public record::TickSink {
 public:
  void consume(const record::Tick& tick) override {
    for (const auto& job : tick.jobs) {
      for (const record::OpStats& op : job) samples += op.samples();
    }
  }
  std::uint64_t samples = 0;
};

class StreamTest : public ::testing::Test {
 protected:
  StreamTest() { target_.streams = true; }

  static StreamIo io(StreamAction action, std::uint64_t files, std::uint64_t size,
                     std::uint64_t buffer) {
    return {.action = action,
            .folder = "/d",
            .prefix = "f",
            .files = files,
            .size = Bytes(size),
            .buffer = Bytes(buffer)};
  }

  record::JobResult run(const StreamIo& stream, std::uint32_t workers = 1, plan::Pace pace = {}) {
    stage_ = {.id = "s1", .name = "s"};
    stage_.jobs.push_back({.name = "job", .workers = workers, .pace = pace, .stream = stream});
    StageOptions options{.stage = &stage_,
                         .content = &content_,
                         .clock = &clock_,
                         .seed = 11,
                         .stop = stop_.get_token(),
                         .ticks = &ticks_};
    options.targets.push_back(&target_);
    auto outcome = run_stage(options);
    EXPECT_TRUE(outcome.has_value());
    return std::move(outcome->jobs[0]);
  }
  std::vector<std::uint64_t> offsets(OpKind kind) const {
    std::vector<std::uint64_t> all;
    for (const testing::LoggedBlock& op : target_.log_of(kind)) all.push_back(op.offset);
    return all;
  }
  std::vector<std::uint64_t> lengths(OpKind kind) const {
    std::vector<std::uint64_t> all;
    for (const testing::LoggedBlock& op : target_.log_of(kind)) all.push_back(op.length);
    return all;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& [name, content] : target_.files) all.push_back(name);
    return all;
  }
  void make_file(const std::string& name, std::size_t size) { target_.files[name].resize(size); }

  SimClock clock_;
  testing::FakeBlockTarget target_;
  ContentPool content_{11};
  TickSum ticks_;
  std::stop_source stop_;
  plan::Stage stage_;
};

TEST_F(StreamTest, writes_each_file_to_its_size_and_times_its_parts) {
  const record::JobResult job = run(io(StreamAction::write, 3, 1000, 400));
  EXPECT_THAT(lengths(OpKind::write), ElementsAre(400, 400, 200, 400, 400, 200, 400, 400, 200));
  ASSERT_THAT(job.files, SizeIs(3));
  const record::StreamFile& last = job.files[2];
  EXPECT_EQ(last.number, 2U);
  EXPECT_EQ(last.outcome, Outcome::ok);
  EXPECT_EQ(last.bytes, Bytes(1000));
  // Opening and closing 1 ms each, three calls of 100 us; closing belongs to the transfer.
  EXPECT_EQ(last.open, Duration::milliseconds(1));
  EXPECT_EQ(last.transfer, Duration::microseconds(1300));
  EXPECT_EQ(last.begin, Duration::microseconds(2 * 2300));
  EXPECT_EQ(target_.files.at("/d/f1").size(), 1000U);
  ASSERT_THAT(job.ops, SizeIs(3));
  EXPECT_EQ(job.ops[0].stats.successes(), 3U);
  EXPECT_EQ(job.ops[1].name, "write");
  EXPECT_EQ(job.ops[1].stats.successes(), 9U);
  EXPECT_EQ(job.ops[1].stats.bytes, Bytes(3000));
  EXPECT_EQ(job.ops[1].stats.service.max(), Duration::microseconds(100));
  EXPECT_EQ(job.ops[2].stats.successes(), 3U);
  EXPECT_EQ(job.window, Duration::microseconds(3 * 2300));
  EXPECT_EQ(ticks_.samples, 15U);
}

TEST_F(StreamTest, gives_every_file_to_one_worker_in_waves) {
  const record::JobResult job = run(io(StreamAction::write, 50, 100, 100), 8);
  ASSERT_THAT(job.files, SizeIs(50));
  std::set<std::uint64_t> numbers;
  for (const record::StreamFile& file : job.files) {
    numbers.insert(file.number);
    EXPECT_LT(file.worker, 8U);
  }
  EXPECT_THAT(numbers, SizeIs(50));
  EXPECT_EQ(job.client.threads, 8U);
  EXPECT_EQ(run(io(StreamAction::read, 2, 100, 100), 8).client.threads, 2U);
}

TEST_F(StreamTest, reads_past_its_size_with_the_last_call) {
  make_file("/d/f0", 1000);
  const record::JobResult job = run(io(StreamAction::read, 1, 900, 400));
  EXPECT_THAT(offsets(OpKind::read), ElementsAre(0, 400, 800));
  EXPECT_THAT(lengths(OpKind::read), Each(400));
  EXPECT_EQ(job.files[0].bytes, Bytes(1000));
  EXPECT_FALSE(job.files[0].short_of_size);
}

TEST_F(StreamTest, goes_on_after_short_reads) {
  make_file("/d/f0", 1000);
  target_.script = [](const testing::LoggedBlock&) { return testing::BlockAnswer{.bytes = 300}; };
  const record::JobResult job = run(io(StreamAction::read, 1, 1000, 400));
  EXPECT_THAT(offsets(OpKind::read), ElementsAre(0, 300, 600, 900));
  EXPECT_EQ(job.files[0].bytes, Bytes(1000));
  EXPECT_EQ(job.ops[1].stats.successes(), 4U);
}

TEST_F(StreamTest, says_that_a_file_is_shorter_than_asked) {
  make_file("/d/f0", 700);
  const record::JobResult job = run(io(StreamAction::read, 1, 1000, 400));
  EXPECT_EQ(job.files[0].outcome, Outcome::ok);
  EXPECT_EQ(job.files[0].bytes, Bytes(700));
  EXPECT_TRUE(job.files[0].short_of_size);
}

TEST_F(StreamTest, reads_half_of_a_file_that_it_skips_through) {
  make_file("/d/f0", 1000);
  StreamIo skip = io(StreamAction::read_skip, 1, 1000, 100);
  skip.skip = Bytes(100);
  const record::JobResult job = run(skip);
  EXPECT_THAT(offsets(OpKind::read), ElementsAre(0, 200, 400, 600, 800));
  EXPECT_EQ(job.files[0].bytes, Bytes(500));
  EXPECT_FALSE(job.files[0].short_of_size);
}

TEST_F(StreamTest, reads_backward_until_the_size_is_met) {
  make_file("/d/f0", 1000);
  const record::JobResult job = run(io(StreamAction::read_backward, 1, 1200, 400));
  EXPECT_THAT(offsets(OpKind::read), ElementsAre(600, 200, 0));
  EXPECT_EQ(job.files[0].bytes, Bytes(1200));
}

TEST_F(StreamTest, reads_the_same_random_places_whoever_does_it) {
  for (int i = 0; i < 4; ++i) make_file("/d/f" + std::to_string(i), 1'000'000);
  run(io(StreamAction::read_random, 4, 10'000, 100), 1);
  const auto places = [&] {
    std::set<std::pair<std::string, std::uint64_t>> all;
    for (const auto& op : target_.log_of(OpKind::read)) all.emplace(op.file, op.offset);
    target_.forget_log();
    return all;
  };
  const auto alone = places();
  EXPECT_GT(alone.size(), 395U);
  run(io(StreamAction::read_random, 4, 10'000, 100), 4);
  EXPECT_EQ(places(), alone);
}

TEST_F(StreamTest, has_no_random_place_in_an_empty_file) {
  make_file("/d/f0", 0);
  const record::JobResult job = run(io(StreamAction::read_random, 1, 100, 100));
  EXPECT_EQ(job.files[0].outcome, Outcome::invalid);
}

TEST_F(StreamTest, appends_and_truncates) {
  make_file("/d/f0", 1000);
  run(io(StreamAction::append, 1, 500, 300));
  EXPECT_EQ(target_.files.at("/d/f0").size(), 1500U);
  EXPECT_THAT(offsets(OpKind::write), ElementsAre(1000, 1300));
  const record::JobResult cut = run(io(StreamAction::truncate, 1, 200, 100));
  EXPECT_EQ(target_.files.at("/d/f0").size(), 200U);
  EXPECT_EQ(cut.files[0].bytes, Bytes(1300));
  EXPECT_EQ(cut.ops[1].name, "truncate");
  EXPECT_EQ(cut.ops[1].stats.successes(), 1U);
  EXPECT_EQ(run(io(StreamAction::truncate, 1, 201, 100)).files[0].outcome, Outcome::invalid);
}

TEST_F(StreamTest, ends_with_the_first_file_that_fails) {
  make_file("/d/f0", 100);
  make_file("/d/f2", 100);
  const record::JobResult job = run(io(StreamAction::read, 3, 100, 100));
  ASSERT_THAT(job.files, SizeIs(2));
  EXPECT_EQ(job.files[1].number, 1U);
  EXPECT_EQ(job.files[1].outcome, Outcome::not_found);
  EXPECT_EQ(job.files[1].detail, "No such file or directory");
  EXPECT_EQ(job.ops[0].stats.failure_count(), 1U);
}

TEST_F(StreamTest, goes_on_after_a_failure_where_it_may) {
  make_file("/d/f0", 100);
  make_file("/d/f2", 100);
  StreamIo lenient = io(StreamAction::read, 3, 100, 100);
  lenient.keep_going = true;
  const record::JobResult job = run(lenient);
  ASSERT_THAT(job.files, SizeIs(3));
  EXPECT_EQ(job.files[1].outcome, Outcome::not_found);
  EXPECT_EQ(job.files[2].outcome, Outcome::ok);
}

TEST_F(StreamTest, counts_what_was_moved_before_a_failure) {
  target_.script = [](const testing::LoggedBlock& op) {
    return op.offset >= 200 ? testing::BlockAnswer{Outcome::no_space, ENOSPC}
                            : testing::BlockAnswer{};
  };
  const record::JobResult job = run(io(StreamAction::write, 1, 1000, 100));
  EXPECT_EQ(job.files[0].outcome, Outcome::no_space);
  EXPECT_EQ(job.files[0].bytes, Bytes(200));
  EXPECT_EQ(job.ops[2].stats.successes(), 1U);
}

TEST_F(StreamTest, fails_a_file_that_cannot_be_closed) {
  plan::StreamIo put{.action = StreamAction::put, .folder = "/d", .puts = {{"bad_close", "x"}}};
  const record::JobResult job = run(put);
  EXPECT_EQ(job.files[0].outcome, Outcome::io_error);
  EXPECT_EQ(job.files[0].detail, "the last block was lost");
}

TEST_F(StreamTest, knows_what_another_run_of_the_seed_has_written) {
  StreamIo write = io(StreamAction::write, 2, 3'000'000, 700'001);
  StreamIo append = io(StreamAction::append, 2, 100'000, 30'000);
  StreamIo read = io(StreamAction::read_random, 2, 2'000'000, 65'537);
  for (const plan::StreamFill fill :
       {plan::StreamFill::zero, plan::StreamFill::pattern, plan::StreamFill::random}) {
    write.fill = append.fill = read.fill = fill;
    read.verify = true;
    run(write, 2);
    run(append, 2);
    const record::JobResult good = run(read, 1);
    EXPECT_EQ(good.files[0].outcome, Outcome::ok) << good.files[0].detail;
    StreamIo whole = read;
    whole.action = StreamAction::read;
    whole.size = Bytes(3'100'000);
    target_.files.at("/d/f1")[3'050'000] ^= std::byte{4};
    const record::JobResult bad = run(whole);
    EXPECT_EQ(bad.files[0].outcome, Outcome::ok) << bad.files[0].detail;
    EXPECT_EQ(bad.files[1].outcome, Outcome::corrupt);
    EXPECT_THAT(bad.files[1].detail, HasSubstr("offset 3050000"));
  }
}

TEST_F(StreamTest, keeps_to_a_rate_of_calls) {
  plan::Pace pace{.arrival = plan::Arrival::constant, .rate = Rate::per_second(10)};
  const record::JobResult job = run(io(StreamAction::write, 2, 1000, 100), 1, pace);
  EXPECT_EQ(job.ops[1].stats.successes(), 20U);
  EXPECT_NEAR(job.window.as_seconds(), 1.9, 0.05);
  EXPECT_EQ(job.offered, Rate::per_second(10));
}

TEST_F(StreamTest, puts_small_files_and_removes_them_again) {
  plan::StreamIo small{
      .action = StreamAction::put, .folder = "/d", .puts = {{"a", std::string(5, 'x')}, {"b", ""}}};
  const record::JobResult put = run(small, 4);
  EXPECT_EQ(target_.files.at("/d/a"), std::vector<std::byte>(5, std::byte{'x'}));
  EXPECT_THAT(names(), ElementsAre("/d/a", "/d/b"));
  ASSERT_THAT(put.ops, SizeIs(1));
  EXPECT_EQ(put.ops[0].stats.successes(), 2U);
  small.action = StreamAction::remove;
  const record::JobResult removed = run(small, 4);
  EXPECT_THAT(names(), IsEmpty());
  EXPECT_EQ(removed.ops[0].stats.successes(), 2U);
  EXPECT_EQ(removed.ops[0].stats.container_ops, 1U);
  EXPECT_THAT(removed.remarks, IsEmpty());
}

TEST_F(StreamTest, removes_only_what_has_its_name) {
  for (const char* name : {"/d/f0", "/d/f12", "/d/f", "/d/fx", "/d/f1x", "/d/g1", "/other/f0"}) {
    make_file(name, 1);
  }
  const record::JobResult job = run(io(StreamAction::remove, 1, 0, 1), 3);
  EXPECT_THAT(names(), ElementsAre("/d/f", "/d/f1x", "/d/fx", "/d/g1", "/other/f0"));
  EXPECT_EQ(job.files.size(), 2U);
  EXPECT_EQ(job.ops[0].stats.container_ops, 0U);
  ASSERT_THAT(job.remarks, SizeIs(1));
  EXPECT_THAT(job.remarks[0], HasSubstr("/d stays"));
}

TEST_F(StreamTest, finds_nothing_to_remove_in_a_folder_that_is_missing) {
  const record::JobResult job = run(io(StreamAction::remove, 1, 0, 1), 2);
  EXPECT_THAT(job.files, IsEmpty());
  EXPECT_THAT(job.remarks, IsEmpty());
}

TEST_F(StreamTest, ends_soon_when_it_is_stopped) {
  target_.latency = [this](const testing::LoggedBlock& op) {
    if (op.offset == 300) stop_.request_stop();
    return op.offset == 300 ? Duration::seconds(3600) : Duration::milliseconds(1);
  };
  const Instant begin = clock_.now();
  const record::JobResult job = run(io(StreamAction::write, 5, 1000, 100));
  EXPECT_LT(clock_.now() - begin, Duration::seconds(2));
  ASSERT_THAT(job.files, SizeIs(1));
  EXPECT_EQ(job.files[0].outcome, Outcome::cancelled);
  EXPECT_EQ(job.files[0].bytes, Bytes(300));
  EXPECT_EQ(job.in_flight_at_end, 1U);
}

}  // namespace
}  // namespace loadline::engine
