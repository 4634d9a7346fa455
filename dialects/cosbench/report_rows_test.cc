#include "dialects/cosbench/report_rows.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <time.h>

namespace loadline::dialects::cosbench {
namespace {

using record::StageState;

// 1970-01-01 00:00:0N in UTC.
WallTime at(std::int64_t second) { return WallTime::from_ns(second * 1'000'000'000); }

class TransitionsTest : public ::testing::Test {
 protected:
  TransitionsTest() {
    ::setenv("TZ", "UTC0", 1);
    ::tzset();
  }
  // "waiting 1, running 2"
  static std::string cells(record::StageResult stage) {
    std::string text;
    for (std::string cell : transition_cells(stage, at(1))) {
      const std::size_t date = cell.find(" @ 1970-01-01 00:00:0");
      EXPECT_NE(date, std::string::npos) << cell;
      text += (text.empty() ? "" : ", ") + cell.substr(0, date) + " " + cell.back();
    }
    return text;
  }
};

TEST_F(TransitionsTest, show_cosbenchs_finer_states) {
  EXPECT_EQ(cells({.state = StageState::completed,
                   .history = {{StageState::waiting, at(1)},
                               {StageState::running, at(2)},
                               {StageState::completed, at(3)}}}),
            "waiting 1, booting 2, submitting 2, authing 2, launching 2, running 2, closing 3, "
            "completed 3");
}

TEST_F(TransitionsTest, of_sleeping_stages) {
  EXPECT_EQ(cells({.state = StageState::completed,
                   .history = {{StageState::waiting, at(1)},
                               {StageState::sleeping, at(2)},
                               {StageState::completed, at(3)}}}),
            "waiting 1, sleeping 2, completed 3");
  EXPECT_EQ(cells({.state = StageState::failed,
                   .history = {{StageState::waiting, at(1)},
                               {StageState::running, at(2)},
                               {StageState::sleeping, at(3)},
                               {StageState::failed, at(4)}}}),
            "waiting 1, booting 2, submitting 2, authing 2, launching 2, running 2, closing 3, "
            "sleeping 3, failed 4");
}

TEST_F(TransitionsTest, of_stages_that_were_ended) {
  EXPECT_EQ(cells({.state = StageState::cancelled,
                   .history = {{StageState::waiting, at(1)},
                               {StageState::running, at(2)},
                               {StageState::cancelled, at(3)}}}),
            "waiting 1, booting 2, submitting 2, authing 2, launching 2, running 2, cancelled 3");
  EXPECT_EQ(cells({.state = StageState::aborted,
                   .history = {{StageState::waiting, at(1)}, {StageState::aborted, at(3)}}}),
            "waiting 1, aborted 3");
}

TEST_F(TransitionsTest, are_made_up_from_what_a_vanished_run_left) {
  EXPECT_EQ(cells({.state = StageState::terminated, .started = at(2), .ended = at(4)}),
            "waiting 1, booting 2, submitting 2, authing 2, launching 2, running 2, terminated 4");
  EXPECT_EQ(cells({.state = StageState::aborted}), "waiting 1, aborted 1");
  EXPECT_EQ(state_word(record::RunState::running), "terminated");
}

}  // namespace
}  // namespace loadline::dialects::cosbench
