// What a job does to blocks of files: the language of fio and iozone with nothing left to
// interpret. A job with a BlockIo is one client (one thread) with `workers` operations in flight;
// a job of several clients is several jobs.
//
// A plain value. Sizes are bytes; an array of three is by direction: read, write, trim.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "plan/block_data.h"

namespace loadline::plan {

enum class Direction : std::uint8_t { read, write, trim };
inline constexpr std::size_t k_directions = 3;

template <typename T>
using PerDirection = std::array<T, k_directions>;

// A number of bytes, or a share of the file. Neither set: not given.
struct Extent {
  Bytes bytes;
  std::uint32_t percent = 0;  // of the file's size; wins where above zero
  bool given() const { return percent > 0 || bytes.count() > 0; }
  bool operator==(const Extent&) const = default;
};

struct BlockFile {
  std::string path;
  Bytes size;  // the file is to have at least this; zero: whatever it has
  bool operator==(const BlockFile&) const = default;
};

// Which file of several is next.
enum class FileOrder : std::uint8_t { round_robin, random, sequential, zipf, pareto, normal };

// Where the next block lies.
enum class Placement : std::uint8_t {
  sequential,
  random,     // uniform; each block once a pass unless `with_repetition`
  zipf,       // `parameter`: theta
  pareto,     // `parameter`: h
  normal,     // `parameter`: standard deviation in percent of the range
  zoned,      // `zones`: share of accesses to share of the range
  zoned_abs,  // `zones`: share of accesses to bytes
  listed,     // `blocks`, one after the other, again and again
};

struct Zone {
  std::uint32_t access_percent = 0;
  std::uint64_t extent = 0;  // percent of the file (zoned) or bytes (zoned_abs)
  bool operator==(const Zone&) const = default;
};

struct Distribution {
  Placement placement = Placement::sequential;
  double parameter = 0;
  double centre = -1;  // 0..1; negative: where the distribution itself has it
  std::vector<Zone> zones;
  std::vector<std::uint64_t> blocks;
  bool operator==(const Distribution&) const = default;
};

struct WeightedSize {
  Bytes size;
  std::uint32_t percent = 0;
  bool operator==(const WeightedSize&) const = default;
};

// The size of one operation: uniform over multiples of `step` in [min, max], or by `split`.
struct BlockSize {
  Bytes min{4096};
  Bytes max{4096};
  Bytes step{4096};  // one: any size
  std::vector<WeightedSize> split;
  Bytes align;  // of random offsets; zero: min
  bool operator==(const BlockSize&) const = default;
};

// What `:n` behind a direction asks for.
enum class Sequencing : std::uint8_t {
  none,
  runs,       // random: this many blocks in sequence after each new offset
  identical,  // random: this many operations at the same offset
  stride,     // sequential: this many bytes added after each block; may be negative
};

enum class SyncKind : std::uint8_t { fsync, fdatasync, range };

// After every `every` writes.
struct SyncRule {
  SyncKind kind = SyncKind::fsync;
  std::uint64_t every = 0;
  std::uint32_t range_flags = 0;  // range: of sync_file_range(2)
  bool operator==(const SyncRule&) const = default;
};

// A limit of one direction; zero: none.
struct BlockRate {
  Rate operations;      // per second
  Rate bytes;           // per second
  Rate operations_min;  // the job fails below it, looked at every `rate_cycle`
  Rate bytes_min;
  bool operator==(const BlockRate&) const = default;
};

struct ThinkTime {
  Duration pause;
  Duration spin;                  // the part of it that burns CPU
  std::uint64_t every = 1;        // operations between pauses
  bool counted_on_issue = false;  // else on completion
  Duration io_time;               // also a pause after so long; `every` 1: by time alone
  bool moves_rate = false;        // a pause puts off the schedule of a rate
  bool operator==(const ThinkTime&) const = default;
};

// Every operation kept in a file of its own (record/trace.h), or taken from one.
struct TraceSpec {
  std::string record;
  std::string replay;
  bool at_once = false;  // a replay does not keep the times
  std::uint32_t speed_percent = 100;
  bool operator==(const TraceSpec&) const = default;
};

// What the end of this job ends besides.
enum class EndScope : std::uint8_t { self, group, stage, run };

// Jobs of one id keep to the proportion of their weights.
struct FlowRule {
  std::int32_t weight = 0;  // zero: no such rule
  std::uint32_t id = 0;
  Duration pause;  // before a job ahead of its share looks again; zero: as usual
  bool operator==(const FlowRule&) const = default;
};

// As whom and as what the client runs.
struct ClientSpec {
  bool own_process = false;  // else a thread of the driver
  std::optional<std::uint32_t> user;
  std::optional<std::uint32_t> group;
  std::uint32_t io_class = 0;  // of ioprio_set(2): 1 real time, 2 best effort, 3 idle; zero: as is
  std::uint32_t io_level = 0;
  std::uint32_t io_hint = 0;   // of Linux 6.5 and later, e.g. a limit of duration
  std::string command_before;  // of the shell, before the first operation and after the last
  std::string command_after;
  bool operator==(const ClientSpec&) const = default;
};

// Which failures do not end the job.
struct Tolerance {
  PerDirection<bool> io{};
  bool verify = false;
  std::vector<int> ignored_read;  // errno
  std::vector<int> ignored_write;
  std::vector<int> ignored_verify;
  bool listed = false;  // the first of them are named one by one
  bool operator==(const Tolerance&) const = default;
};

struct LatencyTarget {
  Duration limit;
  Duration window;
  double percentile = 100;
  bool keep_running = false;
  bool operator==(const LatencyTarget&) const = default;
};

struct SteadyRule {
  enum class Of : std::uint8_t { iops, bandwidth, latency };
  Of of = Of::iops;
  bool slope = false;
  double limit = 0;
  bool limit_is_percent = false;
  Duration window;  // zero: no such rule
  Duration ramp;
  Duration interval = Duration::seconds(1);
  bool operator==(const SteadyRule&) const = default;
};

// What is done instead of reads and writes of data.
enum class FileAction : std::uint8_t {
  data,
  create,
  stat,
  remove,
  make_directory,
  stat_directory,
  remove_directory,
  allocate,  // fallocate the block
  truncate,  // to the block's end
};

struct BlockIo {
  FileAction action = FileAction::data;
  std::vector<BlockFile> files;
  FileOrder file_order = FileOrder::round_robin;
  double file_skew = 0;             // of zipf, pareto, normal; zero: as usual
  std::uint32_t file_run = 1;       // operations before the next file
  std::uint32_t open_files = 0;     // how many at once; zero: all
  PerDirection<bool> uses{};        // the directions of the mix
  std::uint32_t read_percent = 50;  // where reads are mixed with writes
  bool trim_then_write = false;
  PerDirection<BlockSize> sizes;
  PerDirection<Distribution> order;
  PerDirection<std::uint32_t> random_percent{100, 100, 100};  // of placement random
  bool with_repetition = false;
  Sequencing sequencing = Sequencing::none;
  std::int64_t sequence_by = 0;
  Extent offset;                 // where the region begins
  Extent size;                   // the region, over all files; not given: the files' own size
  Extent amount;                 // to move; not given: the region once
  std::uint64_t operations = 0;  // stop after so many; zero: no such limit
  std::uint32_t loops = 1;
  bool time_based = false;   // go round until the runtime is over
  bool fill_device = false;  // until there is no space, which is then no failure
  bool append = false;
  std::vector<SyncRule> syncs;
  bool sync_at_end = false;
  bool sync_on_close = false;
  PerDirection<BlockRate> rate;
  bool poisson = false;
  Duration rate_cycle = Duration::seconds(1);
  ThinkTime think;
  PerDirection<Duration> latency_max;  // the job fails above it
  std::uint32_t batch_submit = 0;      // handed over a call; zero: whatever there is room for
  std::uint32_t batch_reap_min = 1;    // zero: never wait
  std::uint32_t batch_reap_max = 0;    // taken a look; zero: a part of the depth
  std::uint32_t depth_low = 0;         // the queue drains to this before it is filled; zero: never
  bool no_overlap = false;             // no two operations in flight touch the same byte
  BufferSpec buffers;
  MemorySpec memory;
  VerifySpec verify;
  TrimRule trims;
  Tolerance tolerance;
  std::optional<LatencyTarget> latency_target;
  std::optional<SteadyRule> steady;
  Bytes zone_size;  // strided zones; zero: none
  Bytes zone_range;
  Bytes zone_skip;
  // What happens to the files before and after.
  bool lay_out = true;       // missing and short files are made and filled before the job
  bool overwrite = false;    // so are those that the job writes
  bool create_only = false;  // and that is all
  bool lay_out_sync = true;
  bool unlink = false;  // files that this job made are removed at its end
  bool may_create = true;
  bool read_only = false;  // nothing is ever written or made
  bool pre_read = false;
  // What is measured.
  bool split_latency = true;  // the time of submission apart, where the target is asynchronous
  TraceSpec trace;
  // Among the jobs of the stage.
  std::uint32_t group = 0;  // whose figures belong together
  EndScope end_of_job = EndScope::self;
  EndScope end_on_error = EndScope::self;
  bool follows = false;  // ends when all jobs of the stage that do not follow have ended
  FlowRule flow;
  ClientSpec client;
  std::string cpus;  // "0,2-5": run on these; empty: anywhere
  std::int32_t nice = 0;
  std::optional<std::uint64_t> seed;  // of this job; else the plan's
  bool operator==(const BlockIo&) const = default;
};

std::string_view to_string(Direction direction);
std::string_view to_string(FileOrder order);
std::string_view to_string(Placement placement);
std::string_view to_string(Sequencing sequencing);
std::string_view to_string(SyncKind kind);
std::string_view to_string(SteadyRule::Of of);
std::string_view to_string(EndScope scope);
std::string_view to_string(FileAction action);

}  // namespace loadline::plan
