// fio's normal output, line by line as fio 3.33 prints it.
//
// Threads: pure functions. Every text ends in a newline, or is empty.
#pragma once

#include <string>

#include "dialects/fio/output/summary.h"
#include "plan/plan.h"

namespace loadline::dialects::fio::output {

// The version that the output is compatible with.
inline constexpr std::string_view k_version = "fio-3.33";

// The lines of the jobs, the version, and how many processes and threads start.
std::string opening_text(const plan::Plan& plan);
std::string laying_out_text(const std::string& job, std::size_t files, Bytes bytes);
// An empty line, the blocks, the groups and the devices.
std::string normal_text(const Summary& summary);

}  // namespace loadline::dialects::fio::output
