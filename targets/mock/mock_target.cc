// COSBench's `mock`: waits, then says that all is well, without holding data. For tests it can also
// remember what was written (`remember`), take its time from a known distribution (`latency`) and
// fail by kind of outcome (`fail`), stall all at once (`stall`) or one operation at a time.
#include <algorithm>
#include <queue>
#include <vector>

#include "base/rng.h"
#include "target/target.h"
#include "targets/mock/latency_model.h"
#include "targets/mock/mock_memory.h"

namespace loadline::targets {
namespace {

using target::Completion;
using target::OpKind;
using target::Outcome;

// Everything that the parameters say.
struct MockSettings {
  Bytes read_size{1000};
  LatencyModel latency;
  double error_share = 0;
  Outcome error = Outcome::server_error;
  bool remember = false;
  Duration stall_at;  // since the first operation of a session
  Duration stall_length;
};

class MockSession final : public target::Session {
 public:
  MockSession(const MockSettings& settings, MockMemory* memory,
              const target::WorkerContext& context)
      : settings_(settings), memory_(memory), clock_(*context.clock), rng_(context.seed) {}

  target::Submitted submit(const target::Op& op) override {
    const Instant now = clock_.now();
    if (!first_.stamped()) first_ = now;
    pending_.push(
        {.due = after_stall(now + settings_.latency.draw(rng_)), .completion = perform(op)});
    return target::Submitted::accepted;
  }

  std::size_t reap(std::span<Completion> into, Instant deadline) override {
    if (pending_.empty() || pending_.top().due > clock_.now()) {
      clock_.sleep_until(pending_.empty() ? deadline : std::min(deadline, pending_.top().due));
    }
    const Instant now = clock_.now();
    std::size_t n = 0;
    while (n < into.size() && !pending_.empty() && pending_.top().due <= now) {
      into[n] = pending_.top().completion;
      // Known truth: an operation ends when it is due, however late this thread looks.
      into[n].done = pending_.top().due;
      ++n;
      pending_.pop();
    }
    return n;
  }

  void cancel() override {
    const Instant now = clock_.now();
    std::priority_queue<Pending, std::vector<Pending>, Later> cancelled;
    while (!pending_.empty()) {
      Pending pending = pending_.top();
      pending_.pop();
      pending.due = now;
      pending.completion.outcome = Outcome::cancelled;
      cancelled.push(pending);
    }
    pending_.swap(cancelled);
  }

 private:
  struct Pending {
    Instant due;
    Completion completion;
  };
  struct Later {
    bool operator()(const Pending& a, const Pending& b) const { return a.due > b.due; }
  };

  Completion perform(const target::Op& op) {
    Completion completion{.slot = op.slot};
    if (settings_.error_share > 0 && rng_.unit() < settings_.error_share) {
      completion.outcome = settings_.error;
      completion.detail = "error injection";
      return completion;
    }
    if (memory_) return memory_->perform(op);
    if (op.kind == OpKind::read)
      completion.bytes = op.range ? op.range->length : settings_.read_size;
    if (target::has_payload(op.kind)) completion.bytes = op.payload.size();
    if (op.kind == OpKind::remove_many)
      completion.items = static_cast<std::uint32_t>(op.objects.size());
    return completion;
  }

  // During the stall nothing ends; what would have, ends when it is over.
  Instant after_stall(Instant due) const {
    const Instant begin = first_ + settings_.stall_at;
    const Instant end = begin + settings_.stall_length;
    return due > begin && due < end ? end : due;
  }

  const MockSettings& settings_;
  MockMemory* memory_;
  const Clock& clock_;
  Rng rng_;
  Instant first_;
  std::priority_queue<Pending, std::vector<Pending>, Later> pending_;
};

class MockTarget final : public target::Target {
 public:
  explicit MockTarget(MockSettings settings) : settings_(settings) {
    if (settings_.remember) memory_ = std::make_unique<MockMemory>();
  }
  target::Capabilities capabilities() const override {
    return {.kinds = ~0U, .range_reads = true, .remembers_data = settings_.remember};
  }
  Result<void> preflight(std::span<const std::string>, std::span<const std::string>) override {
    return {};
  }
  Result<std::unique_ptr<target::Session>> open_session(
      const target::WorkerContext& context) override {
    return std::make_unique<MockSession>(settings_, memory_.get(), context);
  }
  std::string describe() const override { return "mock"; }

 private:
  MockSettings settings_;
  std::unique_ptr<MockMemory> memory_;
};

Result<Outcome> parse_outcome(const std::string& word) {
  if (const auto outcome = target::outcome_of(word)) return *outcome;
  return fail(ErrorCode::bad_input, "'" + word + "' is no outcome; e.g. throttled or timeout",
              "fail");
}

Result<Duration> parse_duration(const target::Parameters& p, std::string_view key) {
  auto milliseconds = p.number(key, 0, 0, 1e9);
  if (!milliseconds) return propagate(milliseconds);
  return Duration::from_seconds(*milliseconds / 1e3);
}

Result<std::unique_ptr<target::Target>> open(const target::Parameters& p) {
  MockSettings settings;
  auto size = p.integer("size", 1000, 0, INT64_MAX);
  if (!size) return propagate(size);
  settings.read_size = Bytes(static_cast<std::uint64_t>(*size));
  auto delay = p.number("delay", 10, 0, 1e9);
  if (!delay) return propagate(delay);
  settings.latency = LatencyModel::fixed(Duration::from_seconds(*delay / 1e3));
  if (p.has("latency")) {
    auto model = LatencyModel::parse(p.text("latency", ""));
    if (!model) return fail(ErrorCode::bad_input, model.error().what, "latency");
    settings.latency = *model;
  }
  auto errors = p.number("errors", 0, 0, 1);
  if (!errors) return propagate(errors);
  settings.error_share = *errors;
  if (p.has("fail")) {
    auto outcome = parse_outcome(p.text("fail", ""));
    if (!outcome) return propagate(outcome);
    settings.error = *outcome;
  }
  auto remember = p.boolean("remember", false);
  if (!remember) return propagate(remember);
  settings.remember = *remember;
  auto stall_at = parse_duration(p, "stall_at");
  if (!stall_at) return propagate(stall_at);
  settings.stall_at = *stall_at;
  auto stall = parse_duration(p, "stall");
  if (!stall) return propagate(stall);
  settings.stall_length = *stall;
  return std::make_unique<MockTarget>(settings);
}

}  // namespace

target::TargetType mock_target() {
  return {
      .name = "mock",
      .summary = "waits and answers without a storage, with known latencies and faults",
      .parameters = {{"size", "1000", "bytes that a read returns"},
                     {"delay", "10", "milliseconds that an operation takes"},
                     {"latency", "",
                      "instead of delay: 2ms, uniform(1ms,5ms), exponential(2ms), "
                      "lognormal(2ms,0.5)"},
                     {"errors", "0", "share of operations that fail, 0 to 1"},
                     {"fail", "server_error", "how they fail: an outcome's name"},
                     {"remember", "false", "keep what is written, so that reads can be verified"},
                     {"stall", "0", "milliseconds for which nothing ends"},
                     {"stall_at", "0", "milliseconds after the first operation when that begins"},
                     {"logging", "true", "accepted for COSBench's sake, has no effect"},
                     {"printing", "false", "likewise"},
                     {"doStats", "false", "likewise"}},
      .open = open};
}

}  // namespace loadline::targets
