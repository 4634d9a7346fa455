#include "engine/job_board.h"

#include <gtest/gtest.h>

namespace loadline::engine {
namespace {

plan::Stage stage_of(std::vector<plan::BlockIo> blocks) {
  plan::Stage stage;
  for (plan::BlockIo& block : blocks) stage.jobs.push_back({.block = std::move(block)});
  return stage;
}

bool told(const JobBoard& board, std::size_t job) { return board.told(job)->load() != 0; }

TEST(JobBoard, is_not_there_where_no_job_ends_another) {
  const auto board = JobBoard::make(stage_of({{}, {}}));
  ASSERT_TRUE(board);
  EXPECT_EQ(board->told(0), nullptr);
  EXPECT_EQ(board->flow(1).counter, nullptr);
}

TEST(JobBoard, tells_the_group_the_stage_or_the_run) {
  plan::BlockIo of_group{.group = 1, .end_of_job = plan::EndScope::group};
  plan::BlockIo of_stage{.group = 2, .end_of_job = plan::EndScope::stage};
  plan::BlockIo of_run{.group = 3, .end_of_job = plan::EndScope::run};
  auto board = JobBoard::make(stage_of({of_group, {.group = 1}, of_stage, of_run}));
  ASSERT_TRUE(board);
  board->ended(0, false);
  EXPECT_TRUE(told(*board, 1));
  EXPECT_FALSE(told(*board, 2));
  board->ended(2, false);
  EXPECT_TRUE(told(*board, 3));
  EXPECT_FALSE(board->ends_run());
  board->ended(3, false);
  EXPECT_TRUE(board->ends_run());
}

TEST(JobBoard, tells_of_an_error_only_where_there_was_one) {
  auto board = JobBoard::make(stage_of({{.end_on_error = plan::EndScope::stage}, {}}));
  ASSERT_TRUE(board);
  board->ended(0, false);
  EXPECT_FALSE(told(*board, 1));
  board->ended(0, true);
  EXPECT_TRUE(told(*board, 1));
}

TEST(JobBoard, tells_followers_when_all_the_others_have_ended) {
  auto board = JobBoard::make(stage_of({{.follows = true}, {}, {}}));
  ASSERT_TRUE(board);
  board->ended(1, false);
  EXPECT_FALSE(told(*board, 0));
  board->ended(2, false);
  EXPECT_TRUE(told(*board, 0));
}

TEST(FlowShare, keeps_the_proportion_of_the_weights) {
  FlowCounter counter;
  FlowMember seat_of_one;
  FlowShare one({&counter, &seat_of_one}, 1);
  FlowMember seat_of_eight;
  FlowShare eight({&counter, &seat_of_eight}, 8);
  one.join();
  eight.join();
  std::uint64_t of_one = 0;
  std::uint64_t of_eight = 0;
  for (int i = 0; i < 90'000; ++i) {
    ASSERT_TRUE(one.may_issue() || eight.may_issue());
    if (one.may_issue()) one.count(), ++of_one;
    if (eight.may_issue()) eight.count(), ++of_eight;
  }
  EXPECT_NEAR(static_cast<double>(of_eight) / static_cast<double>(of_one), 8, 0.1);
}

TEST(FlowShare, lets_who_is_left_go_on_alone) {
  FlowCounter counter;
  FlowMember seat_of_one;
  FlowShare one({&counter, &seat_of_one}, 1);
  FlowMember seat_of_other;
  FlowShare other({&counter, &seat_of_other}, 1);
  one.join();
  other.join();
  while (one.may_issue()) one.count();
  other.leave();
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(one.may_issue());
    one.count();
  }
}

TEST(JobBoard, takes_a_job_that_died_out_of_its_flow) {
  const plan::BlockIo in_flow{.flow = {.weight = 1, .id = 3}};
  auto board = JobBoard::make(stage_of({in_flow, in_flow, {}}));
  ASSERT_TRUE(board);
  EXPECT_EQ(board->flow(2).counter, nullptr);
  FlowShare lives(board->flow(0), 1);
  FlowShare dies(board->flow(1), 1);
  lives.join();
  dies.join();
  while (lives.may_issue()) lives.count();
  board->ended(1, true);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(lives.may_issue());
    lives.count();
  }
  board->ended(1, true);
  EXPECT_TRUE(lives.may_issue());
}

TEST(FlowShare, starts_late_members_level_with_the_others) {
  FlowCounter counter;
  FlowMember seat_of_early;
  FlowShare early({&counter, &seat_of_early}, 1);
  early.join();
  for (int i = 0; i < 10'000; ++i) early.count();
  FlowMember seat_of_late;
  FlowShare late({&counter, &seat_of_late}, 1);
  late.join();
  EXPECT_TRUE(early.may_issue());
  int issued = 0;
  for (; late.may_issue(); ++issued) late.count();
  EXPECT_LT(issued, 200);
}

}  // namespace
}  // namespace loadline::engine
