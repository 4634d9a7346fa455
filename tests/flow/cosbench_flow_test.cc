// COSBench workloads from text to result on the mock storage.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/flow/flow.h"

namespace loadline::flow {
namespace {

using record::RunState;
using record::StageState;
using CosbenchFlowTest = FlowTest;

const std::vector<report::Setting> k_mock{{"storage.type", "mock"},
                                          {"storage.config", "delay=1;remember=true"}};

TEST_F(CosbenchFlowTest, runs_the_sample_from_text_to_report) {
  const Outcome outcome = run(file(LOADLINE_SOURCE_DIR "/examples/s3-config-sample.xml"), k_mock);
  EXPECT_EQ(outcome.result.state, RunState::finished) << outcome.result.reason;
  ASSERT_EQ(outcome.result.stages.size(), 5U);
  for (const auto& stage : outcome.result.stages) EXPECT_EQ(stage.state, StageState::completed);
  EXPECT_EQ(outcome.op(0).stats.container_ops, 2U);
  EXPECT_EQ(outcome.op(1).stats.successes(), 20U);
  EXPECT_EQ(outcome.op(3).stats.successes(), 40U);
  EXPECT_EQ(outcome.op(4).stats.container_ops, 2U);
  for (const char* name : {"s1-init.csv", "s3-main.csv", "workload-config.xml", "workload.log"}) {
    EXPECT_TRUE(std::filesystem::exists(outcome.folder / name)) << name;
  }
}

TEST_F(CosbenchFlowTest, does_exactly_the_total_for_any_number_of_workers) {
  for (const int workers : {1, 3, 7, 64, 150}) {
    const Outcome outcome =
        run(workload("mock", "delay=1", fmt::format(R"(workers="{}" totalOps="100")", workers)));
    EXPECT_EQ(outcome.op(0).stats.samples(), 100U) << workers;
    EXPECT_EQ(outcome.samples_in_ticks, 100U) << workers;
  }
}

TEST_F(CosbenchFlowTest, does_every_operation_on_names_and_leaves_nothing) {
  const Outcome outcome = run(file(LOADLINE_SOURCE_DIR "/examples/metadata.xml"), k_mock);
  EXPECT_EQ(outcome.result.state, RunState::finished) << outcome.result.reason;
  ASSERT_EQ(outcome.result.stages.size(), 8U);
  for (const auto& stage : outcome.result.stages) {
    for (const auto& op : stage.jobs.at(0).ops) {
      EXPECT_EQ(op.stats.failure_count(), 0U) << stage.id << " " << op.name;
    }
  }
  EXPECT_EQ(outcome.op(1).stats.successes(), 4000U);
  EXPECT_EQ(outcome.op(1).stats.bytes, Bytes(4'000'000));
  EXPECT_EQ(outcome.op(3).name, "rename");
  EXPECT_EQ(outcome.op(3).stats.successes(), 4000U);
  EXPECT_EQ(outcome.result.stages[4].jobs.at(0).ops.size(), 6U);
  EXPECT_TRUE(outcome.result.left_behind.empty());
}

TEST_F(CosbenchFlowTest, goes_on_after_a_failed_stage_and_ends_failed) {
  std::string text = workload("mock", "errors=1", R"(workers="1" totalOps="5")");
  const std::string second = R"xml(<workstage name="b"><storage type="mock"/>
    <work name="b" workers="1" totalOps="5">
    <operation type="read" config="containers=c(1);objects=c(1)"/></work></workstage>)xml";
  text.insert(text.find("</workflow>"), second);
  const Outcome outcome = run(text);
  EXPECT_EQ(outcome.result.state, RunState::failed);
  EXPECT_EQ(outcome.result.stages[0].state, StageState::failed);
  EXPECT_EQ(outcome.result.stages[1].state, StageState::completed);
  EXPECT_THAT(outcome.result.reason, ::testing::HasSubstr("none of 5 read operations succeeded"));
}

TEST_F(CosbenchFlowTest, a_storage_that_hangs_to_the_end_fails_its_stage) {
  const Outcome outcome = run(workload("mock", "delay=100000", R"(workers="8" runtime="10")"));
  EXPECT_EQ(outcome.result.state, RunState::failed);
  EXPECT_THAT(outcome.result.reason,
              ::testing::HasSubstr("nothing completed; 8 operations were still under way at the "
                                   "end, the oldest for 20"));
  EXPECT_EQ(outcome.op(0).stats.failure_count(), 0U);
}

TEST_F(CosbenchFlowTest, says_what_a_cancelled_run_left_behind) {
  stop_.request_stop();
  const Outcome outcome = run(file(LOADLINE_SOURCE_DIR "/examples/s3-config-sample.xml"), k_mock);
  EXPECT_EQ(outcome.result.state, RunState::cancelled);
  EXPECT_TRUE(outcome.result.left_behind.empty());
}

// Workloads that users posted, with what has to come of them: their stages, and the samples of the
// first operation of each job where the workload fixes that number.
struct Case {
  const char* file;
  std::vector<StageState> stages;
  std::uint64_t samples = 0;  // of the last stage that measures, all jobs together; 0: not fixed
};

class CasesTest : public FlowTest, public ::testing::WithParamInterface<Case> {};

TEST_P(CasesTest, ends_as_it_should) {
  const Outcome outcome = run(
      file(LOADLINE_SOURCE_DIR "/dialects/cosbench/testdata/cases/" + std::string(GetParam().file)),
      {{"storage.type", "mock"}, {"storage.config", "delay=2"}});
  EXPECT_EQ(outcome.result.state, RunState::finished) << outcome.result.reason;
  std::vector<StageState> states;
  std::uint64_t samples = 0;
  for (const auto& stage : outcome.result.stages) {
    states.push_back(stage.state);
    std::uint64_t of_stage = 0;
    for (const auto& job : stage.jobs) {
      for (const auto& op : job.ops) of_stage += op.stats.samples();
    }
    if (of_stage > 0) samples = of_stage;
  }
  EXPECT_EQ(states, GetParam().stages);
  if (GetParam().samples > 0) {
    EXPECT_EQ(samples, GetParam().samples);
  }
}

const std::vector<StageState> k_one(1, StageState::completed);
const std::vector<StageState> k_three(3, StageState::completed);
const std::vector<StageState> k_five(5, StageState::completed);

INSTANTIATE_TEST_SUITE_P(Posted, CasesTest,
                         ::testing::Values(Case{"issue299-work-type-write.xml", k_one},
                                           Case{"issue328-swift-rwd-delay.xml", k_five},
                                           Case{"issue346-single-object-read.xml", k_three, 8},
                                           Case{"issue349-pinned-drivers-delete.xml", k_one,
                                                40'000},
                                           Case{"issue394-stage-storage-delay.xml", k_five},
                                           Case{"issue424-s3-list.xml", k_one},
                                           Case{"issue433-runtime-and-totalops.xml", k_one, 20'000},
                                           Case{"sineio10-workers-over-totalops.xml", k_one, 20}),
                         [](const auto& param) {
                           std::string name = param.param.file;
                           name.resize(name.find('.'));
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace loadline::flow
