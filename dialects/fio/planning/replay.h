// A recorded run (read_iolog=) made into a trace that the engine repeats, with what the plan has to
// know of it. Memory grows with the number of files, not with that of operations.
//
// Threads: pure but for the files.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "plan/block_io.h"

namespace loadline::dialects::fio {

struct ReplayRequest {
  std::string iolog;      // a path; "-": standard input
  std::string directory;  // before names that are not absolute; empty: the current one
  std::string redirect;   // everything is done to this file; empty: to those of the iolog
  std::uint64_t scale = 1;
  std::uint64_t align = 0;  // offsets become multiples of it; zero: as they are
  plan::PerDirection<bool> skip{};
  bool skip_sync = false;

  auto operator<=>(const ReplayRequest&) const = default;
};

struct ReplayFacts {
  std::string trace;  // a path, good as long as this process lives
  std::vector<std::string> files;
  plan::PerDirection<bool> uses{};
  plan::PerDirection<std::uint64_t> smallest{};
  plan::PerDirection<std::uint64_t> largest{};
  std::uint64_t operations = 0;
};

// The trace is a file without a name in TMPDIR: nothing is left behind, however the run ends.
// Text iologs and blktrace's binary files are told apart by what they begin with.
// Error: bad_input with file and line; io; unsupported for blktrace's files of other machines.
Result<ReplayFacts> convert_iolog(const ReplayRequest& request);

}  // namespace loadline::dialects::fio
