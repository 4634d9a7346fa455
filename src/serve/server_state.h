// What the threads of one server share.
//
// Ownership: owned by the S3Server; outlives its threads.
// Threads: all methods may be called from any thread.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "serve/counters.h"
#include "serve/fault_rules.h"
#include "serve/object_store.h"
#include "serve/serve_options.h"

namespace loadline::serve {

class ServerState {
 public:
  static Result<std::unique_ptr<ServerState>> make(ServeOptions options, const Clock& clock);

  const ServeOptions& options() const { return options_; }
  const Clock& clock() const { return clock_; }
  ObjectStore& store() { return *store_; }
  Arena& arena() { return *arena_; }
  FaultRules& faults() { return faults_; }
  ThreadCounters& thread_counters(unsigned thread) { return *thread_counters_[thread]; }
  // Never the same twice.
  std::uint64_t next_number() { return number_.fetch_add(1, std::memory_order_relaxed); }

  ServeCounters counters() const;
  void reset_counters();
  // Replaces the fault rules by these lines.
  Result<void> set_faults(std::string_view lines);

 private:
  ServerState(ServeOptions options, const Clock& clock);
  ServeCounters total() const;

  const ServeOptions options_;
  const Clock& clock_;
  std::unique_ptr<Arena> arena_;
  std::unique_ptr<ObjectStore> store_;
  FaultRules faults_;
  std::vector<std::unique_ptr<ThreadCounters>> thread_counters_;
  std::atomic<std::uint64_t> number_{1};
  mutable std::mutex mutex_;  // guards base_
  ServeCounters base_;        // what counters() leaves out
};

}  // namespace loadline::serve
