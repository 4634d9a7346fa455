// Runs a plan on one driver: this process. prepare() does everything that can go wrong before the
// first operation; execute() then always comes back with a result, whatever happens.
//
// Ownership: borrows the plan and everything in RunOptions. Threads: one thread calls; the stop
// token may be triggered from any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "drive/block_files.h"
#include "drive/live.h"
#include "plan/plan.h"
#include "record/run_result.h"
#include "record/tick.h"
#include "target/target.h"

namespace loadline::drive {

struct RunOptions {
  const std::vector<target::TargetType>* target_types = nullptr;
  const Clock* clock = nullptr;
  Log* log = nullptr;
  std::uint32_t threads = 0;                  // 0: one per core this process may use
  bool preflight = true;                      // ask the storages before the run
  Duration drain = Duration::seconds(10);     // for what is under way when a stage's time is up
  std::filesystem::path scripts = "scripts";  // of triggers
  std::stop_token stop;
  LiveBoard* live = nullptr;  // may be null
  LayoutObserver layout{};    // may be empty; called from the run's thread
  // The files of a stage are ready, its workers are about to start. May be empty; likewise.
  std::function<void(std::size_t stage)> stage_begins{};
};

class Run {
 public:
  // Opens every target, checks what they can do against what the plan asks, and asks the storages.
  // Error: bad input or a storage that will not do; nothing has been touched.
  static Result<std::unique_ptr<Run>> prepare(const plan::Plan& plan, const RunOptions& options);
  // The same without asking anything outside: whether every target can be opened, can do what the
  // plan asks of it, and every trigger is there.
  static Result<void> check(const plan::Plan& plan, const RunOptions& options);
  virtual ~Run() = default;

  // Once. State, stages, left_behind and the labels of time are filled in; context and verdicts are
  // the caller's.
  virtual record::RunResult execute(record::TickSink& ticks) = 0;
  // After execute(): threads of it hang in the storage and were left behind. They use what the
  // options name, so the process is to end (leave, not return from main) before that goes.
  virtual bool left_threads() const = 0;
};

// Cores that this process may run on.
std::uint32_t cores_available();

}  // namespace loadline::drive
