#include "engine/block_goals.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace loadline::engine {
namespace {

double mean_of(const std::vector<double>& rows) {
  return std::accumulate(rows.begin(), rows.end(), 0.0) / static_cast<double>(rows.size());
}

double slope_of(const std::vector<double>& rows) {
  const auto n = static_cast<double>(rows.size());
  const double middle = (n - 1) / 2;
  const double mean = mean_of(rows);
  double above = 0;
  double below = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double x = static_cast<double>(i) - middle;
    above += x * (rows[i] - mean);
    below += x * x;
  }
  return below > 0 ? above / below : 0;
}

void push(std::vector<double>& rows, double value, std::size_t most) {
  if (rows.size() == most) rows.erase(rows.begin());
  rows.push_back(value);
}

}  // namespace

SteadyState::SteadyState(const plan::SteadyRule& rule)
    : rule_(rule),
      rows_(static_cast<std::size_t>(std::max<std::int64_t>(
          2, rule.window / std::max(rule.interval, Duration::nanoseconds(1))))) {}

bool SteadyState::add(std::uint64_t operations, std::uint64_t bytes, std::uint64_t latency_ns,
                      Duration length) {
  const double seconds = std::max(length.as_seconds(), 1e-9);
  const auto ops = static_cast<double>(operations);
  push(report_.iops, ops / seconds, rows_);
  push(report_.bytes_per_second, static_cast<double>(bytes) / seconds, rows_);
  push(report_.latency_ns, operations == 0 ? 0 : static_cast<double>(latency_ns) / ops, rows_);
  if (report_.iops.size() < rows_) return false;
  using Of = plan::SteadyRule::Of;
  const std::vector<double>& rows = rule_.of == Of::iops        ? report_.iops
                                    : rule_.of == Of::bandwidth ? report_.bytes_per_second
                                                                : report_.latency_ns;
  const double mean = mean_of(rows);
  if (mean <= 0) return false;
  const double unit = rule_.limit_is_percent ? mean / 100 : 1;
  report_.slope = slope_of(rows) / unit;
  double deviation = 0;
  for (const double row : rows) deviation = std::max(deviation, std::abs(row - mean));
  report_.deviation = (rule_.slope ? std::abs(report_.slope) : deviation / unit);
  report_.attained = report_.deviation <= rule_.limit;
  return report_.attained;
}

DepthSearch::DepthSearch(const plan::LatencyTarget& target, std::uint32_t depth_max)
    : target_(target), depth_max_(std::max(depth_max, 1U)) {}

bool DepthSearch::end_window() {
  if (operations_ == 0) return false;
  const double kept =
      100.0 * static_cast<double>(operations_ - over_) / static_cast<double>(operations_);
  operations_ = over_ = 0;
  if (kept >= target_.percentile) {
    good_ = std::max(good_, depth_);
    if (target_.keep_running) bad_ = bad_ <= depth_ ? 0 : bad_;
  } else {
    bad_ = bad_ == 0 ? depth_ : std::min(bad_, depth_);
    if (target_.keep_running && good_ >= bad_) good_ = bad_ - 1;
  }
  const bool known = good_ == depth_max_ || (bad_ > 0 && bad_ <= good_ + 1);
  if (known) {
    depth_ = std::max(good_, 1U);
    return !target_.keep_running;
  }
  depth_ = bad_ == 0 ? std::min(good_ * 2, depth_max_) : (good_ + bad_) / 2;
  return false;
}

}  // namespace loadline::engine
