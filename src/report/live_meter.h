// Turns the ticks of a running stage into what LiveView shows.
//
// Threads: consume() by the thread that runs the plan, view() by the one that shows it.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "base/units.h"
#include "plan/plan.h"
#include "record/tick.h"
#include "report/live_view.h"

namespace loadline::report {

class LiveMeter final : public record::TickSink {
 public:
  // `plan` outlives the meter.
  explicit LiveMeter(const plan::Plan& plan);

  // Ticks of a stage that is over are dropped.
  void consume(const record::Tick& tick) override;

  // Of the stage that is under way, `elapsed` after its start. The recent_ figures cover the ticks
  // since the last view that had any.
  LiveView view(std::uint32_t stage, Duration elapsed);

 private:
  struct Op {
    record::OpStats recent;
    std::uint64_t samples = 0;
    std::uint64_t failed = 0;
  };
  void begin_stage(std::uint32_t stage);
  void refresh();

  const plan::Plan& plan_;
  std::mutex mutex_;  // guards what follows
  std::uint32_t stage_ = 0;
  std::vector<std::vector<Op>> jobs_;
  Duration recent_;
  LiveView shown_;
};

// How long a stage takes: its longest job by time, and how many operations it has to do where all
// of its jobs are limited by a count or walk objects whose number is known. Zero: no such limit.
struct StageLimits {
  Duration expected{};
  std::uint64_t quota = 0;
};
StageLimits limits_of(const plan::Stage& stage);

}  // namespace loadline::report
