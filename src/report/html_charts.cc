#include "report/html_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "report/figures.h"
#include "report/svg_chart.h"

namespace loadline::report {
namespace {

using record::JobResult;
using record::OpResult;
using record::StageResult;

constexpr double k_gap = std::numeric_limits<double>::quiet_NaN();

// One operation of the stage with its points.
struct Shown {
  const JobResult& job;
  const OpResult& op;
  const std::vector<SeriesPoint>& points;
  std::uint64_t ticks_per_point;
  std::string name;
};

std::vector<Shown> shown_of(const StageResult& stage, const StageSeries& series) {
  std::vector<Shown> out;
  for (std::size_t j = 0; j < std::min(stage.jobs.size(), series.jobs.size()); ++j) {
    const JobResult& job = stage.jobs[j];
    for (std::size_t o = 0; o < std::min(job.ops.size(), series.jobs[j].size()); ++o) {
      if (!has_row(job, job.ops[o])) continue;
      const std::string& name = job.ops[o].name;
      out.push_back({job, job.ops[o], series.jobs[j][o].points(),
                     series.jobs[j][o].ticks_per_point(),
                     stage.jobs.size() > 1 ? job.name + " " + name : name});
    }
  }
  return out;
}

double middle(const SeriesPoint& point) {
  return (point.start.as_seconds() + point.end.as_seconds()) / 2;
}

// A chart over time with its axis and shaded ramps, but no lines.
Chart time_chart(const StageResult& stage, const std::vector<Shown>& shown) {
  Chart chart;
  for (const SeriesPoint& point : shown.front().points) chart.x.push_back(middle(point));
  chart.x_end = std::max(stage.elapsed.as_seconds(), shown.front().points.back().end.as_seconds());
  Duration begin = Duration::max();
  Duration end;
  for (const JobResult& job : stage.jobs) {
    if (job.window.ns() <= 0) return chart;
    begin = std::min(begin, job.window_start);
    end = std::max(end, job.window_start + job.window);
  }
  // Less than a third of a second is the start and the end of threads, not a ramp.
  const Duration least = Duration::milliseconds(300);
  if (begin > least) chart.shades.push_back({0, begin.as_seconds()});
  if (stage.elapsed - end > least) chart.shades.push_back({end.as_seconds(), chart.x_end});
  return chart;
}

double per_second(std::uint64_t n, Duration span) {
  return Rate::of(static_cast<double>(n), span).per_second();
}

std::string point_note(const Shown& shown, const char* rule) {
  if (shown.ticks_per_point == 1) return {};
  return fmt::format("One point stands for {} s: {}.", shown.ticks_per_point, rule);
}

// What ended in the ramps, of all operations; gaps where everything was measured.
ChartLine ramp_line(const std::vector<Shown>& shown) {
  ChartLine line{.name = "not measured (ramps)", .colour = ChartLine::k_muted, .dashed = true};
  for (std::size_t i = 0; i < shown.front().points.size(); ++i) {
    const SeriesPoint& first = shown.front().points[i];
    std::uint64_t outside = 0;
    for (const Shown& s : shown) {
      if (i < s.points.size()) outside += s.points[i].outside;
    }
    line.y.push_back(first.has_rate() ? k_gap : per_second(outside, first.length()));
  }
  return line;
}

Chart rate_chart(const StageResult& stage, const std::vector<Shown>& shown) {
  Chart chart = time_chart(stage, shown);
  chart.title = "Operations";
  chart.unit = "op/s";
  chart.note =
      point_note(shown.front(), "the line is its mean, the band its slowest and fastest second");
  int colour = 0;
  for (const Shown& s : shown) {
    ChartLine line{.name = s.name, .colour = colour++};
    for (const SeriesPoint& p : s.points) {
      line.y.push_back(p.has_rate() ? per_second(p.successes, p.measured) : k_gap);
      if (s.ticks_per_point == 1) continue;
      line.low.push_back(p.has_rate() ? p.rate_least : k_gap);
      line.high.push_back(p.has_rate() ? p.rate_most : k_gap);
    }
    chart.lines.push_back(std::move(line));
  }
  if (!chart.shades.empty()) chart.lines.push_back(ramp_line(shown));
  return chart;
}

Chart byte_chart(const StageResult& stage, const std::vector<Shown>& shown) {
  Chart chart = time_chart(stage, shown);
  chart.title = "Throughput";
  chart.unit = "MB/s";
  int colour = 0;
  for (const Shown& s : shown) {
    ChartLine line{.name = s.name, .colour = colour++};
    for (const SeriesPoint& p : s.points) {
      line.y.push_back(p.has_rate() ? per_second(p.bytes.count(), p.measured) / 1e6 : k_gap);
    }
    if (s.op.stats.bytes.count() > 0) chart.lines.push_back(std::move(line));
  }
  return chart;
}

Chart failure_chart(const StageResult& stage, const std::vector<Shown>& shown) {
  Chart chart = time_chart(stage, shown);
  chart.title = "Failures";
  chart.unit = "per second";
  int colour = 0;
  for (const Shown& s : shown) {
    ChartLine line{.name = s.name, .colour = colour++};
    bool any = false;
    for (const SeriesPoint& p : s.points) {
      any = any || p.failures > 0;
      line.y.push_back(p.has_rate() ? per_second(p.failures, p.measured) : k_gap);
    }
    if (any) chart.lines.push_back(std::move(line));
  }
  return chart;
}

Chart latency_chart(const StageResult& stage, const std::vector<Shown>& all, const Shown& s) {
  Chart chart = time_chart(stage, all);
  chart.title = "Latency of " + s.name;
  if (!s.op.stats.response.empty()) chart.title += ", from the intended start";
  chart.y_kind = Chart::Y::latency;
  chart.note = point_note(s, "its largest p50, p99 and maximum of one second");
  ChartLine max{.name = "max", .colour = 3};
  ChartLine p99{.name = "p99", .colour = 1};
  ChartLine p50{.name = "p50", .colour = 0};
  for (const SeriesPoint& p : s.points) {
    max.y.push_back(static_cast<double>(p.max.ns()));
    p99.y.push_back(static_cast<double>(p.p99.ns()));
    p50.y.push_back(static_cast<double>(p.p50.ns()));
  }
  chart.lines = {std::move(max), std::move(p99), std::move(p50)};
  return chart;
}

// Latencies at the places of `x`, up to the last one that a single sample backs.
ChartLine curve_of(const record::Histogram& h, const std::vector<double>& x, std::string name,
                   int colour, bool dashed) {
  ChartLine line{.name = std::move(name), .colour = colour, .dashed = dashed};
  const auto most = static_cast<double>(h.count());
  for (const double at : x) {
    const auto rank = static_cast<std::uint32_t>(std::llround((1 - 1 / at) * 1e7));
    line.y.push_back(at <= most * 1.001 ? static_cast<double>(h.quantile(rank).ns()) : k_gap);
  }
  return line;
}

Chart percentile_chart(const StageResult& stage) {
  Chart chart;
  chart.title = "Latency by percentile";
  chart.x_kind = Chart::X::percentile;
  chart.y_kind = Chart::Y::latency;
  std::uint64_t most = 0;
  for (const JobResult& job : stage.jobs) {
    for (const OpResult& op : job.ops) most = std::max(most, op.stats.latency().count());
  }
  // The histogram's ranks end at seven digits.
  const double end = std::min(1e7, static_cast<double>(most));
  for (double at = 1; at < end; at *= std::pow(10, 0.05)) chart.x.push_back(at);
  chart.x.push_back(end);
  int colour = 0;
  bool paced = false;
  for (const JobResult& job : stage.jobs) {
    for (const OpResult& op : job.ops) {
      const std::string name = stage.jobs.size() > 1 ? job.name + " " + op.name : op.name;
      const record::OpStats& stats = op.stats;
      if (!stats.latency().empty()) {
        chart.lines.push_back(curve_of(stats.latency(), chart.x, name, colour, false));
      }
      if (!stats.response.empty()) {
        paced = true;
        chart.lines.push_back(curve_of(stats.service, chart.x, name + ", service", colour, true));
      }
      ++colour;
    }
  }
  if (paced) {
    chart.note =
        "Paced operations: the solid line counts from the intended start, the dotted one "
        "from the actual send.";
  }
  return chart;
}

}  // namespace

std::vector<StageSeries> series_of(const record::RunResult& result) {
  std::vector<StageSeries> stages;
  for (const StageResult& stage : result.stages) {
    StageSeries& series = stages.emplace_back();
    for (const JobResult& job : stage.jobs) {
      series.jobs.emplace_back(job.ops.size(), TimeSeries(job.window_start, job.window));
    }
  }
  return stages;
}

void add_tick(std::vector<StageSeries>& stages, const store::TickRow& row) {
  if (row.stage >= stages.size()) return;
  StageSeries& stage = stages[row.stage];
  ++stage.ticks;
  for (std::size_t j = 0; j < std::min(stage.jobs.size(), row.jobs.size()); ++j) {
    for (std::size_t o = 0; o < std::min(stage.jobs[j].size(), row.jobs[j].size()); ++o) {
      stage.jobs[j][o].add(row.start, row.length, row.jobs[j][o]);
    }
  }
}

std::string stage_charts(const StageResult& stage, const StageSeries& series) {
  std::vector<Shown> shown = shown_of(stage, series);
  std::string out;
  const bool over_time = series.ticks >= k_ticks_for_charts && !shown.empty() &&
                         std::ranges::none_of(shown, [&](const Shown& s) {
                           return s.points.size() != shown.front().points.size();
                         });
  std::uint64_t samples = 0;
  for (const JobResult& job : stage.jobs) {
    for (const OpResult& op : job.ops) samples += op.stats.successes();
  }
  const auto draw = [&](const Chart& chart) {
    if (!chart.lines.empty()) out += svg_chart(chart);
  };
  if (over_time) {
    draw(rate_chart(stage, shown));
    draw(byte_chart(stage, shown));
    draw(failure_chart(stage, shown));
  }
  if (samples >= (over_time ? k_samples_for_curve : k_samples_alone)) draw(percentile_chart(stage));
  if (over_time) {
    for (const Shown& s : shown) {
      const bool any =
          std::ranges::any_of(s.points, [](const SeriesPoint& p) { return p.max.ns() > 0; });
      if (any) draw(latency_chart(stage, shown, s));
    }
  }
  return out;
}

}  // namespace loadline::report
