// Runs one stage on one driver: opens the sessions, gives every job its worker threads, lets them
// start together, passes their ticks on, and puts the results together.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "engine/content.h"
#include "plan/plan.h"
#include "record/run_result.h"
#include "record/tick.h"
#include "target/target.h"

namespace loadline::engine {

// The most worker threads one stage may have (a blocking target has one per virtual worker).
inline constexpr std::uint32_t k_threads_max = 8192;

struct StageOptions {
  const plan::Stage* stage = nullptr;
  std::uint32_t index = 0;               // in the plan
  std::vector<target::Target*> targets;  // one a job, opened; borrowed
  const ContentPool* content = nullptr;
  const Clock* clock = nullptr;
  std::uint64_t seed = 0;
  std::uint32_t threads = 1;  // for all jobs together, at least one a job
  Duration drain = Duration::seconds(10);
  std::stop_token stop;
  record::TickSink* ticks = nullptr;
  Duration tick = Duration::seconds(1);
  // Why a job on blocks cannot begin, one a job; empty: all can. Such a job ends with this error.
  std::vector<std::optional<Error>> refused;
  // Told once what a stop still waits for, where that takes long. May be empty; called by the
  // caller's thread.
  std::function<void(const std::string&)> waiting;
};

struct StageOutcome {
  std::vector<record::JobResult> jobs;  // none where a stop came before all could be started
  Duration elapsed;
  bool stopped = false;                 // by the stop token
  bool ends_run = false;                // a job asked for that with its end
  std::optional<std::string> given_up;  // why a job could not go on
  bool storage_hangs = false;  // operations under way did not end although the stage was stopped
  // Threads that were left behind for that: they use everything of the options until the process
  // ends, so nothing of it may be destroyed.
  bool left_threads = false;
};

// Ends in bounded time once it is stopped, `drain` and a few seconds. Error where a session cannot
// be opened or a file list cannot be read: nothing was issued then.
Result<StageOutcome> run_stage(const StageOptions& options);

}  // namespace loadline::engine
