#include "record/recorder.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/check.h"

namespace loadline::record {

void Bell::ring() {
  const std::scoped_lock lock(mutex_);
  ringing_ = true;
  rung_.notify_one();
}

void Bell::wait() {
  std::unique_lock lock(mutex_);
  rung_.wait_for(lock, std::chrono::milliseconds(100), [this] { return ringing_; });
  ringing_ = false;
}

std::vector<OpStats> Mailbox::exchange(TickCounts counts) {
  const std::size_t ops = counts.ops.size();
  std::unique_lock lock(mutex_);
  full_.push_back(std::move(counts));
  if (bell_ && full_.size() >= k_ticks_max / 2) {
    bell_->ring();
    taken_.wait(lock, [this] { return full_.size() < k_ticks_max; });
  }
  if (empty_.empty()) return std::vector<OpStats>(ops);
  std::vector<OpStats> buffer = std::move(empty_.back());
  empty_.pop_back();
  return buffer;
}

void Mailbox::pass(std::uint64_t tick) {
  const std::scoped_lock lock(mutex_);
  complete_before_ = std::max(complete_before_, tick);
}

void Mailbox::pass(std::uint64_t tick, const WorkerLoad& load) {
  const std::scoped_lock lock(mutex_);
  complete_before_ = std::max(complete_before_, tick);
  load_ = load;
}

Mailbox::Taken Mailbox::take() {
  const std::scoped_lock lock(mutex_);
  taken_.notify_one();
  return {.counts = std::exchange(full_, {}), .complete_before = complete_before_, .load = load_};
}

void Mailbox::give_back(std::vector<OpStats> buffer) {
  for (OpStats& op : buffer) op.clear();
  const std::scoped_lock lock(mutex_);
  empty_.push_back(std::move(buffer));
}

Recorder::Recorder(const Options& options, Mailbox& mailbox)
    : options_(options),
      mailbox_(mailbox),
      current_(options.ops),
      tick_end_(options.start + options.tick) {
  CHECK(options.tick.ns() > 0);
}

bool Recorder::record(const Sample& s) {
  roll(s.done);
  dirty_ = true;
  OpStats& op = current_[s.op];
  const Window& window = options_.window;
  const Instant anchor = s.paced ? s.intended : s.issued;
  const bool started_inside = anchor >= window.begin && anchor < window.end;
  const bool cut_off = s.outcome == target::Outcome::cancelled;
  if (!started_inside || cut_off || (!s.paced && s.done > window.end)) [[unlikely]] {
    op.outside += 1;
    if (started_inside) cross_end(s);
    return false;
  }
  op.outcomes[static_cast<std::size_t>(s.outcome)] += 1;
  op.retries += s.retries;
  if (s.issued < first_issued_) first_issued_ = s.issued;
  if (s.done > last_done_) last_done_ = s.done;
  if (s.outcome != target::Outcome::ok) [[unlikely]] {
    op.failed.add(s.done - s.issued);
    op.count_failure(s.outcome, s.status, s.container, s.object, s.detail);
    return true;
  }
  op.bytes += s.bytes;
  op.items += s.items;
  op.service.add(s.done - s.issued);
  if (s.paced) op.response.add(s.done - s.intended);
  if (s.first_byte.stamped()) op.first_byte.add(s.first_byte - s.issued);
  return true;
}

void Recorder::cross_end(const Sample& s) {
  ++crossed_end_;
  const bool cut_off = s.outcome == target::Outcome::cancelled;
  const Instant until = cut_off ? s.done : std::min(s.done, options_.window.end);
  oldest_crossing_ = std::max(oldest_crossing_, until - s.issued);
}

void Recorder::count_container_op(std::uint32_t op) {
  dirty_ = true;
  current_[op].container_ops += 1;
}

void Recorder::count_container_failure(std::uint32_t op, target::Outcome outcome,
                                       std::uint16_t status, std::string_view container,
                                       std::string_view detail) {
  dirty_ = true;
  current_[op].container_failures += 1;
  current_[op].count_failure(outcome, status, container, {}, detail);
}

void Recorder::roll_slowly(Instant now) {
  if (dirty_) {
    current_ = mailbox_.exchange({.tick = tick_, .ops = std::move(current_)});
    dirty_ = false;
  }
  const std::int64_t passed = (now - tick_end_) / options_.tick + 1;
  tick_ += static_cast<std::uint64_t>(passed);
  tick_end_ = tick_end_ + options_.tick * passed;
  pass(tick_);
}

void Recorder::pass(std::uint64_t tick) {
  if (options_.load != nullptr) {
    mailbox_.pass(tick, options_.load->load());
  } else {
    mailbox_.pass(tick);
  }
}

void Recorder::finish() {
  if (dirty_) current_ = mailbox_.exchange({.tick = tick_, .ops = std::move(current_)});
  dirty_ = false;
  pass(UINT64_MAX);
}

}  // namespace loadline::record
