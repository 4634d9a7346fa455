#include "dialects/fio/output/samples.h"

#include <algorithm>
#include <cmath>

namespace loadline::dialects::fio::output {

void Running::add(double value) {
  min_ = n_ == 0 ? value : std::min(min_, value);
  max_ = n_ == 0 ? value : std::max(max_, value);
  ++n_;
  const double before = value - mean_;
  mean_ += before / static_cast<double>(n_);
  squares_ += before * (value - mean_);
}

Spread Running::spread() const {
  return {.samples = n_,
          .min = min_,
          .max = max_,
          .mean = mean_,
          .deviation = n_ > 1 ? std::sqrt(squares_ / static_cast<double>(n_ - 1)) : 0};
}

TickCounts counts_of(const record::Tick& tick) {
  TickCounts counts{.stage = tick.stage, .start = tick.start, .length = tick.length, .jobs = {}};
  for (const auto& ops : tick.jobs) {
    auto& job = counts.jobs.emplace_back();
    for (std::size_t i = 0; i < std::min(ops.size(), plan::k_directions); ++i) {
      job[i] = {ops[i].successes(), ops[i].bytes.count()};
    }
  }
  return counts;
}

TickCounts counts_of(const store::TickRow& row) {
  TickCounts counts{.stage = row.stage, .start = row.start, .length = row.length, .jobs = {}};
  for (const auto& ops : row.jobs) {
    auto& job = counts.jobs.emplace_back();
    for (std::size_t i = 0; i < std::min(ops.size(), plan::k_directions); ++i) {
      job[i] = {ops[i].successes, ops[i].bytes.count()};
    }
  }
  return counts;
}

void Sampler::add(Duration covered, const std::array<Counts, plan::k_directions>& counts) {
  for (std::size_t i = 0; i < counts.size(); ++i) {
    open_[i] += counts[i];
    open_[k_mixed] += counts[i];
  }
  covered_ += covered;
  if (covered.ns() <= 0 || covered_ + covered / 2 < width_) return;
  const double seconds = covered_.as_seconds();
  for (std::size_t i = 0; i < k_series; ++i) {
    bandwidth_[i].add(static_cast<double>(open_[i].bytes) / 1024 / seconds);
    operations_[i].add(static_cast<double>(open_[i].operations) / seconds);
  }
  open_ = {};
  covered_ = Duration();
}

}  // namespace loadline::dialects::fio::output
