// What can be said of a run while it goes on, and its two texts: a small block that is drawn over
// and over on a terminal, and one plain line for everywhere else.
//
// Threads: plain values and pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace loadline::report {

struct LiveOp {
  std::string name;             // of the operation, with its job where a stage has several
  std::uint64_t recent_ok = 0;  // in LiveView::recent
  std::uint64_t recent_failed = 0;
  Bytes recent_bytes{};
  Duration recent_p50{};  // zero where nothing succeeded
  Duration recent_p99{};
  std::uint64_t failed = 0;  // since the stage began
};

struct LiveView {
  std::size_t stage = 1;  // from 1
  std::size_t stages = 1;
  std::string stage_name{};
  bool sleeping = false;    // the stage only waits
  Duration elapsed{};       // of the stage
  Duration expected{};      // its length where known; zero: no time limit
  std::uint64_t quota = 0;  // operations the stage is to do; 0: no such limit
  std::uint64_t done = 0;   // of them
  Duration recent{};        // what the recent_ figures cover
  std::vector<LiveOp> ops{};
};

struct TextStyle {
  std::size_t width = 0;  // of the terminal in columns; 0: no limit
  bool colour = false;
};

// From 0 to 1: by time or by operations, whichever is further. Nothing where neither is limited.
std::optional<double> progress_of(const LiveView& view);
// Until the nearer of the two limits, by the pace so far. Nothing where that cannot be said.
std::optional<Duration> time_left(const LiveView& view);

// Without a newline at the end; as long as it needs to be.
std::string live_line(const LiveView& view);

// Lines, none wider than the terminal, each ending in '\n'. At most k_live_ops operations.
std::string live_block(const LiveView& view, const TextStyle& style);
inline constexpr std::size_t k_live_ops = 8;

}  // namespace loadline::report
