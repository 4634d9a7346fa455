// Ctrl-C and friends. SIGINT, SIGTERM and SIGHUP are blocked in every thread and awaited by one:
// the first asks the run to stop, the second ends the process at once.
//
// Made once, in main, before any other thread.
#pragma once

#include <stop_token>
#include <thread>

namespace loadline::app {

class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  std::stop_token stop() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::jthread waiter_;
};

}  // namespace loadline::app
