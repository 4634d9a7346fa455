// For tests: a target that keeps a log of every operation it was given, answers after a fixed time
// on whatever clock it is handed, and fails what a script says.
#pragma once

#include <functional>
#include <mutex>
#include <queue>
#include <string>
#include <vector>

#include "target/target.h"

namespace loadline::engine::testing {

struct LoggedOp {
  target::OpKind kind;
  std::string container;
  std::string object;
  std::uint64_t size;
  Instant at;
  std::string new_object = {};  // rename
  std::uint64_t cut_to = 0;     // truncate
};

class FakeTarget final : public target::Target {
 public:
  // How an operation ends; the default is ok.
  std::function<target::Outcome(const LoggedOp&)> script = [](const LoggedOp&) {
    return target::Outcome::ok;
  };
  // How long it takes.
  std::function<Duration(const LoggedOp&)> latency = [](const LoggedOp&) {
    return Duration::milliseconds(1);
  };

  std::vector<LoggedOp> log() const {
    const std::scoped_lock lock(mutex_);
    return log_;
  }

  target::Capabilities capabilities() const override { return {.kinds = ~0U, .range_reads = true}; }
  Result<void> preflight(std::span<const std::string>, std::span<const std::string>) override {
    return {};
  }
  std::string describe() const override { return "fake"; }
  Result<std::unique_ptr<target::Session>> open_session(
      const target::WorkerContext& context) override {
    return std::make_unique<FakeSession>(*this, *context.clock);
  }

 private:
  class FakeSession final : public target::Session {
   public:
    FakeSession(FakeTarget& target, const Clock& clock) : target_(target), clock_(clock) {}

    target::Submitted submit(const target::Op& op) override {
      const LoggedOp logged{op.kind,
                            std::string(op.container),
                            std::string(op.object),
                            op.payload.size().count(),
                            clock_.now(),
                            std::string(op.new_object),
                            op.range ? op.range->offset.count() : 0};
      const target::Outcome outcome = target_.script(logged);
      const Instant due = logged.at + target_.latency(logged);
      {
        const std::scoped_lock lock(target_.mutex_);
        target_.log_.push_back(logged);
      }
      pending_.push(
          {due, op.slot, outcome, outcome == target::Outcome::ok ? op.payload.size() : Bytes()});
      return target::Submitted::accepted;
    }

    std::size_t reap(std::span<target::Completion> into, Instant deadline) override {
      const Instant until = pending_.empty() ? deadline : std::min(deadline, pending_.top().due);
      if (until > clock_.now()) clock_.sleep_until(until);
      std::size_t n = 0;
      while (n < into.size() && !pending_.empty() && pending_.top().due <= clock_.now()) {
        const Pending& pending = pending_.top();
        into[n++] = {.slot = pending.slot,
                     .outcome = pending.outcome,
                     .bytes = pending.bytes,
                     .done = pending.due};
        pending_.pop();
      }
      return n;
    }

    void cancel() override {
      std::vector<Pending> all;
      for (; !pending_.empty(); pending_.pop()) all.push_back(pending_.top());
      for (Pending& pending : all) {
        pending_.push({clock_.now(), pending.slot, target::Outcome::cancelled, Bytes()});
      }
    }

   private:
    struct Pending {
      Instant due;
      std::uint32_t slot;
      target::Outcome outcome;
      Bytes bytes;
      bool operator<(const Pending& o) const { return due > o.due; }
    };
    FakeTarget& target_;
    const Clock& clock_;
    std::priority_queue<Pending> pending_;
  };

  mutable std::mutex mutex_;
  std::vector<LoggedOp> log_;
};

}  // namespace loadline::engine::testing
