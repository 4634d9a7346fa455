// Puts the counts of all workers of a stage together: totals for the result, and a gapless row of
// ticks for the sink. Late counts of a tick that has been emitted go into the next one, so that the
// ticks always add up to the totals.
//
// Threads: one thread; it pulls from the workers' mailboxes.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "base/clock.h"
#include "base/units.h"
#include "record/op_stats.h"
#include "record/recorder.h"
#include "record/tick.h"

namespace loadline::record {

class Collector {
 public:
  struct Options {
    std::uint32_t stage = 0;
    Duration tick = Duration::seconds(1);
    std::vector<std::size_t> ops_of_job;
    // When the stage began, a label that those of its ticks count from; unset: now.
    WallTime started{};
  };
  explicit Collector(Options options);

  // The mailbox outlives the collector.
  void add_worker(std::size_t job, Mailbox& mailbox);

  // Pulls what the workers have handed over and passes complete ticks on. A worker that is stuck
  // holds ticks back for at most k_ticks_held.
  void pull(TickSink& sink);
  // All workers have finished: passes on the rest, so that the ticks' lengths add up to `elapsed`,
  // the stage's whole time. What was counted past it lies in the last tick.
  void finish(TickSink& sink, Duration elapsed);

  // Counted so far, [job][operation].
  const std::vector<std::vector<OpStats>>& totals() const { return totals_; }

  static constexpr std::size_t k_ticks_held = 30;

 private:
  struct Worker {
    std::size_t job;
    Mailbox* mailbox;
    std::uint64_t complete_before = 0;
    WorkerLoad load{};
  };
  std::vector<std::vector<OpStats>> zeros() const;
  void absorb();
  void emit(TickSink& sink, Duration length);

  Options options_;
  std::vector<Worker> workers_;
  std::vector<std::vector<OpStats>> totals_;
  std::deque<std::vector<std::vector<OpStats>>> pending_;  // from tick next_ on
  std::uint64_t next_ = 0;
  Duration emitted_until_;
};

}  // namespace loadline::record
