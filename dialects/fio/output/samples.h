// Rates over windows of a fixed width, made from ticks: what fio's `bw` and `iops` lines are the
// statistics of. A window without activity is a sample of zero.
//
// Threads: plain values, used by one thread. Memory: constant.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/units.h"
#include "plan/block_io.h"
#include "record/tick.h"
#include "store/stored_run.h"

namespace loadline::dialects::fio::output {

// Read, write, trim, and all of them.
inline constexpr std::size_t k_mixed = plan::k_directions;
inline constexpr std::size_t k_series = plan::k_directions + 1;

struct Spread {
  std::uint64_t samples = 0;
  double min = 0;
  double max = 0;
  double mean = 0;
  double deviation = 0;  // of a sample: divided by n - 1
};

// Welford's running mean and deviation.
class Running {
 public:
  void add(double value);
  Spread spread() const;

 private:
  std::uint64_t n_ = 0;
  double min_ = 0;
  double max_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

struct Counts {
  std::uint64_t operations = 0;
  std::uint64_t bytes = 0;
  Counts& operator+=(const Counts& other) {
    operations += other.operations;
    bytes += other.bytes;
    return *this;
  }
};

// One tick, of whichever origin. [job][operation], as in the plan.
struct TickCounts {
  std::uint32_t stage = 0;
  Duration start;
  Duration length;
  std::vector<std::array<Counts, plan::k_directions>> jobs;
};
TickCounts counts_of(const record::Tick& tick);
TickCounts counts_of(const store::TickRow& row);

class Sampler {
 public:
  explicit Sampler(Duration width) : width_(width) {}
  // What was counted in `covered`, the part of a tick that belongs to the measurement. Ticks
  // follow each other; a window is complete when the nearest tick boundary is reached.
  void add(Duration covered, const std::array<Counts, plan::k_directions>& counts);

  // Bytes per second / 1024, operations per second. The window that is still open is left out.
  Spread bandwidth(std::size_t series) const { return bandwidth_[series].spread(); }
  Spread operations(std::size_t series) const { return operations_[series].spread(); }

 private:
  Duration width_;
  Duration covered_;
  std::array<Counts, k_series> open_{};
  std::array<Running, k_series> bandwidth_{};
  std::array<Running, k_series> operations_{};
};

}  // namespace loadline::dialects::fio::output
