// What the sessions of one job count together, in memory that processes share which were
// forked after it was made: a job may run in one of its own.
//
// Threads and processes: safe from any.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace loadline::targets::posix {

struct SessionCounts {
  std::atomic<std::uint32_t> slots = 0;  // the most of a session
  // What threads have read from block devices (Ledger).
  std::atomic<std::uint32_t> accounts_open = 0;
  std::atomic<std::uint32_t> accounts_ended = 0;
  std::atomic<std::uint64_t> read = 0;  // bytes
  std::atomic<bool> account_broken = false;
  std::atomic<bool> own_process = false;  // the job runs in one

  void note_slots(std::uint32_t most) {
    std::uint32_t seen = slots;
    while (seen < most && !slots.compare_exchange_weak(seen, most)) {
    }
  }
};

// Owns them. Without a page of memory to share it throws what new throws.
class SharedCounts {
 public:
  SharedCounts();
  SessionCounts& operator*() const { return *counts_; }

 private:
  struct Release {
    void operator()(SessionCounts* counts) const;
  };
  std::unique_ptr<SessionCounts, Release> counts_;
};

}  // namespace loadline::targets::posix
