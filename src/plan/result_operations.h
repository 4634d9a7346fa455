// The operations that results and ticks have of a job, in their order: those of its mix; of a job
// on blocks read, write, trim and sync; of a job on streams open, the call that moves data (read,
// write or truncate, its label the action's word) and close. A job that puts or removes small files
// has that one operation, an action of which each file is one sample.
//
// Threads: pure function.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"

namespace loadline::plan {

struct ResultOperation {
  std::string name;
  std::string label;
  Action action = Action::read;
};

std::vector<ResultOperation> result_operations(const Job& job);

}  // namespace loadline::plan
