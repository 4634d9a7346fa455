// Everything a run has to say: what ran, what came of it, and whether to believe it. Intervals are
// not here: they stream past a TickSink as they happen, so that a long run needs no more memory
// than a short one.
//
// Threads: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/units.h"
#include "plan/plan.h"
#include "record/block_counters.h"
#include "record/interface_counters.h"
#include "record/op_stats.h"
#include "record/stream_files.h"

namespace loadline::record {

inline constexpr int k_schema_version = 1;

enum class RunState : std::uint8_t {
  running,
  finished,
  failed,      // a stage failed: too many failures, or an operation that never succeeded
  terminated,  // a stage could not go on; later ones did not run
  cancelled,   // stopped by the user
  vanished,    // its process was gone before it had left a result
};

enum class StageState : std::uint8_t {
  waiting,
  running,
  sleeping,
  completed,
  failed,
  terminated,
  cancelled,
  aborted,  // not run, because an earlier stage was terminated
};

std::string_view to_string(RunState state);
std::string_view to_string(StageState state);

// A doubt about a result, computed from the result.
struct Verdict {
  enum class Level : std::uint8_t { note, warning };
  std::string id;  // "client_bound", "too_short", "clock_stepped", "debug_build", ...
  Level level = Level::warning;
  std::string where;  // stage and job, or empty for the run
  std::string text;   // one sentence: what was seen, and what to do about it
  bool operator==(const Verdict&) const = default;
};

std::string_view to_string(Verdict::Level level);

struct OpResult {
  std::string name;   // as in the plan
  std::string label;  // the dialect's operation type
  plan::Action action = plan::Action::read;
  OpStats stats;
};

// How busy the generator itself was during a job.
struct ClientLoad {
  std::uint32_t threads = 0;
  Duration wall;                  // the job's whole time, ramps included
  Duration cpu_of_threads;        // CPU time of the job's worker threads, added up
  Duration cpu_of_busiest;        // of the one that used most
  std::uint64_t loops = 0;        // rounds of the worker loops
  Duration lag_max;               // longest time between two looks at a worker's completions
  std::uint64_t late_issues = 0;  // paced operations issued later than 1 ms after their time
                                  // although a worker was free
};

struct JobResult {
  std::string name;
  std::string label;
  std::uint32_t workers = 0;
  std::string target;       // type
  std::string target_says;  // what the storage says of itself
  // Measured time: what rates are computed over. Of a paced job also the time after its runtime
  // that its last operations took.
  Duration window;
  Duration window_start;               // its begin, since the stage's start
  std::uint64_t in_flight_at_end = 0;  // started inside the window, ended after it or cut off
  Duration oldest_in_flight;           // how long the oldest of them had been under way by then
  std::uint64_t never_issued = 0;      // paced operations that were due but had no free worker
  Rate offered;                        // of a paced job
  bool pauses = false;                 // on purpose (think times, a replay that keeps the times),
                                       // so that idle times are the workload's own
  ClientLoad client;
  std::vector<OpResult> ops;           // of a job on blocks: read, write, trim, sync
  std::optional<BlockCounters> block;  // of a job on blocks
  StreamFiles files;                   // of a job on streams
  // Of a job on streams: from the start of its stage's jobs to the end of the last.
  std::vector<InterfaceCounters> interfaces{};
  std::vector<std::string> remarks{};  // what else its user should know, a line each
};

struct StageResult {
  std::string id;
  std::string name;
  StageState state = StageState::waiting;
  std::string reason;  // of failed and terminated, one line
  WallTime started;    // labels; unset where the stage never started
  WallTime ended;
  Duration elapsed;  // on the monotonic clock
  std::vector<std::pair<StageState, WallTime>> history;
  std::string trigger_output;
  std::vector<JobResult> jobs;
};

struct RunResult {
  RunState state = RunState::running;
  std::string reason;
  WallTime submitted;
  WallTime started;
  WallTime ended;
  Duration elapsed;
  std::vector<StageResult> stages;
  std::vector<Verdict> verdicts;
  std::string trigger_output;            // of the workload's own trigger
  std::vector<std::string> left_behind;  // data that the run made and did not remove
  // Host, kernel, CPU, versions, seed, command line ...: ordered, for people; secrets masked.
  std::vector<std::pair<std::string, std::string>> context;
};

}  // namespace loadline::record
