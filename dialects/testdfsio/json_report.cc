#include "dialects/testdfsio/json_report.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace loadline::dialects::testdfsio {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no infinity.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json command_of(const RunSource& source) {
  return {{"operation", title_of(source.operation)},
          {"files", source.files},
          {"size_bytes", source.size.count()},
          {"buffer_bytes", source.buffer.count()},
          {"base", source.base},
          {"concurrency", source.concurrency},
          {"waves", source.waves()},
          {"compat", to_string(source.compat)}};
}

Json block_of(const ResultBlock& block) {
  const Figures figures = figures_of(block.sums, block.whole_test);
  return {{"files", block.sums.tasks},
          {"total_bytes", block.sums.bytes},
          {"total_mb", number(static_cast<double>(figures.total_mb))},
          {"throughput_mb_s", number(figures.throughput)},
          {"average_io_rate_mb_s", number(figures.average_rate)},
          {"io_rate_std_deviation", number(figures.deviation)},
          {"test_exec_time_s", number(block.whole_test.as_seconds())},
          {"ended", block.ended.iso8601()}};
}

Json window_of(const Window& window) {
  return {{"seconds", window.length.as_seconds()},
          {"mb", number(window.megabytes)},
          {"mb_s", number(window.rate())}};
}

Json calls_of(const Summary& summary) {
  Json calls = Json::object();
  for (const CallTimes& one : summary.calls) {
    calls[one.name] = {{"count", one.count},
                       {"p50_s", one.p50.as_seconds()},
                       {"p95_s", one.p95.as_seconds()},
                       {"p99_s", one.p99.as_seconds()},
                       {"max_s", one.max.as_seconds()}};
  }
  return calls;
}

Json failed_of(const Summary& summary) {
  Json failed = Json::array();
  for (const FailedFile& file : summary.failed) {
    failed.push_back({{"file", file.name}, {"why", file.why}});
  }
  return failed;
}

Json summary_of(const Summary& summary) {
  Json json{{"files",
             {{"asked", summary.asked},
              {"done", summary.done},
              {"short", summary.short_of_size},
              {"failed", summary.failures},
              {"not_ended", summary.not_ended}}},
            {"failed", failed_of(summary)},
            {"aggregate_wall", window_of(summary.wall)}};
  if (summary.common) json["aggregate_common"] = window_of(*summary.common);
  const Spread& spread = summary.spread;
  json["stream_mb_s"] = {{"min", spread.min},
                         {"median", spread.median},
                         {"max", spread.max},
                         {"mean", spread.mean},
                         {"std_deviation", spread.deviation}};
  json["calls"] = calls_of(summary);
  for (const InterfaceRate& one : summary.interfaces) {
    json["interfaces"][one.name] = {
        {"received_mb_s", one.received}, {"sent_mb_s", one.sent}, {"line_share", one.line_share}};
  }
  json["phases_s"] = {{"control_files", summary.prepared.as_seconds()},
                      {"old_data_removed", summary.removed.as_seconds()},
                      {"run", summary.ran.as_seconds()}};
  return json;
}

}  // namespace

std::string json_report(const RunSource& source, const record::RunResult& result,
                        const std::optional<ResultBlock>& block,
                        const std::optional<Summary>& summary) {
  Json json{{"command", command_of(source)}, {"state", to_string(result.state)}};
  if (!result.reason.empty()) json["reason"] = result.reason;
  if (block) json["testdfsio"] = block_of(*block);
  if (summary) json["loadline"] = summary_of(*summary);
  for (const record::Verdict& verdict : result.verdicts) {
    json["verdicts"].push_back(
        {{"id", verdict.id}, {"level", to_string(verdict.level)}, {"text", verdict.text}});
  }
  // Names of files come from the command; what is no UTF-8 among them does not end the report.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace loadline::dialects::testdfsio
