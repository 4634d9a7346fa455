// Ticks added up over a window of a log: what its lines say of one job and direction.
//
// Threads: a plain value.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/units.h"
#include "record/histogram.h"
#include "record/op_stats.h"

namespace loadline::dialects::fio::output {

struct LogLatency {
  std::uint64_t sum_ns = 0;
  std::uint64_t count = 0;
  std::uint64_t max_ns = 0;

  void add(const record::Histogram& histogram) {
    sum_ns += histogram.sum_ns();
    count += histogram.count();
    max_ns = std::max(max_ns, static_cast<std::uint64_t>(histogram.max().ns()));
  }
  std::uint64_t mean_ns() const { return count == 0 ? 0 : sum_ns / count; }
};

struct LogWindow {
  std::uint64_t operations = 0;
  std::uint64_t bytes = 0;
  double operations_max = 0;  // per second, of one tick
  double bytes_max = 0;
  LogLatency lat;
  LogLatency clat;
  LogLatency slat;

  void add(const record::OpStats& stats, Duration covered) {
    operations += stats.successes();
    bytes += stats.bytes.count();
    const double seconds = covered.as_seconds();
    if (seconds > 0) {
      operations_max = std::max(operations_max, static_cast<double>(stats.successes()) / seconds);
      bytes_max = std::max(bytes_max, static_cast<double>(stats.bytes.count()) / seconds);
    }
    lat.add(stats.service);
    clat.add(stats.completion.empty() ? stats.service : stats.completion);
    slat.add(stats.submission);
  }
  bool idle() const { return operations == 0; }
};

}  // namespace loadline::dialects::fio::output
