#include "report/html_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "record/verdict.h"
#include "report/figures.h"
#include "report/html_text.h"

namespace loadline::report {
namespace {

using record::ClientLoad;
using record::JobResult;
using record::OpResult;
using record::OpStats;
using record::RunResult;
using record::StageResult;

std::string cell(const std::string& html, const char* kind = nullptr) {
  if (kind == nullptr) return "<td>" + html + "</td>";
  return fmt::format("<td class=\"{}\">{}</td>", kind, html);
}

std::string table(const char* head, const std::string& rows) {
  if (rows.empty()) return {};
  return fmt::format(
      "<div class=\"scroll\"><table><thead><tr>{}</tr></thead><tbody>\n{}</tbody>"
      "</table></div>\n",
      head, rows);
}

std::string latencies(const record::Histogram& h) {
  if (h.empty()) {
    std::string none;
    for (int i = 0; i < 6; ++i) none += cell("\u2013");
    return none;
  }
  std::string out;
  const auto add = [&](Duration d) {
    out += fmt::format("<td title=\"{} ns\">{}</td>", d.ns(), milliseconds_text(d));
  };
  add(h.mean());
  for (const std::uint32_t q : {5'000'000U, 9'000'000U, 9'900'000U, 9'990'000U}) add(h.quantile(q));
  add(h.max());
  return out;
}

std::string op_rows(const StageResult& stage, const JobResult& job, const OpResult& op,
                    const char* row_class) {
  const OpStats& stats = op.stats;
  const auto rate = [&](std::uint64_t n) {
    return Rate::of(static_cast<double>(n), job.window).per_second();
  };
  const bool measured = job.window.ns() > 0;
  std::string out = fmt::format("<tr{}>", row_class);
  out += cell(escaped(stage.id), "text") + cell(escaped(record::name_of(stage, job)), "text");
  std::string name = escaped(op.name) + (stats.response.empty() ? "" : ", response");
  if (const std::string containers = containers_text(stats); !containers.empty()) {
    name += ", " + containers;
  }
  out += cell(name, "text");
  out += cell(count_html(stats.successes()));
  out += cell(count_html(stats.failure_count()), stats.failure_count() > 0 ? "bad" : nullptr);
  out += cell(measured ? rate_text(rate(stats.successes())) : "\u2013");
  out += cell(measured ? megabytes_text(rate(stats.bytes.count())) : "\u2013");
  out += latencies(stats.latency()) + "</tr>\n";
  if (stats.response.empty()) return out;
  out += "<tr class=\"sub same\">" + cell(escaped(stage.id), "text") +
         cell(escaped(record::name_of(stage, job)), "text") +
         cell(escaped(op.name) + ", service", "text");
  for (int i = 0; i < 4; ++i) out += cell("");
  return out + latencies(stats.service) + "</tr>\n";
}

std::string empty_row(const StageResult& stage) {
  const std::string what = stage.elapsed.ns() == 0
                               ? std::string(to_string(stage.state))
                               : fmt::format("no operations, {}", span_text(stage.elapsed));
  return "<tr class=\"sub\">" + cell(escaped(stage.id), "text") +
         fmt::format("<td class=\"text\" colspan=\"12\">{}</td></tr>\n", what);
}

std::string failure_rows(const StageResult& stage, const JobResult& job, const OpResult& op) {
  std::string out;
  std::uint64_t listed = 0;
  const auto start = [&] {
    return "<tr>" + cell(escaped(stage.id), "text") +
           cell(escaped(record::name_of(stage, job)), "text") + cell(escaped(op.name), "text");
  };
  for (const record::FailureExample& f : op.stats.failures) {
    listed += f.times;
    out += start() + cell(std::string(to_string(f.outcome)), "text");
    out += cell(f.status == 0 ? "\u2013" : std::to_string(f.status)) + cell(count_html(f.times));
    out += cell(escaped(f.item), "text wide") + cell(escaped(f.detail), "text wide") + "</tr>\n";
  }
  const std::uint64_t all = op.stats.failure_count();
  if (all > listed) {
    out += start() + cell("others", "text") + cell("\u2013") + cell(count_html(all - listed)) +
           cell("") + cell("") + "</tr>\n";
  }
  return out;
}

std::string share(Duration part, Duration whole) {
  if (whole.ns() <= 0) return "\u2013";
  return fmt::format("{:.0f} %", part.as_seconds() / whole.as_seconds() * 100);
}

std::string client_row(const StageResult& stage, const JobResult& job) {
  const ClientLoad& load = job.client;
  std::uint64_t ended = 0;
  std::uint64_t retries = 0;
  for (const OpResult& op : job.ops) {
    ended += op.stats.samples() + op.stats.outside;
    retries += op.stats.retries;
  }
  const auto threads = static_cast<std::int64_t>(load.threads);
  std::string out =
      "<tr>" + cell(escaped(stage.id), "text") + cell(escaped(record::name_of(stage, job)), "text");
  out += cell(escaped(job.target), "text") + cell(count_html(job.workers));
  out += cell(std::to_string(load.threads));
  out += cell(share(load.cpu_of_threads, load.wall * std::max<std::int64_t>(1, threads)));
  out += cell(share(load.cpu_of_busiest, load.wall));
  out += cell(ended == 0 ? "\u2013"
                         : latency_text(load.cpu_of_threads / static_cast<std::int64_t>(ended)));
  out += cell(latency_text(load.lag_max));
  out += cell(job.offered.per_second() > 0 ? rate_text(job.offered.per_second()) : "\u2013");
  out += cell(count_html(load.late_issues)) + cell(count_html(job.never_issued));
  out += cell(count_html(retries)) + cell(count_html(job.in_flight_at_end)) + "</tr>\n";
  return out;
}

}  // namespace

std::string summary_table(const RunResult& result) {
  std::string rows;
  for (const StageResult& stage : result.stages) {
    bool first = true;
    for (const JobResult& job : stage.jobs) {
      for (const OpResult& op : job.ops) {
        if (!has_row(job, op)) continue;
        rows += op_rows(stage, job, op, first ? "" : " class=\"same\"");
        first = false;
      }
    }
    if (first) rows += empty_row(stage);
  }
  return table(
      "<th class=\"text\">stage</th><th class=\"text\">job</th><th class=\"text\">operation</th>"
      "<th>succeeded</th><th>failed</th><th>op/s</th><th>MB/s</th><th>mean, ms</th>"
      "<th>p50, ms</th><th>p90, ms</th><th>p99, ms</th><th>p99.9, ms</th><th>max, ms</th>",
      rows);
}

std::string failure_table(const RunResult& result) {
  std::string rows;
  for (const StageResult& stage : result.stages) {
    for (const JobResult& job : stage.jobs) {
      for (const OpResult& op : job.ops) rows += failure_rows(stage, job, op);
    }
  }
  return table(
      "<th class=\"text\">stage</th><th class=\"text\">job</th>"
      "<th class=\"text\">operation</th><th class=\"text\">outcome</th><th>status</th>"
      "<th>count</th><th class=\"text\">one such item</th><th class=\"text\">detail</th>",
      rows);
}

std::string client_table(const RunResult& result) {
  std::string rows;
  for (const StageResult& stage : result.stages) {
    for (const JobResult& job : stage.jobs) {
      if (job.client.threads > 0) rows += client_row(stage, job);
    }
  }
  return table(
      "<th class=\"text\">stage</th><th class=\"text\">job</th>"
      "<th class=\"text\">target</th><th>workers</th><th>threads</th><th>CPU, mean</th>"
      "<th>CPU, busiest</th><th>CPU per op</th><th>longest lag</th><th>offered op/s</th>"
      "<th>late</th><th>never issued</th><th>retries</th><th>in flight at end</th>",
      rows);
}

}  // namespace loadline::report
