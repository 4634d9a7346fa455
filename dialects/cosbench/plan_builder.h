// From an expanded Workload to the Plan.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "dialects/cosbench/findings.h"
#include "dialects/cosbench/workload.h"
#include "plan/plan.h"

namespace loadline::dialects::cosbench {

struct PlanOptions {
  std::uint64_t seed = 0;
  std::span<const std::string> target_types;  // what this build can run
  // As in report::WorkloadText; may be null.
  Result<void> (*check_target)(const std::string& type,
                               const target::Parameters& parameters) = nullptr;
};

// Only whole where `findings` has not failed.
plan::Plan build_plan(const Workload& workload, const PlanOptions& options, Findings& findings);

}  // namespace loadline::dialects::cosbench
