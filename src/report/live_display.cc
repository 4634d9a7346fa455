#include "report/live_display.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/check.h"

namespace loadline::report {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

// The display is a courtesy: a stderr that has gone away must not end a run.
void write_stderr(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

std::size_t terminal_width(int fd) {
  winsize size{};
  if (::isatty(fd) != 1) return 0;
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

bool colour_wanted(int fd) {
  return ::isatty(fd) == 1 && environment("TERM") != "dumb" && environment("NO_COLOR").empty();
}

LiveDisplay::Options LiveDisplay::for_stderr() {
  const bool terminal = ::isatty(STDERR_FILENO) == 1 && environment("TERM") != "dumb";
  Options options;
  options.terminal = terminal;
  options.colour = colour_wanted(STDERR_FILENO);
  options.write = write_stderr;
  if (terminal) options.width = [] { return terminal_width(STDERR_FILENO); };
  return options;
}

LiveDisplay::LiveDisplay(Options options, Instant now) : options_(std::move(options)) {
  CHECK(options_.write);
  CHECK(options_.plain_every.ns() > 0);
  next_plain_ = now + options_.plain_every;
}

LiveDisplay::~LiveDisplay() { clear(); }

bool LiveDisplay::due(Instant now) const { return options_.terminal || now >= next_plain_; }

void LiveDisplay::show(const LiveView& view, Instant now) {
  if (!options_.terminal) {
    if (now < next_plain_) return;
    while (next_plain_ <= now) next_plain_ = next_plain_ + options_.plain_every;
    options_.write(live_line(view) + '\n');
    return;
  }
  const std::string block =
      live_block(view, {.width = options_.width ? options_.width() : 0, .colour = options_.colour});
  // One write a frame, so that no terminal shows half of it: up, over the old lines, and the rest
  // of the screen below cleared.
  std::string frame;
  if (lines_drawn_ > 0) frame = fmt::format("\x1b[{}A\r\x1b[J", lines_drawn_);
  options_.write(frame + block);
  lines_drawn_ = static_cast<std::size_t>(std::ranges::count(block, '\n'));
}

void LiveDisplay::note(std::string_view line) {
  clear();
  options_.write(std::string(line) + '\n');
}

void LiveDisplay::clear() {
  if (lines_drawn_ == 0) return;
  options_.write(fmt::format("\x1b[{}A\r\x1b[J", lines_drawn_));
  lines_drawn_ = 0;
}

}  // namespace loadline::report
