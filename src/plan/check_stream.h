// The rules of plan/check.h for a job on streams.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "plan/plan.h"

namespace loadline::plan {

// One record of each file stays in memory and in the result.
inline constexpr std::uint64_t k_stream_files_max = 10'000'000;
// What one call of any storage can take.
inline constexpr std::uint64_t k_stream_buffer_max = 2'147'483'647;

// `path` is that of the job; job.stream is set.
Result<void> check_stream(const Job& job, const std::string& path);

}  // namespace loadline::plan
