// A run as the archive keeps it: what was asked, what came of it, and its ticks, read back one by
// one from disk.
//
// Threads: a value; each for_each_tick() reads the file anew.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "plan/plan.h"
#include "record/run_result.h"
#include "target/outcome.h"

namespace loadline::store {

// One operation in one tick, as kept on disk (docs/format/ticks.md).
struct OpTick {
  std::uint64_t successes = 0;
  std::uint64_t failures = 0;
  std::array<std::uint64_t, target::k_outcomes> outcomes{};  // both of them, by outcome
  std::uint64_t outside = 0;                                 // ended outside the measured window
  Bytes bytes;
  std::uint64_t service_sum_ns = 0;
  std::uint64_t response_sum_ns = 0;  // of paced operations: from when they were due
  std::uint64_t first_byte_sum_ns = 0;
  std::uint64_t first_byte_count = 0;
  Duration p50;  // of latency(): response time where paced, else service time
  Duration p99;
  Duration max;
};

struct TickRow {
  std::uint32_t stage = 0;
  std::uint64_t index = 0;
  Duration start;  // since the stage's start
  Duration length;
  WallTime ended;
  std::vector<std::vector<OpTick>> jobs;  // [job][operation]
};

class StoredRun {
 public:
  StoredRun(std::filesystem::path archive, std::filesystem::path folder, std::string id,
            plan::Plan plan, record::RunResult result);

  const std::filesystem::path& archive() const { return archive_; }
  const std::filesystem::path& folder() const { return folder_; }  // archive/wN-NAME
  const std::string& id() const { return id_; }                    // wN
  const plan::Plan& plan() const { return plan_; }                 // secrets masked
  const record::RunResult& result() const { return result_; }
  // In order of stage and index. Error where the file is damaged; rows before it were delivered.
  Result<void> for_each_tick(const std::function<void(const TickRow&)>& take) const;

 private:
  std::filesystem::path archive_;
  std::filesystem::path folder_;
  std::string id_;
  plan::Plan plan_;
  record::RunResult result_;
};

}  // namespace loadline::store
