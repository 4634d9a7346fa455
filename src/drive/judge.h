// What a finished stage means: the rules that make it completed or failed, and what data a run left
// behind. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"
#include "record/run_result.h"

namespace loadline::drive {

// Empty where the stage is fine. Failed is a job with more failures than it accepts
// (failures > samples * acceptable / 10^6, whole numbers), or an operation that was tried and never
// succeeded.
std::string reason_to_fail(const plan::Stage& stage, const std::vector<record::JobResult>& jobs);

// One line per set of containers in which the run wrote more objects than it removed, or which it
// made and did not remove. Only what the plan meant to remove later is worth a line.
std::vector<std::string> left_behind(const plan::Plan& plan,
                                     const std::vector<record::StageResult>& stages);

}  // namespace loadline::drive
