#include "drive/left_streams.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline::drive {
namespace {

using plan::StreamAction;
using record::StageState;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

plan::Stage stage(const std::string& id, StreamAction action, const std::string& prefix = "f") {
  plan::StreamIo io{.action = action, .folder = "/d", .prefix = prefix, .files = 10};
  if (action == StreamAction::put) io.puts = {{"a", "1"}, {"b", "2"}};
  plan::Stage made{.id = id, .name = id};
  made.jobs.push_back({.name = "job", .stream = io});
  return made;
}

record::StageResult result(StageState state, std::vector<std::uint64_t> files) {
  record::StageResult made{.state = state};
  record::JobResult& job = made.jobs.emplace_back();
  for (const std::uint64_t number : files) job.files.push_back({.number = number});
  return made;
}

TEST(LeftStreams, are_files_that_a_later_stage_was_to_remove) {
  const plan::Plan plan{
      .stages = {stage("s1", StreamAction::write), stage("s2", StreamAction::remove)}};
  EXPECT_THAT(left_streams(plan, {result(StageState::completed, {3, 1, 2}),
                                  result(StageState::aborted, {})}),
              ElementsAre("folder /d: 3 files from f1 to f3"));
  EXPECT_THAT(
      left_streams(plan, {result(StageState::completed, {3}), result(StageState::cancelled, {})}),
      ElementsAre("folder /d: file f3"));
  EXPECT_THAT(
      left_streams(plan, {result(StageState::completed, {3}), result(StageState::completed, {3})}),
      IsEmpty());
  EXPECT_THAT(left_streams(plan, {result(StageState::failed, {}), result(StageState::failed, {})}),
              IsEmpty());
}

TEST(LeftStreams, are_none_where_the_files_are_meant_to_stay) {
  // As TestDFSIO does it: what was there goes before the files are written.
  const plan::Plan plan{.stages = {stage("s1", StreamAction::remove),
                                   stage("s2", StreamAction::write),
                                   stage("s3", StreamAction::remove, "other")}};
  EXPECT_THAT(
      left_streams(plan, {result(StageState::completed, {}), result(StageState::completed, {0, 1}),
                          result(StageState::failed, {})}),
      IsEmpty());
}

}  // namespace
}  // namespace loadline::drive
