// Submit and reap for storages that only know blocking calls: derive and implement perform(). Such
// a session carries one slot; reap() performs what was submitted.
#pragma once

#include <optional>

#include "target/target.h"

namespace loadline::target {

class BlockingSession : public Session {
 public:
  Submitted submit(const Op& op) final {
    if (pending_) return Submitted::full;
    pending_ = op;
    return Submitted::accepted;
  }
  std::size_t reap(std::span<Completion> into, Instant) final {
    if (!pending_ || into.empty()) return 0;
    into[0] = cancelled_ ? Completion{.outcome = Outcome::cancelled} : perform(*pending_);
    into[0].slot = pending_->slot;
    pending_.reset();
    return 1;
  }
  void cancel() override { cancelled_ = true; }

 private:
  virtual Completion perform(const Op& op) = 0;
  std::optional<Op> pending_;
  bool cancelled_ = false;
};

}  // namespace loadline::target
