// A job's share of a flow: the jobs of one flow issue operations in the proportion of their
// weights. Whoever is ahead of its share of all waits; who joins late starts level with the others,
// and who leaves takes its count along, so that the rest go on by themselves.
//
// Sum of the members' counts is the counter's, and sum of their weights the counter's: so somebody
// is always at or below its share, and the members cannot all wait.
//
// Threads: a share belongs to one thread; counter and member are shared, also between processes, so
// that somebody else can take a member out that died.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace loadline::engine {

struct alignas(64) FlowCounter {
  std::atomic<std::uint64_t> issued{0};  // by the members that are in it
  std::atomic<std::uint64_t> weight{0};  // of all of them
};

// What one job has in it.
struct alignas(64) FlowMember {
  std::atomic<std::uint64_t> own{0};     // of the counter's operations
  std::atomic<std::uint64_t> weight{0};  // zero: not in it
};

// Both null where there is no flow. They outlive their users.
struct FlowSeat {
  FlowCounter* counter = nullptr;
  FlowMember* member = nullptr;

  // Once or often; by the member, or by another when it is gone.
  void leave() const {
    const std::uint64_t weight = member->weight.exchange(0);
    if (weight == 0) return;
    counter->weight.fetch_sub(weight);
    counter->issued.fetch_sub(member->own.load());
  }
};

class FlowShare {
 public:
  FlowShare(const FlowSeat& seat, std::uint32_t weight) : seat_(seat), weight_(weight) {}

  void join() {
    const std::uint64_t others = seat_.counter->weight.load();
    const std::uint64_t own = others == 0 ? 0 : seat_.counter->issued.load() / others * weight_;
    seat_.counter->issued.fetch_add(own);
    seat_.counter->weight.fetch_add(weight_);
    seat_.member->own.store(own);
    seat_.member->weight.store(weight_);
  }
  // False: too far ahead.
  bool may_issue() const {
    const std::uint64_t all = seat_.counter->issued.load(std::memory_order_relaxed);
    const std::uint64_t weights = seat_.counter->weight.load(std::memory_order_relaxed);
    const std::uint64_t own = seat_.member->own.load(std::memory_order_relaxed);
    // A little ahead is not waited for, else members would hand each other single operations.
    const std::uint64_t slack = std::min<std::uint64_t>(all / k_slack_share, k_slack_most);
    return own * weights <= all * weight_ + slack * weights;
  }
  // The sum first: who dies in between leaves one too many, never one too few.
  void count() {
    seat_.counter->issued.fetch_add(1, std::memory_order_relaxed);
    seat_.member->own.store(seat_.member->own.load(std::memory_order_relaxed) + 1,
                            std::memory_order_relaxed);
  }
  void leave() { seat_.leave(); }

 private:
  static constexpr std::uint64_t k_slack_share = 128;
  static constexpr std::uint64_t k_slack_most = 64;  // operations

  FlowSeat seat_;
  std::uint64_t weight_;
};

}  // namespace loadline::engine
