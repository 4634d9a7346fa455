#include "engine/block_process.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/check.h"
#include "engine/block_child.h"

namespace loadline::engine {
namespace {

constexpr int k_look_around_ms = 50;  // at the stop token and the time

void order(int link, const BlockOrder& order) {
  // A process that has ended is noticed by its silence.
  (void)!::send(link, &order, sizeof order, MSG_NOSIGNAL);
}

std::string signal_text(int signal) {
  const char* name = sigabbrev_np(signal);
  return "signal " + std::to_string(signal) +
         (name != nullptr ? " (SIG" + std::string(name) + ")" : std::string());
}

}  // namespace

ProcessMessages::ProcessMessages() : file_(memfd_create("messages", MFD_CLOEXEC)) {}

void ProcessMessages::pass_on() const {
  std::array<char, 4096> buffer;
  for (off_t at = 0; file_;) {
    const ssize_t n = ::pread(file_.get(), buffer.data(), buffer.size(), at);
    if (n <= 0) return;
    if (::write(STDERR_FILENO, buffer.data(), static_cast<std::size_t>(n)) < 0) return;
    at += n;
  }
}

BlockProcess::BlockProcess(const BlockWorker::Options& options, Patience patience)
    : options_(options), patience_(patience) {}

BlockProcess::~BlockProcess() {
  if (!running_ || left_) return;
  ::kill(process_, SIGKILL);
  end();
}

bool BlockProcess::possible(const plan::Job& job, const Clock& clock) {
  return job.block && job.block->client.own_process && !clock.simulated();
}

Result<void> BlockProcess::start(const ProcessMessages& messages) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return fail_errno(errno, "cannot talk to a process for the job", options_.job->name);
  }
  link_ = UniqueFd(ends[0]);
  UniqueFd theirs(ends[1]);
  const pid_t driver = ::getpid();
  process_ = ::fork();
  if (process_ < 0) {
    return fail_errno(errno, "cannot start a process for the job", options_.job->name);
  }
  if (process_ == 0) {
    run_block_child(options_, std::move(theirs), messages.descriptor(), driver);
  }
  running_ = true;
  return {};
}

void BlockProcess::prepare() {
  while (!prepared_ && running_ && hear() != Heard::end) {
    if (!options_.stop.stop_requested()) continue;
    if (killed_.stamped()) {
      if (look_at_stop()) return;
      continue;
    }
    // It hears nothing until it is prepared, and has done nothing yet.
    stopped_ = killed_ = options_.clock->now();
    ::kill(process_, SIGKILL);
  }
  if (!killed_.stamped()) return;
  end();
  killed_ = Instant();  // it did not hang
  report_.counters.stop = record::BlockStop::signal;
  reported_ = true;
}

void BlockProcess::run(Instant stage_start) {
  stage_start_ = stage_start;
  begun_ = options_.clock->now();
  if (reported_) {
    options_.mailbox->pass(UINT64_MAX);
    return;
  }
  // A job whose turn comes after a stop hears of that first, and does nothing.
  look_at_stop();
  order(link_.get(), {.kind = BlockOrder::Kind::go, .stage_start_ns = stage_start.ns()});
  while (running_ && !left_ && !reported_) {
    if (hear() == Heard::end || look_at_stop()) break;
  }
  if (running_ && !left_) end();
  if (!reported_) note_death();
  options_.mailbox->pass(UINT64_MAX);
}

// Waits for a message for a moment, and takes all there are.
BlockProcess::Heard BlockProcess::hear() {
  pollfd event{.fd = link_.get(), .events = POLLIN, .revents = 0};
  if (::poll(&event, 1, k_look_around_ms) <= 0) return Heard::nothing;
  std::array<char, 65536> buffer;
  const ssize_t n = ::recv(link_.get(), buffer.data(), buffer.size(), 0);
  if (n < 0 && errno == EINTR) return Heard::nothing;
  if (n <= 0) return Heard::end;
  frames_.add({buffer.data(), static_cast<std::size_t>(n)});
  while (const auto message = frames_.next()) CHECK(take(*message));
  CHECK(frames_.good());
  return Heard::message;
}

bool BlockProcess::take(const std::string& message) {
  const auto kind = kind_of(message);
  if (!kind) return false;
  switch (*kind) {
    case WireKind::prepared: prepared_ = true; return true;
    case WireKind::tick: {
      auto counts = decode_tick(message);
      if (!counts || counts->ops.size() != BlockWorker::k_operations) return false;
      for (std::size_t i = 0; i < counts->ops.size(); ++i) {
        if (counts->ops[i].samples() == 0) continue;
        last_seen_[i] =
            stage_start_ + options_.tick * (static_cast<std::int64_t>(counts->tick) + 1);
      }
      options_.mailbox->exchange(std::move(*counts));
      return true;
    }
    case WireKind::passed: {
      const auto passed = decode_passed(message);
      if (!passed) return false;
      load_ = passed->load;
      options_.mailbox->pass(passed->tick, load_);
      return true;
    }
    case WireKind::report: {
      auto report = decode_report(message);
      if (!report) return false;
      report_ = std::move(*report);
      reported_ = true;
      return true;
    }
  }
  return false;
}

// Passes a stop on; a process that does not end by it is killed, and one that even then stays is
// left behind: true.
bool BlockProcess::look_at_stop() {
  const Instant now = options_.clock->now();
  if (!stopped_.stamped()) {
    if (!options_.stop.stop_requested()) return false;
    stopped_ = now;
    order(link_.get(), {.kind = BlockOrder::Kind::stop});
  } else if (!killed_.stamped()) {
    if (now < stopped_ + patience_.until_killed) return false;
    killed_ = now;
    ::kill(process_, SIGKILL);
  } else if (now >= killed_ + patience_.until_left) {
    left_ = true;
  }
  return left_;
}

// It has closed its end of the socket, or was killed.
void BlockProcess::end() {
  while (::waitpid(process_, &status_, 0) < 0 && errno == EINTR) {
  }
  running_ = false;
  link_.reset();
}

// What can be said for a process that does not say it itself. Its counts up to its last tick have
// come.
void BlockProcess::note_death() {
  record::BlockCounters& counters = report_.counters;
  const Instant now = options_.clock->now();
  counters.thread_id = process_;
  counters.started = begun_ - stage_start_;
  counters.elapsed = now - begun_;
  counters.depth = load_.depth;
  counters.submits = load_.submits;
  counters.completes = load_.completes;
  counters.cpu_user = load_.cpu_user;
  counters.cpu_system = load_.cpu_system;
  counters.context_switches = load_.context_switches;
  counters.major_faults = load_.major_faults;
  counters.minor_faults = load_.minor_faults;
  report_.cpu = load_.cpu_user + load_.cpu_system;
  report_.started = begun_;
  for (std::size_t i = 0; i < last_seen_.size(); ++i) {
    if (!last_seen_[i].stamped()) continue;
    // One that was stopped and hung: its time runs to the stop.
    Instant last = std::min(last_seen_[i], now);
    if (killed_.stamped()) last = std::max(last, stopped_);
    report_.first_issued = begun_;
    report_.last_done = std::max(report_.last_done, last);
    if (i < plan::k_directions) counters.directions[i].runtime = last - begun_;
  }
  record::BlockFailure& failure = counters.failure;
  failure = {.error = EOWNERDEAD, .operation = "process"};
  if (killed_.stamped()) {
    failure.error = ETIMEDOUT;
    failure.text = "an operation under way did not end within " +
                   std::to_string(patience_.until_killed.ns() / 1'000'000'000) +
                   " s of the stop; the process of this job was ";
    failure.text += left_ ? "left behind, as it cannot be killed either" : "killed";
    counters.stop = record::BlockStop::signal;
    report_.in_flight_at_end = 1;
    return;
  }
  counters.stop = record::BlockStop::error;
  if (WIFSIGNALED(status_)) {
    counters.signal = WTERMSIG(status_);
    failure.text = "the process of this job was killed by " + signal_text(counters.signal);
  } else {
    failure.text =
        "the process of this job ended early, with status " + std::to_string(WEXITSTATUS(status_));
  }
}

}  // namespace loadline::engine
