#include "app/signals.h"

#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <ctime>

namespace loadline::app {
namespace {

sigset_t awaited() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  return set;
}

}  // namespace

Signals::Signals(int status_when_killed) {
  const sigset_t set = awaited();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  waiter_ = std::jthread([this, set, status_when_killed](const std::stop_token& leave) {
    const timespec moment{.tv_sec = 0, .tv_nsec = 100'000'000};
    while (!leave.stop_requested()) {
      const int number = sigtimedwait(&set, nullptr, &moment);
      if (number < 0) continue;
      if (source_.stop_requested()) _exit(status_when_killed);
      number_ = number;
      source_.request_stop();
    }
  });
}

Signals::~Signals() = default;

}  // namespace loadline::app
