#include "report/console.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "report/test_sample.h"
#include "report/text_table.h"

namespace loadline::report {
namespace {

using testing::HasSubstr;
using testing::Not;

// LOADLINE_UPDATE_GOLDEN=1 writes the file anew.
void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(LOADLINE_TESTDATA) + "/" + name;
  if (std::getenv("LOADLINE_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text;
  std::ostringstream golden;
  golden << std::ifstream(path).rdbuf();
  EXPECT_EQ(text, golden.str()) << name;
}

ResultHeading heading() {
  return {.id = "w1",
          .name = "s3-sample",
          .files = {{"report", "archive/w1-s3-sample/report.html"},
                    {"json", "archive/w1-s3-sample/result.json"}}};
}

TEST(ResultText, of_a_whole_run_is_what_the_golden_file_says) {
  const test::Sample sample = test::sample_run();
  expect_golden("console_wide.txt", result_text(sample.result, heading(), {}));
  expect_golden("console_80_columns.txt", result_text(sample.result, heading(), {.width = 80}));
}

TEST(ResultText, of_a_cancelled_run_says_how_far_it_came) {
  test::Sample sample = test::sample_run();
  record::RunResult& result = sample.result;
  result.state = record::RunState::cancelled;
  result.reason = "interrupted";
  result.stages[2].state = record::StageState::cancelled;
  result.stages[2].jobs.pop_back();
  for (const std::size_t i : {3, 4}) {
    result.stages[i].state = record::StageState::aborted;
    result.stages[i].jobs.clear();
    result.stages[i].elapsed = Duration();
  }
  result.verdicts.clear();
  result.left_behind = {"mycontainers1..2: up to 100 objects of s2-prepare"};
  expect_golden("console_cancelled.txt", result_text(result, heading(), {}));
}

TEST(ResultText, survives_an_empty_result) {
  EXPECT_EQ(result_text({}, {}, {}), "running after 0.0 s\n");
}

TEST(ResultText, has_escape_codes_only_when_told_and_only_its_own) {
  test::Sample sample = test::sample_run();
  sample.result.stages[0].id = "s1-\x1b[2Jevil";
  sample.result.stages[0].jobs[0].ops[0].name = "\x1b]0;title\a";
  sample.result.verdicts[0].text = "\x1b[31m";
  EXPECT_THAT(result_text(sample.result, heading(), {}), Not(HasSubstr("\x1b")));
  const std::string text = result_text(sample.result, heading(), {.colour = true});
  EXPECT_THAT(text, HasSubstr("\x1b[33m  warning client_bound\x1b[0m"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b[2J")));
}

TEST(ResultText, tells_jobs_of_one_name_apart_and_adds_them_up) {
  test::Sample sample = test::sample_run();
  std::vector<record::JobResult>& jobs = sample.result.stages[2].jobs;
  jobs[1] = jobs[0];
  const std::string text = result_text(sample.result, heading(), {});
  EXPECT_THAT(text, HasSubstr("main #1"));
  EXPECT_THAT(text, HasSubstr("main #2"));
  EXPECT_THAT(text, HasSubstr("s3-main main #2 read: not_found"));
  EXPECT_THAT(text, testing::ContainsRegex("all 2 +read +80000 +504 +2667 +170.7 "));
}

TEST(ResultText, says_how_many_containers_could_not_be_removed) {
  test::Sample sample = test::sample_run();
  record::OpStats& dispose = sample.result.stages[4].jobs[0].ops[0].stats;
  dispose.clear();
  dispose.container_failures = 40;
  EXPECT_THAT(result_text(sample.result, heading(), {}), HasSubstr("dispose (0 of 40 containers)"));
}

TEST(StageLine, sums_up_a_stage) {
  test::Sample sample = test::sample_run();
  EXPECT_EQ(stage_line(sample.result.stages[2]),
            "s3-main completed in 35.0 s: 56252 operations, 252 failed");
  record::StageResult sleep;
  sleep.id = "s2-delay";
  sleep.state = record::StageState::terminated;
  sleep.reason = "no \"driver1\"";
  sleep.elapsed = Duration::seconds(8);
  EXPECT_EQ(stage_line(sleep), "s2-delay terminated in 8.0 s: no \"driver1\"");
}

}  // namespace
}  // namespace loadline::report
