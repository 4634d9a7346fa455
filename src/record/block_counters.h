// What is counted of a job on blocks besides its four operations (read, write, trim, sync): how
// deep its queue was, what its thread cost, why it stopped, and what the storage was seen to do.
//
// Threads: plain values. Times are of the monotonic clock, since the job's own start.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/units.h"
#include "plan/block_io.h"
#include "target/objects.h"

namespace loadline::record {

// Why a job on blocks came to its end.
enum class BlockStop : std::uint8_t {
  size,            // everything was moved
  runtime,         // its time was over
  operations,      // the number that was asked for
  space,           // the device is full, which was asked for
  steady,          // the steady state was reached
  latency_target,  // the depth for the latency was found
  error,           // a failure that is not tolerated; `failure` says which
  signal,          // stopped from outside
  laid_out,        // the files were made, and that was all
  other_job,       // another job ended, and this one with it
};

std::string_view to_string(BlockStop stop);

// Doubling buckets. Depth: 1, 2, 4, 8, 16, 32, 64 and more. Calls: 0, 1-4, 5-8, .. 33-64, more.
inline constexpr std::size_t k_depth_buckets = 7;
using DepthBuckets = std::array<std::uint64_t, k_depth_buckets>;
std::size_t depth_bucket(std::uint64_t depth);
std::size_t call_bucket(std::uint64_t operations);

struct BlockDirection {
  Duration runtime;                   // from its first issue to its last end, inside the window
  std::uint64_t short_transfers = 0;  // answered in part, and continued
  std::uint64_t errors = 0;           // failures, tolerated or not
  bool operator==(const BlockDirection&) const = default;
};

// As many are kept of BlockCounters::mismatches.
inline constexpr std::size_t k_mismatches_kept = 64;

// The first failure, whole.
struct BlockFailure {
  int error = 0;          // errno; 0: none
  std::string operation;  // "read", "write", "trim", "sync", "verify", "open", "rate", ...
  std::string file;
  Bytes offset;
  Bytes length;
  std::string text;
  bool operator==(const BlockFailure&) const = default;
};

struct SteadyReport {
  bool attained = false;
  double deviation = 0;  // largest from the mean, or the slope: as the rule says, in percent of the
                         // mean or in its unit
  double slope = 0;
  // One row an interval of the last window: operations and bytes per second, mean latency.
  std::vector<double> iops;
  std::vector<double> bytes_per_second;
  std::vector<double> latency_ns;
  bool operator==(const SteadyReport&) const = default;
};

struct LatencyTargetReport {
  std::uint32_t depth = 0;  // the highest one that keeps the limit
  bool found = false;       // false: not even depth 1, or the job ended first
  bool operator==(const LatencyTargetReport&) const = default;
};

struct BlockCounters {
  DepthBuckets depth{};      // operations under way when each one was handed over
  DepthBuckets submits{};    // operations per call
  DepthBuckets completes{};  // operations per look
  std::array<BlockDirection, plan::k_directions> directions;
  std::uint64_t sync_errors = 0;
  std::uint64_t verify_errors = 0;
  std::uint64_t verified = 0;  // blocks that were compared
  Duration end_sync;           // of the syncs at the end: part of the writes' run time
  Duration elapsed;            // of the job, ramp and verification included
  Duration started;            // since the stage's start
  Duration cpu_user;           // of the job's thread
  Duration cpu_system;
  std::uint64_t context_switches = 0;
  std::uint64_t major_faults = 0;
  std::uint64_t minor_faults = 0;
  std::int64_t thread_id = 0;  // of a process of its own: the process's number
  int signal = 0;              // that ended that process; 0: none
  BlockStop stop = BlockStop::size;
  BlockFailure failure;
  std::vector<BlockFailure>
      mismatches;  // the first that verification found wrong, or were let pass and are to be named
  std::vector<std::pair<int, std::uint64_t>> errors;  // errno, times
  std::optional<LatencyTargetReport> latency_target;
  std::optional<SteadyReport> steady;
  std::optional<target::Observed> observed;
  std::vector<std::string> laid_out;  // files that were filled before the job
  Bytes asked;                        // the range that the plan names, over all files
  Bytes used;                         // as much of it as the files have
  std::optional<Bytes> unsynced{};    // written since the last sync; unset: there was none
  std::vector<std::string> remarks;   // what the user should know besides, a line each

  std::uint64_t total_errors() const;
};

}  // namespace loadline::record
