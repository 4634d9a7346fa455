// Deadlines in order: a binary heap. A timer is not removed when it is no longer wanted; its ticket
// says whether it still is, and the owner ignores those that are not.
//
// Threads: belongs to one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <vector>

#include "base/units.h"

namespace loadline::serve {

struct Timer {
  Instant when;
  std::uint32_t owner = 0;   // the slot of a connection
  std::uint32_t ticket = 0;  // the owner's count of timers when this one was set
};

class TimerHeap {
 public:
  void set(const Timer& timer) { heap_.push(timer); }
  std::optional<Instant> next() const {
    return heap_.empty() ? std::nullopt : std::optional(heap_.top().when);
  }
  // The earliest timer, where it is due.
  std::optional<Timer> take_due(Instant now) {
    if (heap_.empty() || heap_.top().when > now) return std::nullopt;
    const Timer timer = heap_.top();
    heap_.pop();
    return timer;
  }

 private:
  struct Later {
    bool operator()(const Timer& a, const Timer& b) const { return a.when > b.when; }
  };
  std::priority_queue<Timer, std::vector<Timer>, Later> heap_;
};

}  // namespace loadline::serve
