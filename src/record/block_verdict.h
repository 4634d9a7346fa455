// Doubts about what a job on blocks measured, from what its target saw of the storage: whether the
// figures are the storage's at all. Thresholds stand here; docs/use/verdicts.md says of each rule
// when it can be wrong.
//
// Threads: a pure function.
#pragma once

#include <string>
#include <vector>

#include "record/run_result.h"

namespace loadline::record {

namespace limits {

// from_cache: share of the bytes read that memory gave; a note from the second on.
inline constexpr double k_cached_warning = 0.5;
inline constexpr double k_cached_note = 0.05;
// only_in_memory: share of the bytes written that had not reached the storage.
inline constexpr double k_unwritten_warning = 0.5;
inline constexpr double k_unwritten_note = 0.05;
// holes: share of the range used that was never written.
inline constexpr double k_holes = 0.01;
// shallow_queue: less than this share of the depth asked for was really under way.
inline constexpr double k_depth_share = 0.5;

}  // namespace limits

// Nothing for jobs that are not on blocks.
std::vector<Verdict> judge_block(const JobResult& job, const std::string& where);

}  // namespace loadline::record
