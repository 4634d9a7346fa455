#include "report/console.h"

#include <fmt/format.h>

#include <algorithm>

#include "record/verdict.h"
#include "report/figures.h"
#include "report/text_table.h"

namespace loadline::report {
namespace {

using Align = TextTable::Align;
using record::JobResult;
using record::OpResult;
using record::OpStats;
using record::RunResult;
using record::StageResult;
using record::StageState;
using record::Verdict;

constexpr std::string_view k_bold = "\x1b[1m";
constexpr std::string_view k_yellow = "\x1b[33m";
constexpr std::string_view k_plain = "\x1b[0m";

std::string coloured(std::string_view text, std::string_view code, const TextStyle& style) {
  return style.colour ? fmt::format("{}{}{}", code, text, k_plain) : std::string(text);
}

// Which of the columns that are mostly empty this result needs.
struct Shape {
  bool jobs = false;
  bool states = false;
};

Shape shape_of(const RunResult& result) {
  Shape shape;
  for (const StageResult& stage : result.stages) {
    shape.jobs = shape.jobs || stage.jobs.size() > 1;
    shape.states = shape.states || stage.state != StageState::completed;
  }
  return shape;
}

TextTable empty_table(const Shape& shape) {
  std::vector<TextTable::Column> columns = {{"stage", Align::left}};
  if (shape.states) columns.push_back({"state", Align::left});
  if (shape.jobs) columns.push_back({"job", Align::left});
  columns.push_back({"operation", Align::left});
  columns.push_back({"ok"});
  columns.push_back({"failed"});
  columns.push_back({"op/s"});
  columns.push_back({"MB/s"});
  columns.push_back({"mean", Align::right, 2});
  columns.push_back({"p50"});
  columns.push_back({"p90", Align::right, 1});
  columns.push_back({"p99"});
  columns.push_back({"p99.9", Align::right, 3});
  columns.push_back({"max", Align::right, 4});
  return TextTable(std::move(columns));
}

void add_latencies(const record::Histogram& h, std::vector<std::string>& cells) {
  if (h.empty()) {
    cells.insert(cells.end(), 6, "-");
    return;
  }
  cells.push_back(latency_text(h.mean()));
  for (const std::uint32_t q : {5'000'000U, 9'000'000U, 9'900'000U, 9'990'000U}) {
    cells.push_back(latency_text(h.quantile(q)));
  }
  cells.push_back(latency_text(h.max()));
}

// The first cells of the next row, each printed only where it differs from the row before.
class Margin {
 public:
  explicit Margin(const Shape& shape) : shape_(shape) {}

  std::vector<std::string> of(const StageResult& stage, const std::string& job) {
    const bool new_stage = stage_ != &stage;
    std::vector<std::string> cells = {new_stage ? fitted(printable(stage.id), 24) : std::string()};
    if (shape_.states) cells.emplace_back(new_stage ? to_string(stage.state) : "");
    if (shape_.jobs) cells.push_back(new_stage || job != job_ ? fitted(printable(job), 16) : "");
    stage_ = &stage;
    job_ = job;
    return cells;
  }

 private:
  Shape shape_;
  const StageResult* stage_ = nullptr;
  std::string job_;
};

void add_op(const StageResult& stage, const JobResult& job, const OpResult& op, Margin& margin,
            TextTable& table) {
  const OpStats& stats = op.stats;
  std::string name = fitted(printable(op.name), 24);
  if (const std::string containers = containers_text(stats); !containers.empty()) {
    name += " (" + containers + ")";
  }
  const std::string job_name = record::name_of(stage, job);
  std::vector<std::string> cells = margin.of(stage, job_name);
  cells.push_back(stats.response.empty() ? name : name + " (response)");
  cells.push_back(std::to_string(stats.successes()));
  cells.push_back(std::to_string(stats.failure_count()));
  const bool measured = job.window.ns() > 0;
  const auto rate = [&](std::uint64_t n) {
    return Rate::of(static_cast<double>(n), job.window).per_second();
  };
  cells.push_back(measured ? rate_text(rate(stats.successes())) : "-");
  cells.push_back(measured ? megabytes_text(rate(stats.bytes.count())) : "-");
  add_latencies(stats.latency(), cells);
  table.add(std::move(cells));
  if (stats.response.empty()) return;
  cells = margin.of(stage, job_name);
  cells.push_back(fmt::format("{:>{}}", "(service)", display_width(name) + 10));
  cells.insert(cells.end(), 4, "");
  add_latencies(stats.service, cells);
  table.add(std::move(cells));
}

// An operation that several jobs of a stage have, all of them together.
struct Total {
  std::string name;
  std::size_t jobs = 0;
  std::uint64_t ok = 0;
  std::uint64_t failed = 0;
  double per_second = 0;
  double bytes_per_second = 0;
  record::Histogram latency;
};

std::vector<Total> totals_of(const StageResult& stage) {
  std::vector<Total> totals;
  for (const JobResult& job : stage.jobs) {
    for (const OpResult& op : job.ops) {
      if (!has_row(job, op)) continue;
      auto total = std::ranges::find(totals, op.name, &Total::name);
      if (total == totals.end()) {
        total = totals.emplace(total);
        total->name = op.name;
      }
      ++total->jobs;
      total->ok += op.stats.successes();
      total->failed += op.stats.failure_count();
      const auto rate = [&](std::uint64_t n) {
        return Rate::of(static_cast<double>(n), job.window).per_second();
      };
      if (job.window.ns() > 0) {
        total->per_second += rate(op.stats.successes());
        total->bytes_per_second += rate(op.stats.bytes.count());
      }
      total->latency.merge(op.stats.latency());
    }
  }
  std::erase_if(totals, [](const Total& total) { return total.jobs < 2; });
  return totals;
}

void add_totals(const StageResult& stage, Margin& margin, TextTable& table) {
  if (stage.jobs.size() < 2) return;
  for (const Total& total : totals_of(stage)) {
    std::vector<std::string> cells = margin.of(stage, fmt::format("all {}", total.jobs));
    cells.push_back(fitted(printable(total.name), 24));
    cells.push_back(std::to_string(total.ok));
    cells.push_back(std::to_string(total.failed));
    cells.push_back(rate_text(total.per_second));
    cells.push_back(megabytes_text(total.bytes_per_second));
    add_latencies(total.latency, cells);
    table.add(std::move(cells));
  }
}

TextTable table_of(const RunResult& result) {
  const Shape shape = shape_of(result);
  TextTable table = empty_table(shape);
  Margin margin(shape);
  for (const StageResult& stage : result.stages) {
    bool empty = true;
    for (const JobResult& job : stage.jobs) {
      for (const OpResult& op : job.ops) {
        if (!has_row(job, op)) continue;
        add_op(stage, job, op, margin, table);
        empty = false;
      }
    }
    add_totals(stage, margin, table);
    if (!empty) continue;
    std::vector<std::string> cells = margin.of(stage, "");
    cells.push_back(stage.elapsed.ns() == 0 ? "(not run)"
                                            : fmt::format("({})", span_text(stage.elapsed)));
    cells.insert(cells.end(), 10, "");
    table.add(std::move(cells));
  }
  return table;
}

// Operations that are neither done nor lost.
std::string in_flight_text(const RunResult& result) {
  std::string out;
  for (const StageResult& stage : result.stages) {
    for (const JobResult& job : stage.jobs) {
      if (job.in_flight_at_end == 0) continue;
      out += fmt::format("  {}: {}", printable(record::place_of(stage, job)), job.in_flight_at_end);
      if (job.oldest_in_flight.ns() > 0) {
        out += fmt::format(", the oldest for {}", latency_text(job.oldest_in_flight));
      }
      out += '\n';
    }
  }
  return out;
}

std::string failures_text(const RunResult& result) {
  std::string out;
  for (const StageResult& stage : result.stages) {
    for (const JobResult& job : stage.jobs) {
      for (const OpResult& op : job.ops) {
        const std::string name = record::name_of(stage, job);
        const std::string twin = name == job.name ? "" : " " + printable(name);
        for (const record::FailureExample& f : op.stats.failures) {
          out += fmt::format("  {}{} {}: {}", printable(stage.id), twin, printable(op.name),
                             target::to_string(f.outcome));
          if (f.status != 0) out += fmt::format(" ({})", f.status);
          out += f.times == 1 ? " once" : fmt::format(" {} times", f.times);
          if (!f.item.empty()) out += ", e.g. at " + printable(f.item);
          if (!f.detail.empty()) out += ": " + printable(f.detail);
          out += '\n';
        }
      }
    }
    if (!stage.reason.empty()) {
      out += fmt::format("  {}: {}\n", printable(stage.id), printable(stage.reason));
    }
  }
  return out;
}

std::string verdicts_text(const std::vector<Verdict>& verdicts, const TextStyle& style) {
  std::string out;
  for (const Verdict::Level level : {Verdict::Level::warning, Verdict::Level::note}) {
    for (const Verdict& v : verdicts) {
      if (v.level != level) continue;
      const bool warning = level == Verdict::Level::warning;
      const std::string head = fmt::format("  {} {}", warning ? "warning" : "note   ", v.id);
      std::string line = head;
      if (!v.where.empty()) line += fmt::format(" ({})", printable(v.where));
      line += fmt::format(": {}", printable(v.text));
      line = wrapped(line, style.width, 10);
      // Coloured last: escape codes have no width.
      if (warning) line.replace(0, head.size(), coloured(head, k_yellow, style));
      out += line + '\n';
    }
  }
  return out;
}

void add_section(std::string& out, std::string_view title, const std::string& lines,
                 const TextStyle& style) {
  if (lines.empty()) return;
  out += '\n' + coloured(title, k_bold, style) + '\n' + lines;
}

std::string heading_text(const RunResult& result, const ResultHeading& heading) {
  std::string text = printable(heading.id);
  if (!heading.name.empty()) text += (text.empty() ? "" : " ") + printable(heading.name);
  text += fmt::format("{}{} after {}", text.empty() ? "" : ": ", to_string(result.state),
                      span_text(result.elapsed));
  if (!result.reason.empty()) text += ": " + printable(result.reason);
  return text;
}

}  // namespace

std::string result_text(const RunResult& result, const ResultHeading& heading,
                        const TextStyle& style) {
  std::string out = coloured(heading_text(result, heading), k_bold, style) + '\n';
  if (!result.stages.empty()) out += '\n' + table_of(result).text(style.width);
  add_section(out, "in flight at the end", in_flight_text(result), style);
  add_section(out, "failures", failures_text(result), style);
  add_section(out, "verdicts", verdicts_text(result.verdicts, style), style);
  std::string left;
  for (const std::string& item : result.left_behind) left += "  " + printable(item) + '\n';
  add_section(out, "left behind", left, style);
  std::size_t widest = 0;
  for (const auto& [what, path] : heading.files) widest = std::max(widest, display_width(what));
  std::string files;
  for (const auto& [what, path] : heading.files) {
    files += fmt::format("  {}{}  {}\n", what, std::string(widest - display_width(what), ' '),
                         printable(path));
  }
  add_section(out, "files", files, style);
  return out;
}

std::string stage_line(const StageResult& stage) {
  std::uint64_t samples = 0;
  std::uint64_t failed = 0;
  for (const JobResult& job : stage.jobs) {
    for (const OpResult& op : job.ops) {
      samples += op.stats.samples();
      failed += op.stats.failure_count();
    }
  }
  std::string text = fmt::format("{} {} in {}", printable(stage.id), to_string(stage.state),
                                 span_text(stage.elapsed));
  if (!stage.jobs.empty()) text += fmt::format(": {} operations, {} failed", samples, failed);
  if (!stage.reason.empty()) text += ": " + printable(stage.reason);
  return text;
}

}  // namespace loadline::report
