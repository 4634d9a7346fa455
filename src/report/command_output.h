// A dialect with a command line of its own: `loadline fio ...` reads what fio reads, prints what
// fio prints and ends as fio ends, while the run is stored and reported like any other.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/units.h"
#include "plan/plan.h"
#include "record/tick.h"
#include "target/objects.h"

namespace loadline::store {
class StoredRun;
}

namespace loadline::report {

// What the tool prints while a run goes and after it. Writes to the streams itself, as its tool
// does. Threads: consume() is called by the thread that collects ticks, all else by the caller's
// but where it says so.
class CommandOutput : public record::TickSink {
 public:
  // The plan was accepted and every target opened; nothing has run.
  virtual void begin() = 0;
  // The files of a job are about to be written.
  virtual void laying_out(const plan::Job& job, std::size_t files, Bytes bytes) = 0;
  // Files are ready, the workers of a stage are about to start.
  virtual void stage_begins(std::size_t stage) = 0;
  // The user has asked by this signal that the run ends. Called by the thread that got it.
  virtual void stopping(int signal) = 0;
  // One complete tick, as it happens.
  void consume(const record::Tick& tick) override = 0;
  // The run has ended, however it ended. Returns the exit status.
  virtual int finish(const store::StoredRun& run) = 0;
  // What is to be done on the storage once the run has ended, before finish(); it is not part of
  // the run and nothing of it is kept. None: nothing. Not done after a run that was stopped or
  // whose storage hangs; a failure of it is a line on standard error.
  virtual std::optional<plan::Plan> epilogue(const store::StoredRun&) { return std::nullopt; }
  // The run could not begin: its storage refused. Prints the reason, returns the exit status.
  virtual int refused(const Error& error) = 0;
};

struct CommandWords {
  std::span<const std::string> words;  // those after the tool's name
  std::uint64_t seed = 0;
  std::vector<std::string> target_types;  // what this build can run
  bool terminal = false;                  // standard output is one
};

// To count what lies below paths of storages, instead of a run: `hadoop fs -count`. Nothing is
// written and nothing is kept.
struct CountRequest {
  struct Path {
    plan::TargetSpec target;
    std::string path;  // as that storage names it
  };
  std::vector<Path> paths;
  // Called once for each path, in order, as soon as it is counted, by the caller's thread; prints.
  // A storage that cannot be opened is an error of each of its paths.
  std::function<void(std::size_t path, const Result<target::ContentSummary>& counted)> show;
  // Called at last: the exit status.
  std::function<int()> finish;
};

// One of: answered at once (help, a mistake), everything printed, and `exit_status` counts; a plan
// to run, with its output; something to count.
struct ParsedCommand {
  int exit_status = 0;
  std::optional<plan::Plan> plan;
  std::map<std::string, std::string> files;  // into the run's folder, secrets masked
  std::unique_ptr<CommandOutput> output;
  std::optional<CountRequest> count{};
};

}  // namespace loadline::report
