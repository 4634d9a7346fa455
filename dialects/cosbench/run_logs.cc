#include "dialects/cosbench/run_logs.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

namespace loadline::dialects::cosbench {
namespace {

constexpr int k_stage_rule = 50;
constexpr int k_mission_rule = 34;
constexpr std::string_view k_driver = "driver1";

std::string separator(char c, int length, std::string_view text) {
  const std::string rule(static_cast<std::size_t>(length), c);
  return fmt::format("{} {} {}\n", rule, text, rule);
}

std::string stage_line(const std::string& id) {
  return separator('=', k_stage_rule, fmt::format("stage: {}", id));
}

// M and ten hexadecimal digits: FNV-1a of run, stage and work, so that a report can be made again.
std::string mission_id(const std::string& run, const std::string& stage, std::size_t work) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : fmt::format("{}/{}/{}", run, stage, work)) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }
  return fmt::format("M{:010X}", hash >> 24U);
}

std::string log_line(WallTime at, std::string_view level, std::string_view text) {
  const std::int64_t ms = at.ns() / 1'000'000 % 1000;
  return fmt::format("{},{:03} [{}] {}\n", at.local("%Y-%m-%d %H:%M:%S"), ms, level, text);
}

std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return text;
}

std::string whole_lines(std::string text) {
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text;
}

std::string operation_lines(const OpRow& row, WallTime at) {
  const record::OpStats& stats = *row.stats;
  std::string containers;
  if (stats.container_ops + stats.container_failures > 0) {
    containers =
        fmt::format(", {} steps on containers, {} failed",
                    stats.container_ops + stats.container_failures, stats.container_failures);
  }
  std::string text = log_line(at, "INFO",
                              fmt::format("[Mission] - {}: {} samples, {} failed{}", row.spec->name,
                                          stats.samples(), stats.failure_count(), containers));
  std::uint64_t told = 0;
  for (const record::FailureExample& failure : stats.failures) {
    told += failure.times;
    const std::string code = failure.status == 0 ? "N/A" : std::to_string(failure.status);
    text += log_line(at, "ERROR",
                     fmt::format("[ErrorStatistics] - error code: {} occurred {} times, fail to "
                                 "operate: {}",
                                 code, failure.times, one_line(failure.item)));
    text += one_line(fmt::format("{}: {}{}{}", row.spec->name, target::to_string(failure.outcome),
                                 failure.detail.empty() ? "" : ": ", failure.detail)) +
            "\n";
  }
  if (told < stats.failure_count()) {
    text += log_line(at, "ERROR",
                     fmt::format("[ErrorStatistics] - error code: N/A occurred {} times, of more "
                                 "kinds than are kept",
                                 stats.failure_count() - told));
  }
  return text;
}

}  // namespace

std::string workload_log(const store::StoredRun& run, std::span<const StageRows> stages) {
  std::string text;
  for (const StageRows& stage : stages) {
    text += stage_line(stage.stage->id);
    std::size_t mission = 0;
    for (const OpRow& row : stage.operations) {
      if (row.work_position != mission) {
        mission = row.work_position;
        text += separator('-', k_mission_rule,
                          fmt::format("mission: {}, driver: {}",
                                      mission_id(run.id(), stage.stage->id, mission), k_driver));
      }
      text += operation_lines(row, stage.ended);
    }
    if (!stage.reason.empty()) {
      text += log_line(stage.ended, "ERROR",
                       fmt::format("[Stage] - {}: {}", stage.status, one_line(stage.reason)));
    }
  }
  return text;
}

std::string scripts_log(const store::StoredRun& run) {
  std::string text = separator('=', k_stage_rule, "workload level");
  text += whole_lines(run.result().trigger_output);
  for (std::size_t i = 0; i < run.plan().stages.size(); ++i) {
    text += stage_line(run.plan().stages[i].id);
    if (i < run.result().stages.size()) text += whole_lines(run.result().stages[i].trigger_output);
  }
  return text;
}

}  // namespace loadline::dialects::cosbench
