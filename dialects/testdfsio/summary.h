// What TestDFSIO's own block does not say of a run: the throughput of all files together, how far
// the files differ, how long the calls took, and what became of every file.
//
// Units: MB are 2^20 bytes, as TestDFSIO's. Threads: plain values, pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "dialects/testdfsio/run_source.h"
#include "plan/plan.h"
#include "record/run_result.h"

namespace loadline::dialects::testdfsio {

// A part of the run, how much was moved in it.
struct Window {
  Duration length;
  double megabytes = 0;
  double rate() const {  // MB/s
    return length > Duration() ? megabytes / length.as_seconds() : 0;
  }
};

// Speeds of single files, MB/s, of those that ended well and took any time.
struct Spread {
  std::uint64_t count = 0;
  double min = 0;
  double median = 0;
  double max = 0;
  double mean = 0;
  double deviation = 0;  // of the population, by Welford's method
};

struct CallTimes {
  std::string name;  // "open", "first byte", "read", "write", "truncate", "close"
  std::uint64_t count = 0;
  Duration p50;
  Duration p95;
  Duration p99;
  Duration max;
};

struct FailedFile {
  std::string name;
  std::string why;
};

// What an interface of this host says that it moved meanwhile, whoever used it.
struct InterfaceRate {
  std::string name;
  double received = 0;    // MB/s
  double sent = 0;        // MB/s
  double line_share = 0;  // of the link's speed, the busier direction; 0: it does not say
};

struct Summary {
  std::uint64_t asked = 0;
  std::uint64_t done = 0;
  std::uint64_t short_of_size = 0;  // among those done
  std::vector<FailedFile> failed;   // the first k_failed_named of them
  std::uint64_t failures = 0;
  std::uint64_t not_ended = 0;  // cut off, or not begun
  std::uint32_t concurrency = 0;
  std::uint64_t waves = 0;
  Window wall;                   // from the first open to the last close
  std::optional<Window> common;  // while all workers were at it; none: there was no such time
  Spread spread;
  std::vector<CallTimes> calls;
  std::vector<InterfaceRate> interfaces;
  Duration prepared;  // control files: the old ones removed, the new ones written
  Duration removed;   // old data
  Duration ran;

  static constexpr std::size_t k_failed_named = 20;
};

// At most `most` of those that failed, with the storage's words for it.
std::vector<FailedFile> failed_files(const plan::StreamIo& stream, const record::StreamFiles& files,
                                     std::size_t most);

// Of a run of this dialect; nothing where its operation did not get to run.
std::optional<Summary> summary_of(const plan::Plan& plan, const RunSource& source,
                                  const record::RunResult& result);

// The section on the console, lines with their ends.
std::string text_of(const Summary& summary);

// The stage with this id, and the measured job; null where there is none.
const record::StageResult* stage_of(const record::RunResult& result, std::string_view id);
const record::JobResult* measured_job(const record::RunResult& result);
// What TestDFSIO's clock covers: old data is removed, then come the files.
Duration whole_test(const record::RunResult& result);

}  // namespace loadline::dialects::testdfsio
