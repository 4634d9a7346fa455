// The tables: wN-NAME.csv of a run, and a run's lines of run-history.csv and workloads.csv.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dialects/cosbench/report_rows.h"
#include "store/stored_run.h"

namespace loadline::dialects::cosbench {

inline constexpr std::string_view k_run_history_header =
    "Id,Name,Submitted-At,Started-At,Stopped-At,Op-Info,State,Detailed State\n";
inline constexpr std::string_view k_workloads_header =
    "Id,Op-Name,Op-Count,Byte-Count,Worker-Count,Avg-ResTime,Avg-ProcTime,60%-ResTime,80%-ResTime,"
    "90%-ResTime,95%-ResTime,99%-ResTime,100%-ResTime,Throughput,Bandwidth,Succ-Ratio,Config-"
    "Info\n";
inline constexpr std::string_view k_result_header =
    "Stage,Op-Name,Op-Type,Op-Count,Byte-Count,Avg-ResTime,Avg-ProcTime,60%-ResTime,80%-ResTime,"
    "90%-ResTime,95%-ResTime,99%-ResTime,100%-ResTime,Throughput,Bandwidth,Succ-Ratio,Status,"
    "Detailed Status\n";

std::string run_history_line(const store::StoredRun& run);
std::string workloads_lines(const store::StoredRun& run, std::span<const StageRows> stages);
// With its header.
std::string result_csv(std::span<const StageRows> stages);

}  // namespace loadline::dialects::cosbench
