// What files of jobs on streams a run left behind. Pure function.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"
#include "record/run_result.h"

namespace loadline::drive {

// One line for each job that made files which a later stage was to remove, and did not.
std::vector<std::string> left_streams(const plan::Plan& plan,
                                      const std::vector<record::StageResult>& stages);

}  // namespace loadline::drive
