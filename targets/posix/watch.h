// Watches what moves below the files of a job: devices, networks, the page cache.
//
// Threads: one.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "target/objects.h"
#include "targets/posix/config.h"
#include "targets/posix/ledger.h"

namespace loadline::targets::posix {

// Begins to watch the job of this index in its stage. Config and ledger outlive it.
std::unique_ptr<target::Watch> watch_files(const Config& config, Ledger& ledger,
                                           std::span<const target::ObjectNeed> needs,
                                           std::uint32_t job);

// What is known when a job has ended; the decision alone.
struct ReadEvidence {
  bool memory = false;                        // the files are in memory
  bool direct = false;                        // direct I/O was asked for, and happened
  std::uint64_t read = 0;                     // bytes the job read
  double unwritten_share = 0;                 // of its files
  std::optional<std::uint64_t> own_read;      // from block devices, by this job's threads, or its
                                              // share of what the process read
  std::optional<std::uint64_t> below_moved;   // its share of what the devices and networks moved
  std::optional<std::uint64_t> cache_growth;  // of the page cache, over these files
  bool on_device = false;  // block devices of this machine are below, seen by own_read
};

// The same of what was written.
struct WriteEvidence {
  bool through = false;                // direct or synchronous: each write reached the storage
  bool on_device = false;              // block devices of this machine are below, and counted
  bool shrinks = false;                // the file system may write fewer bytes than it is given
  std::uint64_t written = 0;           // bytes the job wrote
  std::uint64_t unsynced = 0;          // of them, since its last sync
  std::uint64_t below_written = 0;     // its share of what the devices wrote meanwhile
  std::optional<std::uint64_t> dirty;  // of its files, still to be written out
};

// 0..1 of the bytes written that memory alone had, or still has; nothing where that cannot be told.
std::optional<double> unwritten_share(const WriteEvidence& evidence);

// 0..1 of the bytes read came from memory; nothing where that cannot be told.
std::optional<double> cached_share(const ReadEvidence& evidence);

}  // namespace loadline::targets::posix
