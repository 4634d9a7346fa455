// The canonical text of a Plan: JSON with an explicit version. One encoder, one decoder; what goes
// in comes out equal. docs/format/plan.md describes it.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "plan/plan.h"

namespace loadline::plan {

inline constexpr int k_text_version = 1;

enum class Secrets : std::uint8_t {
  masked,    // for stores, logs and pages
  revealed,  // for the drivers that run the plan
};

std::string to_text(const Plan& plan, Secrets secrets);

// Refuses other versions, unknown fields and impossible values, with Error.context the path of the
// offending field, e.g. "stages[0].jobs[1].workers".
Result<Plan> from_text(std::string_view text);

}  // namespace loadline::plan
