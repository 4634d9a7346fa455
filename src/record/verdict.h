// Doubts about a result, computed from the result alone. Each rule is a threshold that a reader can
// check by hand; docs/use/verdicts.md says of each when it can be wrong.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"
#include "record/run_result.h"

namespace loadline::record {

// What the result itself does not say about the run.
struct RunFacts {
  Duration clock_step{};     // wall time that passed, minus monotonic time that passed
  std::string build_type{};  // CMake's word; empty: built without optimisation
  bool sanitized = false;    // built with a sanitizer
  std::uint32_t cpus = 0;    // that this process may use; 0: unknown
};

// Verdicts are computed for jobs that ended at least one operation, walks (init, prepare, cleanup,
// dispose) included only where a rule says so.
namespace limits {

// client_bound: CPU time of worker threads as a share of wall time, jobs of at least k_load_least.
inline constexpr double k_busiest_thread = 0.90;
inline constexpr double k_mean_thread = 0.85;
inline constexpr Duration k_load_least = Duration::seconds(1);
// client_bound: the client looked away for this long, and for longer than the job's lowest p99.
inline constexpr Duration k_lag = Duration::milliseconds(10);
// client_bound: share of paced operations that left late although a worker was free.
inline constexpr double k_late_share = 0.01;

// too_short, walks left out: warning below the first, note below the second, and a note where one
// operation has fewer samples than p99.9 needs to be more than the maximum.
inline constexpr Duration k_window_least = Duration::seconds(1);
inline constexpr Duration k_window_good = Duration::seconds(10);
inline constexpr std::uint64_t k_samples_least = 1000;

// unfinished: operations under way at the end for longer than this, and than the job's highest
// p99.9. Walks left out; of a stage that was stopped only jobs that completed nothing.
inline constexpr Duration k_unfinished = Duration::seconds(1);

// clock_stepped: the wall clock gained or lost more than k_step + k_step_share of the run.
inline constexpr Duration k_step = Duration::milliseconds(50);
inline constexpr double k_step_share = 0.001;

// rate_not_reached: the paced job issued less than this share of what was due, and the shortfall is
// more than k_rate_sigmas standard deviations of a Poisson count.
inline constexpr double k_rate_share = 0.99;
inline constexpr double k_rate_sigmas = 3;
// ... and a job on blocks had this share of what it can have under way: it waited for the storage.
inline constexpr double k_waiting = 0.5;

}  // namespace limits

// In the order of stages, then of the rules in docs/use/verdicts.md; those of the whole run last.
// `not_steady` needs the ticks and comes from record/steady.h.
std::vector<Verdict> judge(const RunResult& result, const RunFacts& facts);

// The job's name, and " #2" behind it where others of the stage have the same.
std::string name_of(const StageResult& stage, const JobResult& job);
// "s3-main", or "s3-main, job read #2" in a stage of several jobs.
std::string place_of(const StageResult& stage, const JobResult& job);

// "8 operations were still under way at the end, the oldest for 9.8 s"
std::string under_way_text(const JobResult& job);

// True where every operation of the job walks a slice: it prepares or clears, and is no
// measurement.
bool only_walks(const JobResult& job);

}  // namespace loadline::record
