#include "drive/left_behind.h"

#include <gtest/gtest.h>

namespace loadline::drive {
namespace {

using plan::Action;
using plan::Selector;
using record::StageState;

class LeftBehindTest : public ::testing::Test {
 protected:
  // A stage of one operation on objects PREFIX lower..upper in containers c1..containers.
  plan::OpSpec& stage(Action action, const std::string& prefix, std::int64_t lower,
                      std::int64_t upper, StageState state = StageState::completed,
                      std::int64_t containers = 2) {
    plan::OpSpec op;
    op.action = action;
    op.container = {"c", "", Selector::range(1, containers)};
    op.object = {prefix, "", Selector::range(lower, upper)};
    plan::Job job;
    job.ops.push_back(op);
    plan_.stages.emplace_back().jobs.push_back(job);
    record::OpResult result;
    result.stats.outcomes[0] = 10;
    record::JobResult job_result;
    job_result.ops.push_back(result);
    record::StageResult& stage = results_.emplace_back();
    stage.state = state;
    stage.jobs.push_back(job_result);
    return plan_.stages.back().jobs[0].ops[0];
  }
  std::vector<std::string> left() const { return left_behind(plan_, results_); }

  plan::Plan plan_;
  std::vector<record::StageResult> results_;
};

using Lines = std::vector<std::string>;

TEST_F(LeftBehindTest, is_nothing_where_cleanups_cover_what_was_written) {
  stage(Action::prepare, "o", 1, 50);
  stage(Action::write, "o", 51, 100);
  stage(Action::cleanup, "o", 1, 70);
  stage(Action::cleanup, "o", 71, 200);
  EXPECT_EQ(left(), Lines());
}

TEST_F(LeftBehindTest, names_objects_of_another_pattern_in_the_same_containers) {
  stage(Action::prepare, "o", 1, 50);
  stage(Action::write, "new", 1, 50);
  stage(Action::cleanup, "o", 1, 50);
  EXPECT_EQ(left(), Lines{"containers c1..2: objects new1..50 of 10 writes"});
}

TEST_F(LeftBehindTest, names_objects_past_the_range_that_was_cleaned) {
  stage(Action::write, "o", 1, 100);
  stage(Action::cleanup, "o", 1, 99);
  EXPECT_EQ(left(), Lines{"containers c1..2: objects o1..100 of 10 writes"});
  stage(Action::cleanup, "o", 100, 100, StageState::completed, 1);
  EXPECT_EQ(left().size(), 1U);
  stage(Action::cleanup, "o", 100, 100);
  EXPECT_EQ(left(), Lines());
}

TEST_F(LeftBehindTest, counts_only_cleanups_that_went_through) {
  stage(Action::write, "o", 1, 9);
  stage(Action::cleanup, "o", 1, 9, StageState::failed);
  EXPECT_EQ(left(), Lines{"containers c1..2: objects o1..9 of 10 writes"});
}

TEST_F(LeftBehindTest, is_nothing_where_the_plan_never_meant_to_clean) {
  stage(Action::write, "o", 1, 9);
  EXPECT_EQ(left(), Lines());
}

TEST_F(LeftBehindTest, is_nothing_of_what_lay_in_containers_that_could_be_removed) {
  stage(Action::create, "file_", 1, 50);
  stage(Action::rename, "file_", 1, 50);
  stage(Action::remove, "file_r_", 1, 50);
  stage(Action::cleanup, "none", 1, 1).remove_containers = true;
  EXPECT_EQ(left(), Lines());
  stage(Action::create, "file_", 1, 50);
  EXPECT_EQ(left(), Lines{"containers c1..2: objects file_1..50 of 10 writes"}) << "made again";
}

TEST_F(LeftBehindTest, names_containers_that_were_made_and_not_removed) {
  stage(Action::prepare, "o", 1, 9).create_containers = true;
  results_.back().jobs[0].ops[0].stats.container_ops = 2;
  stage(Action::cleanup, "o", 1, 9).remove_containers = true;
  EXPECT_EQ(left(), Lines());
  results_.back().jobs[0].ops[0].stats.container_failures = 1;
  EXPECT_EQ(left(), Lines{"containers c1..2: empty or not, they are there"});
  results_.front().jobs[0].ops[0].stats.container_ops = 1;
  EXPECT_EQ(left(), Lines{"containers c1..2: 1 of them are there, empty or not"});
}

}  // namespace
}  // namespace loadline::drive
