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
  EXPECT_EQ(board->flow(1), nullptr);
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
  FlowShare one(counter, 1);
  FlowShare eight(counter, 8);
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
  FlowShare one(counter, 1);
  FlowShare other(counter, 1);
  one.join();
  other.join();
  while (one.may_issue()) one.count();
  other.leave();
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(one.may_issue());
    one.count();
  }
}

TEST(FlowShare, starts_late_members_level_with_the_others) {
  FlowCounter counter;
  FlowShare early(counter, 1);
  early.join();
  for (int i = 0; i < 10'000; ++i) early.count();
  FlowShare late(counter, 1);
  late.join();
  EXPECT_TRUE(early.may_issue());
  int issued = 0;
  for (; late.may_issue(); ++issued) late.count();
  EXPECT_LT(issued, 200);
}

}  // namespace
}  // namespace loadline::engine
