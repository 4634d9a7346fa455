// Runs a workload's trigger scripts: `sh scripts/NAME arguments` before, `sh scripts/NAME -k`
// after. A trigger never fails a run; what it printed and how it ended is kept.
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "plan/plan.h"

namespace loadline::drive {

// Waits for the script, or ends it when stopped. Returns its output and how it ended, at most
// k_trigger_output_max bytes.
inline constexpr std::size_t k_trigger_output_max = 65536;
std::string run_trigger(const std::filesystem::path& scripts, const std::string& script,
                        const std::vector<std::string>& arguments, const std::stop_token& stop);

// Whether the scripts of all triggers can be read; names the path that is missing.
Result<void> check_triggers(const plan::Plan& plan, const std::filesystem::path& scripts);

}  // namespace loadline::drive
