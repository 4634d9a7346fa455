// The charts of one stage: throughput and latency over time, and the latencies by percentile.
//
// Threads: plain values and pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/run_result.h"
#include "report/time_series.h"

namespace loadline::report {

struct StageSeries {
  std::uint64_t ticks = 0;
  std::vector<std::vector<TimeSeries>> jobs;  // [job][operation], as in the result
};

// Without any tick yet.
std::vector<StageSeries> series_of(const record::RunResult& result);
// Rows in order; what the result does not know is left out.
void add_tick(std::vector<StageSeries>& stages, const store::TickRow& row);

// Charts for every stage long enough to have some; empty for others.
std::string stage_charts(const record::StageResult& stage, const StageSeries& series);

// Fewer ticks make no chart over time, fewer samples no curve.
inline constexpr std::uint64_t k_ticks_for_charts = 3;
inline constexpr std::uint64_t k_samples_for_curve = 100;
inline constexpr std::uint64_t k_samples_alone = 1000;  // where the curve would be the only chart

}  // namespace loadline::report
