// From options to a Plan: old data is removed as TestDFSIO removes it, control files are written,
// then comes the operation itself. And the plan of what follows: the reducer's output.
//
// Errors: bad_input; the context is the option. Threads: pure but for `world`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "dialects/testdfsio/options.h"
#include "dialects/testdfsio/run_source.h"
#include "dialects/testdfsio/statistics.h"
#include "dialects/testdfsio/surroundings.h"
#include "plan/plan.h"

namespace loadline::dialects::testdfsio {

// Ids of stages.
inline constexpr std::string_view k_stage_old_control = "old-control";  // removed
inline constexpr std::string_view k_stage_control = "control";          // written
inline constexpr std::string_view k_stage_old_data = "old-data";        // removed
inline constexpr std::string_view k_stage_run = "run";
inline constexpr std::string_view k_stage_clean = "clean";
inline constexpr std::string_view k_stage_clean_base = "clean-base";

// With more files than this no control files are written: nothing reads them but the tasks of
// TestDFSIO, which makes its own.
inline constexpr std::uint64_t k_control_files_most = 10'000;

struct PlannedCommand {
  plan::Plan plan;
  RunSource source;
  std::vector<std::string> warnings;
};

// `seed` is what the run's random choices begin with where the options say nothing.
Result<PlannedCommand> to_plan(const Options& options, std::uint64_t seed,
                               const Surroundings& world);

// Puts what TestDFSIO's reducer leaves behind beside the data of the run.
plan::Plan reducer_output(const plan::Plan& run, const RunSource& source, const TaskSums& sums);

}  // namespace loadline::dialects::testdfsio
