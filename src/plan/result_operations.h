// The operations that results and ticks have of a job, in their order: those of its mix, or of a
// job on blocks read, write, trim and sync.
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
