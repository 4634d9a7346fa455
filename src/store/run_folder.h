// Names inside a run's folder, wN-NAME. docs/format/archive.md says what each holds.
#pragma once

namespace loadline::store {

inline constexpr const char* k_plan_file = "plan.json";
inline constexpr const char* k_result_file = "result.json";
inline constexpr const char* k_ticks_file = "ticks.jsonl";
inline constexpr const char* k_latency_file = "latency.hlog";

}  // namespace loadline::store
