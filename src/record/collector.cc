#include "record/collector.h"

#include <algorithm>
#include <utility>

namespace loadline::record {

Collector::Collector(Options options) : options_(std::move(options)), totals_(zeros()) {
  if (options_.started == WallTime()) options_.started = WallTime::now();
}

std::vector<std::vector<OpStats>> Collector::zeros() const {
  std::vector<std::vector<OpStats>> jobs;
  jobs.reserve(options_.ops_of_job.size());
  for (const std::size_t ops : options_.ops_of_job) jobs.emplace_back(ops);
  return jobs;
}

void Collector::add_worker(std::size_t job, Mailbox& mailbox) {
  workers_.push_back({.job = job, .mailbox = &mailbox});
}

void Collector::absorb() {
  for (Worker& worker : workers_) {
    Mailbox::Taken taken = worker.mailbox->take();
    worker.complete_before = taken.complete_before;
    worker.load = taken.load;
    for (TickCounts& counts : taken.counts) {
      const std::uint64_t place = counts.tick > next_ ? counts.tick - next_ : 0;
      while (pending_.size() <= place) pending_.push_back(zeros());
      for (std::size_t i = 0; i < counts.ops.size(); ++i) {
        pending_[place][worker.job][i].merge(counts.ops[i]);
        totals_[worker.job][i].merge(counts.ops[i]);
      }
      worker.mailbox->give_back(std::move(counts.ops));
    }
  }
}

void Collector::pull(TickSink& sink) {
  absorb();
  std::uint64_t slowest = UINT64_MAX;
  std::uint64_t fastest = 0;
  for (const Worker& worker : workers_) {
    slowest = std::min(slowest, worker.complete_before);
    if (worker.complete_before != UINT64_MAX) fastest = std::max(fastest, worker.complete_before);
  }
  // Where all have finished, finish() knows where the last tick ends.
  if (slowest == UINT64_MAX) return;
  // Those that have finished count by what they left behind.
  if (!pending_.empty()) fastest = std::max(fastest, next_ + pending_.size() - 1);
  if (fastest > k_ticks_held) slowest = std::max(slowest, fastest - k_ticks_held);
  while (next_ < slowest) emit(sink, options_.tick);
}

void Collector::finish(TickSink& sink, Duration elapsed) {
  absorb();
  while (emitted_until_ + options_.tick < elapsed) emit(sink, options_.tick);
  if (pending_.empty() && emitted_until_ >= elapsed) return;
  while (pending_.size() > 1) {
    const std::vector<std::vector<OpStats>> late = std::move(pending_.back());
    pending_.pop_back();
    for (std::size_t job = 0; job < late.size(); ++job) {
      for (std::size_t i = 0; i < late[job].size(); ++i) {
        pending_.front()[job][i].merge(late[job][i]);
      }
    }
  }
  emit(sink, std::max(elapsed - emitted_until_, Duration()));
}

void Collector::emit(TickSink& sink, Duration length) {
  if (pending_.empty()) pending_.push_back(zeros());
  Tick tick{.stage = options_.stage,
            .index = next_,
            .start = emitted_until_,
            .length = length,
            .ended = options_.started + emitted_until_ + length,
            .jobs = std::move(pending_.front()),
            .loads = std::vector<WorkerLoad>(options_.ops_of_job.size())};
  for (const Worker& worker : workers_) tick.loads[worker.job].add(worker.load);
  pending_.pop_front();
  ++next_;
  emitted_until_ += length;
  sink.consume(tick);
}

}  // namespace loadline::record
