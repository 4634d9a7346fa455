// What block I/O asks of a target besides operations: objects that are there before the job, opened
// once and used by handle, and what the target saw of them meanwhile.
//
// Threads: plain values.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/units.h"
#include "target/op.h"

namespace loadline::target {

// An object that a job is going to use.
struct ObjectNeed {
  std::string name;
  Bytes size;                // at least this; zero: whatever it has
  Bytes block{65536};        // how much is written at once where it is laid out
  bool reads = true;         // the job reads it
  bool writes = false;       // or trims
  bool lay_out = false;      // made, or grown, and filled with data where it is too small
  bool preallocate = false;  // made and given its space where it is missing, not filled
  bool may_create = true;
  bool read_only = false;  // nothing may be written or made
  bool sync = true;        // what was laid out is synced
  bool pre_read = false;
  std::uint64_t seed = 0;  // of the data
  std::stop_token stop;    // ends the writing of the data; what was begun is undone
};

struct ObjectFacts {
  Bytes size;             // as it is now
  bool made = false;      // by this call
  bool laid_out = false;  // this call wrote its data
};

// Told before the objects of a job are written: how many, and how many bytes in all.
using LayoutNotice = std::function<void(std::size_t objects, Bytes bytes)>;

struct OpenMode {
  bool read = true;
  bool write = false;
  bool create = false;
  // Streams: written from the first byte to the last, whatever `range` says.
  bool replace = false;  // with create: what was there is gone
  bool append = false;   // behind what is there
};

// What lies below a path, of Target::content_summary().
struct ContentSummary {
  std::uint64_t folders = 0;  // the path itself too, where it is one
  std::uint64_t files = 0;
  Bytes bytes;
  std::optional<std::int64_t> quota;  // of names
  std::optional<std::int64_t> quota_left;
  std::optional<std::int64_t> space_quota;  // of bytes, replicas counted
  std::optional<std::int64_t> space_quota_left;
  bool operator==(const ContentSummary&) const = default;
};

struct OpenedObject {
  ObjectHandle handle = k_no_object;
  Bytes size;
};

// What the kernel counted of one block device meanwhile, whoever used it.
struct DeviceCounters {
  std::string name;  // "vda"
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t read_merges = 0;
  std::uint64_t write_merges = 0;
  Duration read_time;  // of all operations together
  Duration write_time;
  Duration queue_time;
  Duration busy;     // at least one was under way
  Duration watched;  // how long the device was looked at
  bool operator==(const DeviceCounters&) const = default;

  // Another view of the same time: the larger counts.
  void widen(const DeviceCounters& other);
  // A later time.
  void add(const DeviceCounters& other);
};

// What a target saw of the storage during a job, for the verdicts. Unset: it cannot tell.
struct Observed {
  std::optional<Bytes> device_read;  // moved below by devices or network, whoever asked for it
  std::optional<Bytes> device_written;
  std::optional<double> cached_share;  // 0..1 of the bytes read came from memory, as far as seen
  // 0..1 of the bytes written were in memory alone when the job had ended, as far as seen.
  std::optional<double> unwritten_share{};
  std::optional<Bytes> holes;             // of the range used: never written, reads make zeros up
  std::optional<bool> direct_refused;     // direct I/O was asked for and did not happen
  std::optional<std::uint32_t> depth;     // operations that were really under way at once, at most
  std::string storage;                    // e.g. "ext4 on /dev/vda, mounted at /"
  std::vector<DeviceCounters> devices{};  // those behind the objects, where there are any
};

// What a watched job moved, and what all jobs of its stage did while the watch lasted: where only
// the sum of all can be seen below, a job is given its share of it.
struct MovedBytes {
  Bytes read;
  Bytes written;
  Bytes read_by_all;  // this job too
  Bytes written_by_all;
  Bytes unsynced;  // of `written`: since the last sync
};

// Watches the storage from its making to finish(). Threads: one.
class Watch {
 public:
  virtual ~Watch() = default;
  virtual Observed finish(const MovedBytes& moved) = 0;
};

}  // namespace loadline::target
