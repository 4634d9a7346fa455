// Counts what lies below paths of storages for a tool's command that asks for that instead of a run
// (report/command_output.h).
#pragma once

#include <vector>

#include "report/command_output.h"
#include "target/target.h"

namespace loadline::app {

// The exit status, as the request has it.
int count_command(const report::CountRequest& request,
                  const std::vector<target::TargetType>& types);

}  // namespace loadline::app
