// workload.log and scripts.log in COSBench's shape: a line of = per stage, a line of - per mission,
// then what there is to say. Failures are one line for each kind, never one for each operation.
#pragma once

#include <span>
#include <string>

#include "dialects/cosbench/report_rows.h"
#include "store/stored_run.h"

namespace loadline::dialects::cosbench {

std::string workload_log(const store::StoredRun& run, std::span<const StageRows> stages);
// With what the triggers printed.
std::string scripts_log(const store::StoredRun& run);

}  // namespace loadline::dialects::cosbench
