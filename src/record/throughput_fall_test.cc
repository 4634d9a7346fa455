#include "record/throughput_fall.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace loadline::record {
namespace {

using ::testing::HasSubstr;

// Operations of 1 MB.
std::vector<Moved> megabytes(const std::vector<double>& each) {
  std::vector<Moved> ticks;
  for (const double one : each) ticks.push_back({.operations = one, .bytes = one * 1e6});
  return ticks;
}

std::vector<double> with_low(std::size_t all, std::size_t first, std::size_t end, double low,
                             double usual = 100) {
  std::vector<double> each(all, usual);
  for (std::size_t i = first; i < end; ++i) each[i] = low;
  return each;
}

StageResult stage_of(Duration window_start, Duration window, Duration latency) {
  StageResult stage;
  stage.id = "run";
  JobResult& job = stage.jobs.emplace_back();
  job.window_start = window_start;
  job.window = window;
  OpResult& op = job.ops.emplace_back();
  op.action = plan::Action::write;
  op.stats.bytes = Bytes(1'000'000);
  op.stats.service.add(latency);
  return stage;
}

std::optional<Verdict> judged(const StageResult& stage, const std::vector<Moved>& cells) {
  return judge_fall(stage, stage.jobs[0], Duration::seconds(1), cells);
}

TEST(ThroughputFall, is_found_with_its_window_and_rates) {
  const auto found = worst_fall(megabytes(with_low(20, 7, 11, 5)), {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first, 7U);
  EXPECT_EQ(found->end, 11U);
  EXPECT_TRUE(found->of_bytes);
  EXPECT_DOUBLE_EQ(found->during, 5e6);
  EXPECT_DOUBLE_EQ(found->usual, 100e6);
  EXPECT_EQ(found->others, 0U);
}

TEST(ThroughputFall, begins_below_half_of_what_a_quarter_of_the_ticks_reach) {
  EXPECT_FALSE(worst_fall(megabytes(with_low(20, 7, 11, 500, 1000)), {}));
  EXPECT_TRUE(worst_fall(megabytes(with_low(20, 7, 11, 499, 1000)), {}));
  // Down for most of the time: the rest says what is usual.
  const auto found = worst_fall(megabytes(with_low(20, 3, 20, 0)), {});
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->usual, 100e6);
}

TEST(ThroughputFall, lasts_two_ticks_and_what_is_asked_for) {
  EXPECT_FALSE(worst_fall(megabytes(with_low(20, 7, 8, 0)), {}));
  EXPECT_TRUE(worst_fall(megabytes(with_low(20, 7, 9, 0)), {}));
  EXPECT_FALSE(worst_fall(megabytes(with_low(20, 7, 9, 0)), {.ticks_least = 2.1}));
  EXPECT_FALSE(worst_fall(megabytes(with_low(5, 2, 4, 0)), {})) << "too few ticks to tell";
}

TEST(ThroughputFall, is_measured_by_the_pace_where_there_is_one) {
  // What was due in the fall is caught up with at once.
  std::vector<double> each = with_low(12, 4, 7, 0);
  for (const std::size_t i : {7, 8, 9, 10}) each[i] = 300;
  auto found = worst_fall(megabytes(each), {.paced = 100e6});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first, 4U);
  EXPECT_EQ(found->end, 7U);
  EXPECT_DOUBLE_EQ(found->usual, 100e6);
  // A storage that is slower than the pace all the time has not fallen.
  EXPECT_FALSE(worst_fall(megabytes(with_low(12, 4, 7, 90)), {.paced = 1000e6}));

  StageResult stage = stage_of(Duration(), Duration::seconds(12), Duration::milliseconds(10));
  stage.jobs[0].offered = Rate::per_second(100);
  stage.jobs[0].ops[0].stats.outcomes[0] = 1;
  const auto verdict = judged(stage, megabytes(each));
  ASSERT_TRUE(verdict);
  EXPECT_THAT(verdict->text, HasSubstr("usual were 100 MB/s"));
}

TEST(ThroughputFall, is_more_than_chance) {
  // 25 operations would be due where none came: no more than five standard deviations.
  EXPECT_FALSE(worst_fall(megabytes(with_low(20, 7, 9, 0, 12.5)), {}));
  EXPECT_TRUE(worst_fall(megabytes(with_low(20, 7, 9, 0, 13)), {}));
}

TEST(ThroughputFall, is_of_operations_where_no_bytes_move) {
  std::vector<Moved> ticks = megabytes(with_low(20, 18, 20, 0));
  for (Moved& tick : ticks) tick.bytes = 0;
  const auto found = worst_fall(ticks, {});
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->of_bytes);
  EXPECT_DOUBLE_EQ(found->usual, 100);
  EXPECT_FALSE(worst_fall(std::vector<Moved>(20), {})) << "nothing at all is no fall";
}

TEST(ThroughputFall, is_the_one_that_missed_most) {
  std::vector<double> each = with_low(30, 5, 8, 40);
  for (const std::size_t i : {20, 21}) each[i] = 0;
  const auto found = worst_fall(megabytes(each), {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first, 20U);
  EXPECT_EQ(found->end, 22U);
  EXPECT_EQ(found->others, 1U);
}

TEST(ThroughputFall, is_told_in_seconds_of_the_stage) {
  const StageResult stage =
      stage_of(Duration::seconds(2), Duration::seconds(18), Duration::milliseconds(10));
  // The ramp before the window is none.
  std::vector<double> each = with_low(20, 7, 11, 5);
  each[0] = each[1] = 0;
  const auto verdict = judged(stage, megabytes(each));
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->id, "throughput_fell");
  EXPECT_EQ(verdict->level, Verdict::Level::warning);
  EXPECT_EQ(verdict->where, "run");
  EXPECT_THAT(verdict->text,
              HasSubstr("throughput fell to 5 MB/s from 7 s to 11 s; usual were 100 MB/s:"));
}

TEST(ThroughputFall, is_none_where_workers_are_in_step) {
  const StageResult stage = stage_of(Duration(), Duration::seconds(20), Duration::seconds(1));
  EXPECT_FALSE(judged(stage, megabytes(with_low(20, 7, 10, 0))));
  EXPECT_TRUE(judged(stage, megabytes(with_low(20, 7, 12, 0))));
}

TEST(ThroughputFall, is_none_where_workers_have_no_files_any_more) {
  StageResult stage = stage_of(Duration(), Duration::seconds(20), Duration::milliseconds(10));
  const std::vector<Moved> cells = megabytes(with_low(20, 12, 20, 30));
  EXPECT_TRUE(judged(stage, cells));
  const auto add = [&](std::uint32_t worker, int begin, int end) {
    stage.jobs[0].files.push_back({.worker = worker,
                                   .begin = Duration::seconds(begin),
                                   .open = Duration::milliseconds(1),
                                   .transfer = Duration::seconds(end - begin)});
  };
  add(0, 0, 5);
  add(1, 0, 20);
  add(0, 5, 12);
  EXPECT_FALSE(judged(stage, cells));
}

TEST(ThroughputFall, is_none_where_the_workload_pauses) {
  StageResult stage = stage_of(Duration(), Duration::seconds(20), Duration::milliseconds(10));
  stage.jobs[0].pauses = true;
  EXPECT_FALSE(judged(stage, megabytes(with_low(20, 7, 12, 0))));
}

TEST(ThroughputFall, is_none_of_walks) {
  StageResult stage = stage_of(Duration(), Duration::seconds(20), Duration::milliseconds(10));
  stage.jobs[0].ops[0].action = plan::Action::cleanup;
  EXPECT_FALSE(judged(stage, megabytes(with_low(20, 7, 12, 0))));
}

}  // namespace
}  // namespace loadline::record
