// Rules that hold for a Plan from any dialect. Dialects check what they can name better (with line
// and column) before; this is the last gate before a run, and the decoder's.
#pragma once

#include "base/error.h"
#include "plan/plan.h"

namespace loadline::plan {

// The largest number of workers a plan may ask for.
inline constexpr std::uint32_t k_workers_max = 1'000'000;

// Error.context is the path of the offending field.
Result<void> check(const Plan& plan);

}  // namespace loadline::plan
