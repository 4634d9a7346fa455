// The HTML report as a pure function: one page, everything inline, nothing fetched.
//
// Threads: pure functions.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"
#include "record/run_result.h"
#include "report/html_charts.h"

namespace loadline::report {

struct PageInput {
  std::string id;                   // of the run, e.g. "w12"
  const plan::Plan& plan;           // secrets masked; outlives the call
  const record::RunResult& result;  // outlives the call
  std::vector<StageSeries> stages;  // as in the result; may be shorter
  std::string ticks_error;          // why the charts are not whole; empty: they are
};

std::string html_page(const PageInput& input);

}  // namespace loadline::report
