// The Plan: what a run does, from any dialect, with nothing left to interpret. Stages run one after
// another, the jobs of a stage side by side, each with its own target, workers, operation mix,
// pacing and stop rule.
//
// A Plan is a plain value and immutable during a run. It prints to one canonical text
// (plan/text.h); that text is what drivers receive and what the store keeps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "plan/block_io.h"
#include "plan/selector.h"
#include "plan/stream_io.h"
#include "target/parameters.h"

namespace loadline::plan {

// What an operation of the mix does. `prepare` and `cleanup` walk the worker's own slice of
// containers (outer) and objects (inner) once each time they are picked; every object is one
// sample.
enum class Action : std::uint8_t {
  read,
  write,
  multipart_write,
  file_write,  // objects are copies of local files
  multipart_file_write,
  remove,
  list,
  head,
  restore,
  prepare,  // [create the container,] write its objects
  multipart_prepare,
  cleanup,  // remove its objects [, remove the container]
  // Names and lengths: what NNBench and Slive do. `open` and `truncate` are results of jobs on
  // streams (plan/stream_io.h) too.
  create,    // an object that is not there yet, of `size`
  open,      // opened and closed
  rename,    // to `new_name`
  append,    // `size` bytes behind what is there
  truncate,  // to `size`
  make_folder,
  // Only in results, of jobs on blocks (plan/block_io.h) and on streams:
  trim,
  sync,
  close,
};

enum class Division : std::uint8_t { none, container, object };
enum class Content : std::uint8_t {
  random,  // incompressible bytes from a pool made once a run
  zero,
};

// A name is prefix + number + suffix.
struct NameSpec {
  std::string prefix;
  std::string suffix;
  std::optional<Selector> index;  // none: the operation has no such name, the walk no such loop
  bool operator==(const NameSpec&) const = default;
};

struct SizeSpec {
  Selector value;
  Bytes unit{1};  // the size is value * unit
  bool operator==(const SizeSpec&) const = default;
};

// Reads of `chunk` bytes at a random offset inside an object known to be `object_size` long.
struct RandomRange {
  Bytes object_size;
  Bytes chunk;
  bool operator==(const RandomRange&) const = default;
};

// How many bytes at the end of an object hold its MD5 where hash_trailer is set.
inline constexpr std::size_t k_hash_trailer = 40;

struct OpSpec {
  std::string name;   // as reported
  std::string label;  // the dialect's word for the operation type, e.g. "init"
  Action action = Action::read;
  std::uint32_t share_percent = 100;  // 1..100; the shares of a job add up to 100
  Division division = Division::none;
  NameSpec container;
  NameSpec object;    // list: its prefix alone counts where there is no index
  NameSpec new_name;  // rename: prefix and suffix, around the object's number; no index of its own
  std::optional<SizeSpec> size;
  Content content = Content::random;
  bool hash_trailer = false;       // COSBench's hashCheck: objects end in their MD5, reads check it
  bool create_containers = false;  // prepare: before the first object of each
  bool remove_containers = false;  // cleanup: after the last object of each
  std::uint32_t remove_batch = 1;  // cleanup: objects per request, above 1 where the target can
  Bytes part_size;                 // multipart_*; above zero
  std::optional<RandomRange> random_range;  // read
  std::uint32_t restore_days = 1;
  std::string files_folder;             // *file_write: its files, sorted by name
  std::optional<Selector> file_choice;  // *file_write: 1..number of files
  bool response_histogram = true;       // false: no percentiles asked for
  std::string source;  // the dialect's own text of this operation, for its classic report only
  bool operator==(const OpSpec&) const = default;
};

struct TargetSpec {
  std::string type;
  target::Parameters parameters;
  bool operator==(const TargetSpec&) const = default;
};

// The first limit that is met ends the job. Zero means no such limit; one of them is set unless the
// job only walks.
struct StopRule {
  Duration ramp_up;
  Duration runtime;
  Duration ramp_down;
  OpCount total_operations;  // exactly this many over all workers
  Bytes total_bytes;
  bool one_pass = false;  // every worker performs its one operation once (walks)
  bool operator==(const StopRule&) const = default;
};

enum class Arrival : std::uint8_t {
  closed,    // a worker's next operation starts when its last one has ended
  constant,  // open loop: evenly spaced
  poisson,   // open loop: exponential gaps
};

struct Pace {
  Arrival arrival = Arrival::closed;
  Rate rate;  // operations per second of the whole job; above zero unless closed
  bool operator==(const Pace&) const = default;
};

struct Job {
  std::string name;
  std::string label;  // the dialect's word for the job's type, e.g. "prepare"
  TargetSpec target;
  std::uint32_t workers = 1;                 // over all drivers
  Duration interval = Duration::seconds(5);  // of the rows in the classic report
  StopRule stop;
  Pace pace;
  std::uint32_t acceptable_failures_per_million = 0;
  std::string driver;              // a driver's name, or empty for all
  std::vector<OpSpec> ops;         // empty where `block` or `stream` is set
  std::optional<BlockIo> block;    // blocks of files instead of whole objects
  std::optional<StreamIo> stream;  // whole files, each by one worker as a stream
  Duration start_delay;            // after the stage's start
  std::string after;               // begins when the job of this name has ended; empty: at once
  std::string source;  // the dialect's own text of this job, for its classic report only
  bool operator==(const Job&) const = default;
};

// A script run around a stage or the whole run; never fails it.
struct Trigger {
  std::string script;  // file name below scripts/
  std::vector<std::string> arguments;
  bool operator==(const Trigger&) const = default;
};

struct Stage {
  std::string id;  // unique, e.g. "s1-init"
  std::string name;
  std::vector<Job> jobs;  // empty: the stage only sleeps
  Duration delay_after;   // or the sleep itself
  std::optional<Trigger> trigger;
  bool operator==(const Stage&) const = default;
};

struct Plan {
  std::string name;
  std::string description;
  std::string dialect;  // whose classic report is written
  std::uint64_t seed = 0;
  std::optional<Trigger> trigger;
  Duration tick = Duration::seconds(1);  // the shortest interval that is kept
  std::vector<Stage> stages;
  bool operator==(const Plan&) const = default;
};

std::string_view to_string(Action action);
std::string_view to_string(Division division);
std::string_view to_string(Content content);
std::string_view to_string(Arrival arrival);
std::string_view to_string(Selector::Kind kind);

// True for the actions that walk a slice.
bool is_walk(Action action);
// True for the actions that send a body.
bool is_write(Action action);

}  // namespace loadline::plan
