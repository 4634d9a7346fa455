// What a finished stage means: the rules that make it completed or failed. Pure functions.
#pragma once

#include <string>

#include "plan/plan.h"
#include "record/run_result.h"

namespace loadline::drive {

// Empty where the stage is fine. Failed is a job with more failures than it accepts
// (failures > samples * acceptable / 10^6, whole numbers), or an operation that was tried and never
// succeeded, or a job of which nothing completed although operations were under way at its end.
std::string reason_to_fail(const plan::Stage& stage, const record::StageResult& result);

}  // namespace loadline::drive
