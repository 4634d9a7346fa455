// Writes one run's folder while the run goes on: ticks.jsonl and latency.hlog a line at a time,
// result.json and the index at the end.
//
// Memory: does not grow with the run. Errors: a tick that cannot be written is counted, the run
// goes on, and finish() tells. Threads: belongs to one thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "plan/plan.h"
#include "store/archive.h"
#include "store/files.h"
#include "store/run_index.h"

namespace loadline::store {

// Puts the state, times and sums of a result into its row.
void add_up(const record::RunResult& result, IndexRow& row);

class FolderWriter final : public RunWriter {
 public:
  // Puts plan.json (secrets masked), `files` and the empty logs into `folder`, which is new, and
  // the run into the archive's index.
  static Result<std::unique_ptr<RunWriter>> begin(const std::filesystem::path& archive,
                                                  IndexRow row, const plan::Plan& plan,
                                                  const std::map<std::string, std::string>& files);

  const std::string& id() const override { return id_; }
  const std::filesystem::path& folder() const override { return folder_; }
  void consume(const record::Tick& tick) override;
  Result<void> finish(const record::RunResult& result) override;

 private:
  // A file of a line or more a tick, and what could not be written of it.
  struct Log {
    AppendFile file;
    std::uint64_t lost = 0;  // ticks
    std::optional<Error> first_error;

    void append(const std::string& text);
    void close(std::vector<Error>& errors);
  };
  using Tags = std::vector<std::vector<std::vector<std::string>>>;  // [stage][job][operation]

  FolderWriter(const std::filesystem::path& archive, IndexRow row, RunIndex index, Log ticks,
               Log latencies, Tags tags);
  std::string latency_lines(const record::Tick& tick);

  std::filesystem::path folder_;
  std::string id_;
  IndexRow row_;
  RunIndex index_;
  Log ticks_;
  Log latencies_;
  Tags tags_;
  // Where the stage in progress began, since the base of latency.hlog.
  std::uint32_t stage_ = UINT32_MAX;
  Duration stage_start_;
};

}  // namespace loadline::store
