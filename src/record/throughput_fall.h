// Whether throughput fell for a while in the midst of a job, and when: the rule of the verdict
// "throughput_fell" (docs/use/verdicts.md). A server that dies, restarts or fails over shows there.
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "base/units.h"
#include "record/run_result.h"

namespace loadline::record {

// What one tick, or several added up, has moved.
struct Moved {
  double operations = 0;  // successes
  double bytes = 0;
};

namespace limits {

// A tick is low where it moved less than this share of what is usual: what a quarter of the ticks
// reach that moved anything, and no more than a paced job was to move. Low ticks in a row are a
// fall where there are at least k_fall_ticks of them, where they last k_fall_latencies times the
// median latency of the job's slowest operation or longer (workers in step would look like falls
// otherwise), and where more than k_fall_sigmas standard deviations of a Poisson count are missing.
// Windows of fewer ticks than k_fall_window are not looked at.
inline constexpr double k_fall_share = 0.5;
inline constexpr std::size_t k_fall_ticks = 2;
inline constexpr int k_fall_latencies = 4;
inline constexpr double k_fall_sigmas = 5;
inline constexpr std::size_t k_fall_window = 6;

}  // namespace limits

struct Fall {
  std::size_t first = 0;  // low ticks are [first, end)
  std::size_t end = 0;
  bool of_bytes = false;   // else of operations: none moved bytes
  double during = 0;       // bytes or operations a tick, in it
  double usual = 0;        // the same, see above
  std::size_t others = 0;  // further falls, that missed less
};

struct FallBounds {
  double ticks_least = 0;       // a fall is at least that long besides
  std::optional<double> paced;  // bytes or operations a tick that were asked for
};

// Of equally long ticks, oldest first: the fall that missed most.
std::optional<Fall> worst_fall(std::span<const Moved> ticks, const FallBounds& bounds);

// `cells` are of equal length from the stage's start on. Looks at whole cells inside the job's
// window alone; of a job on streams, while all its workers had files to move.
std::optional<Verdict> judge_fall(const StageResult& stage, const JobResult& job, Duration cell,
                                  std::span<const Moved> cells);

}  // namespace loadline::record
