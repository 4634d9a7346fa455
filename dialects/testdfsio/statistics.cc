#include "dialects/testdfsio/statistics.h"

#include <fmt/format.h>

#include <cmath>

#include "dialects/testdfsio/java_text.h"

namespace loadline::dialects::testdfsio {
namespace {

constexpr std::int64_t k_mega = 1 << 20;

float megabytes(std::int64_t bytes) {
  return static_cast<float>(bytes) / static_cast<float>(k_mega);
}

}  // namespace

std::int64_t milliseconds_of(Duration time) {
  constexpr std::int64_t k_ns = 1'000'000;
  return time.ns() <= 0 ? 0 : (time.ns() + k_ns / 2) / k_ns;
}

void TaskSums::add(Bytes size, Duration time) {
  const auto moved = static_cast<std::int64_t>(size.count());
  const std::int64_t took = milliseconds_of(time);
  const float mb_per_s = static_cast<float>(moved) * 1000 / static_cast<float>(took * k_mega);
  tasks += 1;
  bytes += moved;
  milliseconds += took;
  rate += mb_per_s * 1000;
  rate_squared += mb_per_s * mb_per_s * 1000;
}

std::string TaskSums::text() const {
  return fmt::format("f:rate\t{}\nf:sqrate\t{}\nl:size\t{}\nl:tasks\t{}\nl:time\t{}\n",
                     java_text(rate), java_text(rate_squared), bytes, tasks, milliseconds);
}

TaskSums sums_of(const record::StreamFiles& files) {
  TaskSums sums;
  for (const record::StreamFile& file : files) {
    if (file.outcome == target::Outcome::ok) sums.add(file.bytes, file.transfer);
  }
  return sums;
}

Figures figures_of(const TaskSums& sums, Duration whole_test) {
  const auto tasks = static_cast<float>(sums.tasks);
  const auto exec_ms = static_cast<float>(milliseconds_of(whole_test));
  Figures figures;
  figures.total_mb = megabytes(sums.bytes);
  figures.throughput =
      static_cast<double>(sums.bytes) * 1000.0 / static_cast<double>(sums.milliseconds * k_mega);
  figures.throughput_narrow = figures.total_mb / (static_cast<float>(sums.milliseconds) / 1000.0F);
  figures.total_throughput = figures.total_mb / exec_ms;
  figures.average_rate = static_cast<double>(sums.rate / 1000 / tasks);
  figures.deviation = std::sqrt(std::abs(static_cast<double>(sums.rate_squared / 1000 / tasks) -
                                         figures.average_rate * figures.average_rate));
  figures.seconds = exec_ms / 1000;
  return figures;
}

}  // namespace loadline::dialects::testdfsio
