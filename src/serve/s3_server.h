// The built-in S3 store: a server in memory, for newcomers, ceiling measurements and tests. Start
// it in-process or by `loadline serve-s3`; both are this class.
//
// Errors of start(): bad_input for options that make no sense or an address that is not loopback;
// unavailable where the port is taken; io.
// Ownership: owns everything; destroying it stops it.
// Threads: methods may be called from any thread, stop() once at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "serve/counters.h"
#include "serve/serve_options.h"
#include "serve/server_loop.h"
#include "serve/server_state.h"

namespace loadline::serve {

class S3Server {
 public:
  // Serving when it returns.
  static Result<std::unique_ptr<S3Server>> start(ServeOptions options);
  ~S3Server() { stop(); }
  S3Server(const S3Server&) = delete;
  S3Server& operator=(const S3Server&) = delete;

  std::uint16_t port() const { return port_; }
  std::string url() const;  // "http://127.0.0.1:29998"
  ServeCounters counters() const { return state_->counters(); }
  void reset_counters() { state_->reset_counters(); }
  // Replaces the fault rules, one a line (fault_rules.h); pauses count from now.
  Result<void> set_faults(std::string_view lines) { return state_->set_faults(lines); }
  // Ends all connections; counters() stays readable.
  void stop();

 private:
  S3Server() = default;

  SteadyClock clock_;
  std::unique_ptr<ServerState> state_;
  std::vector<std::unique_ptr<ServerLoop>> loops_;
  std::vector<std::jthread> threads_;
  std::uint16_t port_ = 0;
};

}  // namespace loadline::serve
