// What became of each file of a job on streams (plan/stream_io.h), in the order in which they
// ended. One record a file; merging concatenates.
//
// Threads: plain values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/units.h"
#include "target/outcome.h"

namespace loadline::record {

// In place of a number: what failed was no file, but the folder or the worker itself.
inline constexpr std::uint64_t k_no_file = UINT64_MAX;

struct StreamFile {
  std::uint64_t number = 0;  // of the file; of a put: in the list of small files
  std::uint32_t worker = 0;
  target::Outcome outcome = target::Outcome::ok;
  Bytes bytes;     // moved
  Duration begin;  // of opening, since the stage's start
  Duration open;   // how long that took
  // From then to the end of closing: what TestDFSIO calls the time of a task. What the client
  // itself took to make data and to compare them is no part of it.
  Duration transfer;
  bool short_of_size = false;  // a read met the end before `size` bytes
  std::string detail;          // of a failure, in the storage's words
  bool operator==(const StreamFile&) const = default;
};

using StreamFiles = std::vector<StreamFile>;

}  // namespace loadline::record
