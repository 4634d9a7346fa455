// Whether throughput had settled: the steady-state rule of SNIA's Solid State Storage Performance
// Test Specification (https://www.snia.org/pts), applied to five blocks of the second half of a
// job's window: their range must be within 20 % of their mean, and the straight line through them
// must not rise or fall by more than 10 % of it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/units.h"
#include "record/run_result.h"
#include "record/throughput_fall.h"
#include "record/tick.h"

namespace loadline::record {

struct Steadiness {
  double range = 0;  // largest block minus smallest, as a share of the mean
  double drift = 0;  // of the least-squares line over the five blocks, signed, same unit
  bool steady() const;

  static constexpr double k_range_most = 0.20;
  static constexpr double k_drift_most = 0.10;
  static constexpr std::size_t k_blocks = 5;
  // Fewer successes a block than this vary by chance alone.
  static constexpr double k_block_least = 500;
};

// `successes` of equally long ticks of the window, oldest first. Nothing where there are fewer than
// 4 * k_blocks ticks or too few successes to tell.
std::optional<Steadiness> steadiness_of(std::span<const double> successes);

// Collects what this rule and that of record/throughput_fall.h need while a run goes on. Memory is
// bounded: past k_cells_most cells neighbours are added up, and a cell covers twice as many ticks.
//
// Threads: consume() by the tick thread, verdicts() after the run.
class SteadyWatch final : public TickSink {
 public:
  void consume(const Tick& tick) override;
  // Verdicts "not_steady" and "throughput_fell" of all jobs that are more than walks.
  std::vector<Verdict> verdicts(const RunResult& result) const;

  static constexpr std::size_t k_cells_most = 1024;

 private:
  struct Series {
    std::vector<Moved> cells;
    std::uint64_t ticks_per_cell = 1;
    void add(std::uint64_t tick, const Moved& moved);
  };
  struct Stage {
    Duration tick;  // the length of the first tick
    std::vector<Series> jobs;
  };
  std::vector<Stage> stages_;
};

}  // namespace loadline::record
