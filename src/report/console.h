// The result of a run as text for people: one table, then failures, doubts, what was left behind
// and where the files are.
//
// Threads: pure functions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "record/run_result.h"
#include "report/live_view.h"

namespace loadline::report {

// What is printed besides the result.
struct ResultHeading {
  std::string id{};    // e.g. "w12"
  std::string name{};  // of the workload
  // What was written where, e.g. {"report", "archive/w12-sample/report.html"}.
  std::vector<std::pair<std::string, std::string>> files{};
};

std::string result_text(const record::RunResult& result, const ResultHeading& heading,
                        const TextStyle& style);

// One line when a stage has ended, without a newline: "s3-main completed in 30.0 s: 12345
// operations, 2 failed".
std::string stage_line(const record::StageResult& stage);

}  // namespace loadline::report
