#include "dialects/cosbench/result_csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "dialects/cosbench/number_format.h"

namespace loadline::dialects::cosbench {
namespace {

// Parts of 10^7, as the histogram wants them; 100 % is the maximum.
constexpr std::array k_percentiles = {6'000'000U, 8'000'000U, 9'000'000U, 9'500'000U, 9'900'000U};
constexpr std::size_t k_result_cells = 15;  // between stage and status

// Avg-ResTime, Avg-ProcTime, six percentiles, Throughput, Bandwidth, Succ-Ratio.
std::vector<std::string> measures(const OpRow& row) {
  const record::OpStats& stats = *row.stats;
  const record::Histogram& latency = stats.latency();
  std::vector<std::string> cells = {mean_ms(latency.sum_ns(), latency.count()),
                                    processing_time(*row.spec, stats)};
  const bool known = row.spec->response_histogram && !latency.empty();
  for (const std::uint32_t part : k_percentiles) {
    cells.push_back(known ? milliseconds(latency.quantile(part)) : std::string(k_not_available));
  }
  cells.push_back(known ? milliseconds(latency.max()) : std::string(k_not_available));
  cells.push_back(per_second(stats.successes(), row.job->window));
  cells.push_back(per_second(stats.bytes.count(), row.job->window));
  cells.push_back(success_ratio(stats.successes(), stats.samples()));
  return cells;
}

std::string config_info(const plan::OpSpec& spec) {
  std::string config = spec.source;
  std::ranges::replace(config, ',', '-');
  std::ranges::replace(config, ';', ' ');
  return fmt::format("{}% {}", spec.share_percent, config);
}

}  // namespace

std::string run_history_line(const store::StoredRun& run) {
  std::vector<std::string> types;
  const auto note = [&](const std::string& type) {
    if (std::ranges::find(types, type) == types.end()) types.push_back(type);
  };
  for (const plan::Stage& stage : run.plan().stages) {
    if (stage.jobs.empty()) note("delay");
    for (const plan::Job& job : stage.jobs) {
      for (const plan::OpSpec& op : job.ops) note(op.label);
    }
  }
  const record::RunResult& result = run.result();
  const std::string state = state_word(result.state);
  const WallTime ended = result.ended == WallTime() ? result.submitted : result.ended;
  const WallTime started = result.started == WallTime() ? result.submitted : result.started;
  return fmt::format("{},{},{},{},{},{},{},queuing @ {},processing @ {},{} @ {}\n", run.id(),
                     cell(run.plan().name), date_time(result.submitted), date_time(started),
                     date_time(ended), fmt::join(types, " "), state, date_time(result.submitted),
                     date_time(started), state, date_time(ended));
}

std::string workloads_lines(const store::StoredRun& run, std::span<const StageRows> stages) {
  std::string lines;
  for (const StageRows& stage : stages) {
    std::size_t position = 0;
    for (const OpRow& row : stage.operations) {
      lines += fmt::format("{}-{}-{},{},{},{},{},{},{}\n", run.id(), cell(stage.stage->id),
                           ++position, cell(row.spec->name), row.stats->successes(),
                           row.stats->bytes.count(), row.job->workers,
                           fmt::join(measures(row), ","), cell(config_info(*row.spec)));
    }
  }
  return lines;
}

std::string result_csv(std::span<const StageRows> stages) {
  std::string text(k_result_header);
  for (const StageRows& stage : stages) {
    const std::string status =
        fmt::format("{},{}", stage.status, fmt::join(stage.transitions, ","));
    if (stage.operations.empty()) {
      const std::vector<std::string_view> nothing(k_result_cells, k_not_available);
      text += fmt::format("{},{},{}\n", cell(stage.stage->name), fmt::join(nothing, ","), status);
    }
    for (const OpRow& row : stage.operations) {
      text += fmt::format("{},{},{},{},{},{},{}\n", cell(stage.stage->id), cell(row.spec->name),
                          row.spec->label, row.stats->successes(), row.stats->bytes.count(),
                          fmt::join(measures(row), ","), status);
    }
  }
  return text;
}

}  // namespace loadline::dialects::cosbench
