// What data a run left behind. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"
#include "record/run_result.h"

namespace loadline::drive {

// One line per set of objects that the run wrote and no completed cleanup covers, by the names of
// containers and objects, and one per set of containers that it made and did not remove. Only of
// containers that the plan meant to clean is anything worth a line. Files of jobs on streams
// likewise (left_streams.h).
std::vector<std::string> left_behind(const plan::Plan& plan,
                                     const std::vector<record::StageResult>& stages);

}  // namespace loadline::drive
