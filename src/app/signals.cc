#include "app/signals.h"

#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <ctime>

#include "app/exit_status.h"

namespace loadline::app {
namespace {

sigset_t awaited() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  return set;
}

}  // namespace

Signals::Signals() {
  const sigset_t set = awaited();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  waiter_ = std::jthread([this, set](const std::stop_token& leave) {
    const timespec moment{.tv_sec = 0, .tv_nsec = 100'000'000};
    while (!leave.stop_requested()) {
      if (sigtimedwait(&set, nullptr, &moment) < 0) continue;
      if (source_.stop_requested()) _exit(k_exit_cancelled);
      source_.request_stop();
    }
  });
}

Signals::~Signals() = default;

}  // namespace loadline::app
