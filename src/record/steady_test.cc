#include "record/steady.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline::record {
namespace {

// Ticks of a first half nobody looks at, then five blocks of four ticks each.
std::vector<double> ticks_of(std::array<double, 5> blocks) {
  std::vector<double> ticks(20, 1.0);
  for (const double block : blocks) ticks.insert(ticks.end(), 4, block / 4);
  return ticks;
}

TEST(Steadiness, measures_range_and_drift_of_the_second_half) {
  const auto found = steadiness_of(ticks_of({800, 900, 1000, 1100, 1200}));
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->range, 0.40, 1e-12);
  EXPECT_NEAR(found->drift, 0.40, 1e-12);
  EXPECT_NEAR(steadiness_of(ticks_of({1200, 1100, 1000, 900, 800}))->drift, -0.40, 1e-12);
}

TEST(Steadiness, turns_at_a_range_of_twenty_percent) {
  EXPECT_TRUE(steadiness_of(ticks_of({1000, 900, 1000, 1100, 1000}))->steady());
  EXPECT_FALSE(steadiness_of(ticks_of({1000, 899, 1000, 1101, 1000}))->steady());
}

TEST(Steadiness, turns_at_a_drift_of_ten_percent) {
  EXPECT_TRUE(steadiness_of(ticks_of({950.5, 975, 1000, 1025, 1049.5}))->steady());
  EXPECT_FALSE(steadiness_of(ticks_of({949, 974, 1000, 1026, 1051}))->steady());
  EXPECT_FALSE(steadiness_of(ticks_of({1051, 1026, 1000, 974, 949}))->steady());
}

TEST(Steadiness, needs_twenty_ticks_and_five_hundred_successes_a_block) {
  EXPECT_FALSE(steadiness_of(std::vector<double>(19, 1000)));
  EXPECT_TRUE(steadiness_of(std::vector<double>(20, 1000)));
  EXPECT_TRUE(steadiness_of(ticks_of({500, 500, 500, 500, 500})));
  EXPECT_FALSE(steadiness_of(ticks_of({499, 500, 500, 500, 500})));
  EXPECT_FALSE(steadiness_of({}));
}

RunResult result_of(Duration window_start, Duration window) {
  RunResult result;
  StageResult stage;
  stage.id = "s1-main";
  JobResult job;
  job.window_start = window_start;
  job.window = window;
  job.ops.emplace_back().name = "read";
  stage.jobs.push_back(job);
  result.stages.push_back(stage);
  return result;
}

void feed(SteadyWatch& watch, std::uint64_t index, std::uint64_t successes) {
  Tick tick;
  tick.index = index;
  tick.start = Duration::seconds(static_cast<std::int64_t>(index));
  tick.length = Duration::seconds(1);
  tick.jobs.resize(1);
  tick.jobs[0].resize(1);
  tick.jobs[0][0].outcomes[0] = successes;
  watch.consume(tick);
}

TEST(SteadyWatch, sees_a_collapse_in_the_second_half) {
  SteadyWatch watch;
  for (std::uint64_t i = 0; i < 60; ++i) feed(watch, i, i < 50 ? 1000 : 300);
  const auto verdicts = watch.verdicts(result_of(Duration(), Duration::seconds(60)));
  ASSERT_EQ(verdicts.size(), 2U);
  EXPECT_EQ(verdicts[0].id, "not_steady");
  EXPECT_EQ(verdicts[0].where, "s1-main");
  EXPECT_THAT(verdicts[0].text, testing::HasSubstr("ranged over"));
  EXPECT_EQ(verdicts[1].id, "throughput_fell");
  EXPECT_THAT(verdicts[1].text, testing::HasSubstr("from 50 s to 60 s"));
}

TEST(SteadyWatch, looks_at_the_window_alone) {
  SteadyWatch watch;
  // Half a second of ramp up and the ramp down are outside, the partial ticks at their edges too.
  for (std::uint64_t i = 0; i < 60; ++i) feed(watch, i, i >= 1 && i < 50 ? 1000 : 10);
  EXPECT_TRUE(watch.verdicts(result_of(Duration::milliseconds(500), Duration::milliseconds(49'600)))
                  .empty());
  EXPECT_FALSE(watch.verdicts(result_of(Duration(), Duration::seconds(60))).empty());
}

TEST(SteadyWatch, keeps_its_shape_over_a_day_in_bounded_memory) {
  SteadyWatch steady;
  SteadyWatch drifting;
  for (std::uint64_t i = 0; i < 86'400; ++i) {
    feed(steady, i, 1000);
    feed(drifting, i, 1000 + i / 100);
  }
  const RunResult result = result_of(Duration(), Duration::seconds(86'400));
  EXPECT_TRUE(steady.verdicts(result).empty());
  EXPECT_EQ(drifting.verdicts(result).size(), 1U);
}

TEST(SteadyWatch, leaves_walks_and_unknown_stages_alone) {
  SteadyWatch watch;
  for (std::uint64_t i = 0; i < 60; ++i) feed(watch, i, i < 50 ? 1000 : 300);
  RunResult result = result_of(Duration(), Duration::seconds(60));
  result.stages[0].jobs[0].ops[0].action = plan::Action::prepare;
  EXPECT_TRUE(watch.verdicts(result).empty());
  EXPECT_TRUE(watch.verdicts(RunResult{}).empty());
}

}  // namespace
}  // namespace loadline::record
