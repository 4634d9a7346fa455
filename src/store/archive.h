// Results on disk: an archive is a folder with an SQLite index and one folder a run, COSBench's
// layout (docs/format/archive.md). Several processes may use one archive at a time.
//
// Threads: an Archive and a RunWriter belong to one thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "plan/plan.h"
#include "record/run_result.h"
#include "record/tick.h"
#include "store/stored_run.h"

namespace loadline::store {

// One line of `loadline list`.
struct RunSummary {
  std::string id;
  std::string name;
  std::string dialect;
  record::RunState state = record::RunState::running;
  WallTime started;
  Duration elapsed;
  std::uint64_t operations = 0;  // successes, all stages
  std::uint64_t failures = 0;
  Bytes bytes;
  std::uint64_t verdicts = 0;
  std::filesystem::path folder;
};

// Writes one run while it goes on: what is measured is on disk at most a tick later.
class RunWriter : public record::TickSink {
 public:
  virtual const std::string& id() const = 0;  // wN
  virtual const std::filesystem::path& folder() const = 0;
  void consume(const record::Tick& tick) override = 0;  // errors are kept for finish()
  // Writes result.json and the index. After this the run can be loaded.
  virtual Result<void> finish(const record::RunResult& result) = 0;
};

class Archive {
 public:
  // Creates the folder where it is missing; refuses one that cannot be written or whose disk is
  // full, before a run starts.
  static Result<std::unique_ptr<Archive>> open(const std::filesystem::path& folder);
  // For list, show and report: never creates or writes anything.
  static Result<std::unique_ptr<Archive>> open_to_read(const std::filesystem::path& folder);
  virtual ~Archive() = default;

  // Takes the next id, makes the run's folder with plan.json and `files` in it.
  virtual Result<std::unique_ptr<RunWriter>> begin(
      const plan::Plan& plan, const std::map<std::string, std::string>& files) = 0;
  virtual Result<std::vector<RunSummary>> list() = 0;  // oldest first
  // By id ("w12"), folder name, or "last". A vanished run loads with what its ticks say.
  virtual Result<StoredRun> load(const std::string& run) = 0;
};

}  // namespace loadline::store
