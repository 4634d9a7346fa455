// Ctrl-C and friends. SIGINT, SIGTERM and SIGHUP are blocked in every thread and awaited by one:
// the first asks the run to stop, the second ends the process at once, with the status that was
// asked for.
//
// Made once, in main, before any other thread.
#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

namespace loadline::app {

class Signals {
 public:
  explicit Signals(int status_when_killed);
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  std::stop_token stop() const { return source_.get_token(); }
  // The first signal; 0: none yet. Set before the stop is asked for.
  int number() const { return number_; }

 private:
  std::stop_source source_;
  std::atomic<int> number_ = 0;
  std::jthread waiter_;
};

}  // namespace loadline::app
