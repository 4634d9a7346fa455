// What happened in one tick (one second) of a stage. Ticks of a stage follow each other without a
// gap, idle ones hold zeros, and their sums are the stage's totals exactly.
#pragma once

#include <cstdint>
#include <vector>

#include "base/clock.h"
#include "base/units.h"
#include "record/op_stats.h"
#include "record/worker_load.h"

namespace loadline::record {

struct Tick {
  std::uint32_t stage = 0;  // index in the plan
  std::uint64_t index = 0;  // from 0
  Duration start;           // since the stage's start
  Duration length;          // the last one of a stage is shorter: zero where it only holds what
                            // ended at the very end
  WallTime ended;           // a label: the stage's wall clock start, and the monotonic time since
  std::vector<std::vector<OpStats>> jobs;  // [job][operation]
  // [job]: since the job's start, as far as its workers have told. Not kept with the result.
  std::vector<WorkerLoad> loads;
};

// Takes ticks as they are complete. Called by one thread, in order.
class TickSink {
 public:
  virtual ~TickSink() = default;
  virtual void consume(const Tick& tick) = 0;
};

}  // namespace loadline::record
