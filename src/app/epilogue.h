// What a tool's command still has to do on the storage when its run has ended, e.g. to leave the
// files that its users look for: a plan of its own that nobody measures.
#pragma once

#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "plan/plan.h"
#include "target/target.h"

namespace loadline::app {

inline constexpr Duration k_epilogue_most = Duration::seconds(60);

struct Epilogue {
  Result<void> done;          // or why it could not be done, whole or in part
  bool left_threads = false;  // as drive::Run::left_threads(): the process is to leave
};

// Runs the plan quietly; nothing of it is stored. Ends within k_epilogue_most and a few seconds.
Epilogue run_epilogue(plan::Plan plan, const std::vector<target::TargetType>& types,
                      const Clock& clock);

}  // namespace loadline::app
