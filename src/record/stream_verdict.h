// The rules of record/verdict.h for jobs on streams, from their files and the network meanwhile.
//
// Threads: pure functions.
#pragma once

#include <string>
#include <vector>

#include "record/run_result.h"

namespace loadline::record {

namespace limits {

// network_disagrees: reads of at least k_network_least; bytes received by all interfaces differ
// from those read by more than this share of them. Below k_network_any of them the storage is not
// behind a network.
inline constexpr Bytes k_network_least{64ULL << 20};
inline constexpr double k_network_differs = 0.20;
inline constexpr double k_network_any = 0.10;

}  // namespace limits

// Nothing where the job is not on streams.
std::vector<Verdict> judge_stream(const StageResult& stage, const JobResult& job,
                                  const std::string& where);

}  // namespace loadline::record
