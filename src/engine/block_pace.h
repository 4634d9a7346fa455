// When the operations of a job on blocks are due, each direction by a schedule of its own that is
// fixed in advance and never waits for the storage: an operation that finds no free slot keeps its
// intended start. Linear or Poisson; a rate in bytes moves the next one by the size of the last.
//
// Threads: belongs to one thread.
#pragma once

#include <array>
#include <cstdint>

#include "base/rng.h"
#include "base/units.h"
#include "plan/block_io.h"

namespace loadline::engine {

class BlockPace {
 public:
  BlockPace(const plan::BlockIo& block, Instant start, Rng rng)
      : poisson_(block.poisson), rng_(rng) {
    for (std::size_t d = 0; d < plan::k_directions; ++d) {
      const plan::BlockRate& rate = block.rate[d];
      if (!block.uses[d]) continue;
      Schedule& schedule = schedules_[d];
      schedule.start = start;
      if (rate.operations > Rate()) schedule.ns_per_operation = 1e9 / rate.operations.per_second();
      if (rate.bytes > Rate()) schedule.ns_per_byte = 1e9 / rate.bytes.per_second();
      schedule.paced = schedule.ns_per_operation > 0 || schedule.ns_per_byte > 0;
      any_ = any_ || schedule.paced;
    }
  }

  bool any() const { return any_; }
  bool paced(std::size_t direction) const { return schedules_[direction].paced; }
  // Max where the direction is not paced.
  Instant due(std::size_t direction) const {
    const Schedule& schedule = schedules_[direction];
    return schedule.start + Duration::nanoseconds(static_cast<std::int64_t>(schedule.offset_ns));
  }
  // An operation of so many bytes takes its place in the schedule.
  void advance(std::size_t direction, std::uint64_t bytes) {
    Schedule& schedule = schedules_[direction];
    const double gap =
        schedule.ns_per_operation + schedule.ns_per_byte * static_cast<double>(bytes);
    schedule.offset_ns += poisson_ ? gap * rng_.exponential() : gap;
  }
  // The schedule is moved on: time that passed does not count.
  void postpone(Duration by) {
    for (Schedule& schedule : schedules_) schedule.start = schedule.start + by;
  }

 private:
  struct Schedule {
    bool paced = false;
    double ns_per_operation = 0;
    double ns_per_byte = 0;
    Instant start;
    double offset_ns = 0;  // exact to a nanosecond for a hundred days
  };
  bool poisson_;
  bool any_ = false;
  std::array<Schedule, plan::k_directions> schedules_;
  Rng rng_;
};

}  // namespace loadline::engine
