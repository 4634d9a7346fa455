// What to make of a run that has ended, the same for every command that runs one.
#pragma once

#include "record/run_result.h"
#include "record/steady.h"

namespace loadline::app {

// Puts the verdicts into a result whose labels of time and stages are filled in.
void judge_run(record::RunResult& result, const record::SteadyWatch& steady);

}  // namespace loadline::app
