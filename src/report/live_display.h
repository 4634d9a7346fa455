// Shows a LiveView on stderr: drawn in place on a terminal, one plain line per interval elsewhere.
// stdout is never touched. Where it is no terminal, no escape code is written; NO_COLOR
// (https://no-color.org) and TERM=dumb are honoured.
//
// Threads: one thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/units.h"
#include "report/live_view.h"

namespace loadline::report {

// Columns of the terminal behind a file descriptor; 0 where it is none.
std::size_t terminal_width(int fd);

// Whether to write escape codes there: a terminal that is not dumb, and no NO_COLOR.
bool colour_wanted(int fd);

class LiveDisplay {
 public:
  struct Options {
    bool terminal = false;  // draw in place
    bool colour = false;
    Duration plain_every = Duration::seconds(5);    // elsewhere
    std::function<std::size_t()> width{};           // columns now; empty: no limit
    std::function<void(std::string_view)> write{};  // takes all text; errors are its own
  };
  // What fits this process's stderr, written to with plain write(2).
  static Options for_stderr();

  // Starts the first interval of plain lines at `now`.
  LiveDisplay(Options options, Instant now);
  // Takes the block away, so that what follows starts on a clean line.
  ~LiveDisplay();
  LiveDisplay(const LiveDisplay&) = delete;
  LiveDisplay& operator=(const LiveDisplay&) = delete;

  // True where show() would write now: build the view only then, so that it covers the interval.
  bool due(Instant now) const;
  void show(const LiveView& view, Instant now);
  // A line that stays: the block is taken away first and drawn again by the next show().
  void note(std::string_view line);
  // Takes the block away.
  void clear();

 private:
  Options options_;
  std::size_t lines_drawn_ = 0;
  Instant next_plain_;
};

}  // namespace loadline::report
