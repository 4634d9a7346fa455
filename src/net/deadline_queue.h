// Time-outs of slots that all share one limit: since every deadline is "now + limit" and time does
// not run backwards, a first-in-first-out list keeps them sorted, and all is O(1).
//
// Threads: belongs to one. Memory: 16 bytes a slot.
#pragma once

#include <cstdint>
#include <vector>

#include "base/units.h"

namespace loadline::net {

class DeadlineQueue {
 public:
  static constexpr std::uint32_t k_none = UINT32_MAX;

  DeadlineQueue(std::uint32_t slots, Duration limit) : limit_(limit), links_(slots) {}

  Duration limit() const { return limit_; }

  // Enters the slot, or moves it back: it expires `limit` after now.
  void touch(std::uint32_t slot, Instant now) {
    const Instant deadline = now + limit_;
    Link& link = links_[slot];
    link.deadline = deadline;
    if (last_ == slot) return;
    remove(slot);
    link.deadline = deadline;
    link.previous = last_;
    link.next = k_none;
    (last_ == k_none ? first_ : links_[last_].next) = slot;
    last_ = slot;
  }

  void remove(std::uint32_t slot) {
    Link& link = links_[slot];
    if (link.previous == k_none && first_ != slot) return;
    (link.previous == k_none ? first_ : links_[link.previous].next) = link.next;
    (link.next == k_none ? last_ : links_[link.next].previous) = link.previous;
    link = Link{};
  }

  // The slot that expires first, or k_none, and when.
  std::uint32_t first() const { return first_; }
  Instant next_deadline() const {
    return first_ == k_none ? Instant::max() : links_[first_].deadline;
  }

 private:
  struct Link {
    Instant deadline = Instant::max();
    std::uint32_t previous = k_none;
    std::uint32_t next = k_none;
  };
  Duration limit_;
  std::vector<Link> links_;
  std::uint32_t first_ = k_none;
  std::uint32_t last_ = k_none;
};

}  // namespace loadline::net
