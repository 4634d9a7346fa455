// A job's share of a flow: the jobs of one flow issue operations in the proportion of their
// weights. Whoever is ahead of its share of all waits; who joins late starts level with the others,
// and who leaves takes its count along, so that the rest go on by themselves.
//
// Sum of the members' counts is the counter's, and sum of their weights the counter's: so somebody
// is always at or below its share, and the members cannot all wait.
//
// Threads: a share belongs to one thread; the counter is shared, also between processes.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace loadline::engine {

struct alignas(64) FlowCounter {
  std::atomic<std::uint64_t> issued{0};  // by the members that are in it
  std::atomic<std::uint64_t> weight{0};  // of all of them
};

class FlowShare {
 public:
  // `counter` outlives this.
  FlowShare(FlowCounter& counter, std::uint32_t weight) : counter_(counter), weight_(weight) {}

  void join() {
    const std::uint64_t others = counter_.weight.load();
    own_ = others == 0 ? 0 : counter_.issued.load() / others * weight_;
    counter_.issued.fetch_add(own_);
    counter_.weight.fetch_add(weight_);
    member_ = true;
  }
  // False: too far ahead.
  bool may_issue() const {
    const std::uint64_t all = counter_.issued.load(std::memory_order_relaxed);
    const std::uint64_t weights = counter_.weight.load(std::memory_order_relaxed);
    // A little ahead is not waited for, else members would hand each other single operations.
    const std::uint64_t slack = std::min<std::uint64_t>(all / k_slack_share, k_slack_most);
    return own_ * weights <= all * weight_ + slack * weights;
  }
  void count() {
    ++own_;
    counter_.issued.fetch_add(1, std::memory_order_relaxed);
  }
  // Once or often.
  void leave() {
    if (!member_) return;
    member_ = false;
    counter_.weight.fetch_sub(weight_);
    counter_.issued.fetch_sub(own_);
  }

 private:
  static constexpr std::uint64_t k_slack_share = 128;
  static constexpr std::uint64_t k_slack_most = 64;  // operations

  FlowCounter& counter_;
  std::uint64_t weight_;
  std::uint64_t own_ = 0;
  bool member_ = false;
};

}  // namespace loadline::engine
