// Where a run is. The run writes it as stages change; whoever shows it pulls from here at a pace of
// its own. What is measured comes by the tick sink.
//
// Threads: safe from any thread.
#pragma once

#include <cstdint>
#include <mutex>

#include "base/units.h"
#include "record/run_result.h"

namespace loadline::drive {

class LiveBoard {
 public:
  struct Place {
    std::uint32_t stage = 0;  // index in the plan
    record::StageState state = record::StageState::waiting;
    Instant stage_started;  // on the run's clock; unstamped before the first stage
  };

  Place read() const {
    const std::scoped_lock lock(mutex_);
    return place_;
  }
  void write(const Place& place) {
    const std::scoped_lock lock(mutex_);
    place_ = place;
  }

 private:
  mutable std::mutex mutex_;
  Place place_;
};

}  // namespace loadline::drive
