// What a run came to, in the quantities that fio reports: one model that every printer reads, so
// that they cannot disagree. Built from a plan, a result (whole, or so far) and ticks.
//
// Threads: plain values, used by one thread. Units: types, or nanoseconds, percent and KiB/s where
// a member says so.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/units.h"
#include "dialects/fio/job_source.h"
#include "dialects/fio/output/samples.h"
#include "record/block_counters.h"
#include "record/histogram.h"
#include "record/run_result.h"

namespace loadline::dialects::fio::output {

// What stands behind func=: the operation that failed, or fio's words where a job was ended for
// being slow. Scripts look for those.
std::string_view func_of(const record::BlockFailure& failure);

// Reads, writes, trims, or all of them (`mixed`).
struct DirectionSummary {
  Bytes bytes;
  std::uint64_t operations = 0;  // that succeeded
  std::uint64_t issued = 0;      // and those that failed
  std::uint64_t short_transfers = 0;
  std::uint64_t runtime_ms = 0;  // the longest of the members; at least 1 where anything was done
  record::Histogram slat;        // empty unless the engine is asynchronous
  record::Histogram clat;
  record::Histogram lat;
  Spread bandwidth;           // KiB/s
  Spread iops;                // per second
  double share_of_group = 0;  // percent: mean of the samples to the group's bandwidth

  double operations_per_second() const;
  double bytes_per_second() const;
};

// Percent of all reads, writes and trims below 2, 4, 10, .. of the unit.
struct LatencyShares {
  std::array<double, 10> nanoseconds{};
  std::array<double, 10> microseconds{};
  std::array<double, 12> milliseconds{};  // the last one: 2000 and above
};

using PercentBuckets = std::array<double, record::k_depth_buckets>;

// What is printed of one job, or of the members of a group with group_reporting.
struct Block {
  JobSource source;  // of the first member
  std::uint32_t members = 0;
  int error = 0;
  std::string error_text;  // "file:F, func=write, error=No space left on device"
  std::int64_t pid = 0;
  std::array<DirectionSummary, k_series> directions;
  record::Histogram sync;
  std::uint64_t sync_operations = 0;
  std::uint64_t sync_issued = 0;
  std::uint64_t job_runtime_ms = 0;  // summed over the members
  std::uint64_t elapsed_s = 0;
  double user_percent = 0;
  double system_percent = 0;
  std::uint64_t context_switches = 0;
  std::uint64_t major_faults = 0;
  std::uint64_t minor_faults = 0;
  PercentBuckets depth{};
  PercentBuckets submits{};
  PercentBuckets completes{};
  LatencyShares latency;
  std::uint64_t total_errors = 0;
  int first_error = 0;
  std::uint32_t latency_depth = 0;
  std::optional<record::SteadyReport> steady;

  // Nothing was done and nothing tried.
  bool idle() const;
  bool shows(std::size_t series) const;  // by unified_rw_reporting
};

struct GroupDirection {
  Bytes bytes;
  double bytes_per_second = 0;  // over the longest run
  double min = 0;               // of the blocks, bytes per second
  double max = 0;
  std::uint64_t shortest_ms = 0;
  std::uint64_t longest_ms = 0;
};

struct Group {
  std::uint32_t number = 0;
  ReportOptions report;
  std::array<std::optional<GroupDirection>, k_series> directions;
};

// Percent of the time that the device was busy.
double busy_percent(const target::DeviceCounters& device);

struct Summary {
  WallTime at;
  bool final = true;  // false: the run goes on
  RunSource run;
  std::vector<Block> blocks;
  std::vector<Group> groups;
  std::vector<target::DeviceCounters> devices;
};

class SummaryBuilder {
 public:
  explicit SummaryBuilder(const plan::Plan& plan);
  // Says which part of the ticks is measurement; without it the plan's ramp and delay do.
  void know_windows(const record::RunResult& result);
  // In order of stage and time.
  void add(const TickCounts& tick);
  // `plan`: the one of the constructor. `result` has its shape: stages that did not run may lack
  // their jobs.
  Summary build(const plan::Plan& plan, const record::RunResult& result, WallTime at) const;

 private:
  struct Span {
    Duration begin;
    Duration end;
  };
  struct Member {
    std::size_t stage = 0;
    std::size_t job = 0;
    JobSource source;
    Span window;
  };
  struct Unit {
    std::vector<Member> members;
    std::map<std::size_t, Span> windows;  // by stage, over its members
    Sampler bandwidth;
    Sampler iops;
  };
  void set_windows(Unit& unit);

  RunSource run_;
  std::vector<Unit> units_;
};

// Of a run that has ended, with the samples of its ticks.
Summary summary_of(const store::StoredRun& run);

// Share of `percentile` (0..100) of the values, in nanoseconds.
std::uint64_t percentile_ns(const record::Histogram& histogram, double percentile);
LatencyShares latency_shares(const record::Histogram& histogram);

}  // namespace loadline::dialects::fio::output
