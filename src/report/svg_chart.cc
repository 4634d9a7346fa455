#include "report/svg_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "base/check.h"
#include "base/units.h"
#include "report/figures.h"
#include "report/html_text.h"

namespace loadline::report {
namespace {

// In the units of the viewBox; the drawing is scaled to the width of its column.
constexpr double k_width = 720;
constexpr double k_height = 270;
constexpr double k_left = 62;
constexpr double k_right = 700;
constexpr double k_top = 12;
constexpr double k_bottom = 236;

bool usable(const Chart& chart, double y) {
  return std::isfinite(y) && (chart.y_kind == Chart::Y::amount || y > 0);
}

// Maps one axis to the drawing.
struct Axis {
  double least = 0;
  double most = 1;
  double from = 0;
  double to = 1;
  bool logarithmic = false;

  double place(double value) const {
    const double share = logarithmic ? std::log(value / least) / std::log(most / least)
                                     : (value - least) / (most - least);
    return from + std::clamp(share, 0.0, 1.0) * (to - from);
  }
};

std::string amount_label(double value) {
  if (value >= 1e9) return fmt::format("{:g}G", value / 1e9);
  if (value >= 1e6) return fmt::format("{:g}M", value / 1e6);
  if (value >= 1e4) return fmt::format("{:g}k", value / 1e3);
  return fmt::format("{:g}", value);
}

std::string latency_label(double ns) {
  if (ns < 1e3) return fmt::format("{:g} ns", ns);
  if (ns < 1e6) return fmt::format("{:g} \u00b5s", ns / 1e3);
  if (ns < 1e9) return fmt::format("{:g} ms", ns / 1e6);
  return fmt::format("{:g} s", ns / 1e9);
}

std::string time_label(double seconds, double end) {
  if (end <= 120) return fmt::format("{:g} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (end <= 2 * 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

// 1 -> "0 %", 10 -> "90 %", 1000 -> "99.9 %".
std::string percentile_label(int decade) {
  if (decade == 0) return "0 %";
  std::string nines(static_cast<std::size_t>(decade), '9');
  if (decade == 1) return "90 %";
  if (decade > 2) nines.insert(2, ".");
  return nines + " %";
}

struct Marks {
  std::vector<double> at;
  std::vector<std::string> labels;
};

Marks x_marks(const Chart& chart, double end) {
  Marks marks;
  if (chart.x_kind == Chart::X::time) {
    marks.at = time_marks(end, 8);
    for (const double t : marks.at) marks.labels.push_back(time_label(t, end));
    return marks;
  }
  double at = 1;
  for (int decade = 0; at <= end * 1.0001; ++decade, at *= 10) {
    marks.at.push_back(at);
    marks.labels.push_back(percentile_label(decade));
  }
  return marks;
}

Marks y_marks(const Chart& chart) {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  const auto look_at = [&](std::span<const double> values) {
    for (const double y : values) {
      if (!usable(chart, y)) continue;
      least = std::min(least, y);
      most = std::max(most, y);
    }
  };
  for (const ChartLine& line : chart.lines) {
    look_at(line.y);
    look_at(line.high);
  }
  Marks marks;
  if (chart.y_kind == Chart::Y::amount) {
    marks.at = amount_marks(most, 5);
    for (const double y : marks.at) marks.labels.push_back(amount_label(y));
  } else {
    marks.at = most > 0 ? latency_marks(least, most) : latency_marks(1e6, 1e7);
    for (const double y : marks.at) marks.labels.push_back(latency_label(y));
  }
  return marks;
}

std::string grid(const Marks& marks_x, const Axis& x, const Marks& marks_y, const Axis& y) {
  std::string out = "<g class=\"grid\">";
  for (const double at : marks_y.at) {
    out += fmt::format("<path d=\"M{} {:.1f}H{}\"/>", k_left, y.place(at), k_right);
  }
  for (const double at : marks_x.at) {
    out += fmt::format("<path d=\"M{:.1f} {}v5\"/>", x.place(at), k_bottom);
  }
  out += "</g><g class=\"label\" text-anchor=\"end\">";
  for (std::size_t i = 0; i < marks_y.at.size(); ++i) {
    out += fmt::format("<text x=\"{}\" y=\"{:.1f}\">{}</text>", k_left - 8,
                       y.place(marks_y.at[i]) + 4, marks_y.labels[i]);
  }
  out += "</g><g class=\"label\" text-anchor=\"middle\">";
  for (std::size_t i = 0; i < marks_x.at.size(); ++i) {
    out += fmt::format("<text x=\"{:.1f}\" y=\"{}\">{}</text>", x.place(marks_x.at[i]),
                       k_bottom + 22, marks_x.labels[i]);
  }
  return out + "</g>\n";
}

std::string shades(const Chart& chart, const Axis& x) {
  std::string out;
  for (const ChartShade& shade : chart.shades) {
    const double from = x.place(shade.from);
    const double width = x.place(shade.to) - from;
    if (width <= 0) continue;
    out += fmt::format(
        "<rect class=\"shade\" x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\"/>\n", from,
        k_top, width, k_bottom - k_top);
  }
  return out;
}

std::string line_path(const Chart& chart, const ChartLine& line, const Axis& x, const Axis& y) {
  std::string path;
  bool drawing = false;
  for (std::size_t i = 0; i < chart.x.size(); ++i) {
    if (!usable(chart, line.y[i])) {
      drawing = false;
      continue;
    }
    const double px = x.place(chart.x[i]);
    const double py = y.place(line.y[i]);
    const bool alone = !drawing && (i + 1 == chart.x.size() || !usable(chart, line.y[i + 1]));
    // A point without neighbours: a line of no length, which round caps make a dot.
    path += fmt::format("{}{:.1f} {:.1f}{}", drawing ? 'L' : 'M', px, py, alone ? "h0" : "");
    drawing = true;
  }
  return path;
}

std::string band_path(const Chart& chart, const ChartLine& line, const Axis& x, const Axis& y) {
  std::string path;
  for (std::size_t begin = 0; begin < line.low.size();) {
    if (!usable(chart, line.low[begin]) || !usable(chart, line.high[begin])) {
      ++begin;
      continue;
    }
    std::size_t end = begin;
    while (end < line.low.size() && usable(chart, line.low[end]) && usable(chart, line.high[end])) {
      ++end;
    }
    for (std::size_t i = begin; i < end; ++i) {
      path += fmt::format("{}{:.1f} {:.1f}", i == begin ? 'M' : 'L', x.place(chart.x[i]),
                          y.place(line.high[i]));
    }
    for (std::size_t i = end; i-- > begin;) {
      path += fmt::format("L{:.1f} {:.1f}", x.place(chart.x[i]), y.place(line.low[i]));
    }
    path += 'Z';
    begin = end;
  }
  return path;
}

std::string colour_class(const ChartLine& line) {
  return line.colour == ChartLine::k_muted ? "muted" : fmt::format("c{}", line.colour % 8);
}

std::string lines(const Chart& chart, const Axis& x, const Axis& y) {
  std::string out;
  for (const ChartLine& line : chart.lines) {
    CHECK(line.y.size() == chart.x.size());
    if (line.low.empty()) continue;
    out += fmt::format("<path class=\"band {}\" d=\"{}\"/>\n", colour_class(line),
                       band_path(chart, line, x, y));
  }
  for (const ChartLine& line : chart.lines) {
    out += fmt::format("<path class=\"line {}{}\" d=\"{}\"/>\n", colour_class(line),
                       line.dashed ? " dashed" : "", line_path(chart, line, x, y));
  }
  return out;
}

std::string legend(const Chart& chart) {
  std::string out = "<ul class=\"legend\">";
  for (const ChartLine& line : chart.lines) {
    out += fmt::format("<li class=\"{}{}\"><i></i>{}</li>", colour_class(line),
                       line.dashed ? " dashed" : "", escaped(line.name));
  }
  return out + "</ul>";
}

// Four significant digits are what the pointer shows.
nlohmann::json rounded(const Chart& chart, double value) {
  if (!usable(chart, value)) return nullptr;
  if (value == 0) return 0;
  const double scale = std::pow(10, 3 - std::floor(std::log10(std::abs(value))));
  const double round = std::round(value * scale) / scale;
  if (std::abs(round) < 1e15 && round == std::floor(round)) return static_cast<std::int64_t>(round);
  return round;
}

std::string data(const Chart& chart, const Axis& x, const Axis& y) {
  using nlohmann::json;
  const auto axis = [](const Axis& a) {
    return json{{"least", a.least},
                {"most", a.most},
                {"from", a.from},
                {"to", a.to},
                {"log", a.logarithmic}};
  };
  json points = json::array();
  for (const double value : chart.x) points.push_back(std::round(value * 1000) / 1000);
  json all = json::array();
  for (const ChartLine& line : chart.lines) {
    json values = json::array();
    for (const double value : line.y) values.push_back(rounded(chart, value));
    all.push_back({{"name", line.name}, {"class", colour_class(line)}, {"y", values}});
  }
  const json document = {{"x", points},
                         {"xAxis", axis(x)},
                         {"yAxis", axis(y)},
                         {"time", chart.x_kind == Chart::X::time},
                         {"latency", chart.y_kind == Chart::Y::latency},
                         {"unit", chart.unit},
                         {"lines", all}};
  return json_in_script(document.dump(-1, ' ', false, json::error_handler_t::replace));
}

// Numbers like 0.1 that come out of multiplying by powers of ten, without their last bits.
double tidy(double value) { return std::round(value * 1e12) / 1e12; }

}  // namespace

std::vector<double> amount_marks(double most, int count) {
  if (!(most > 0)) return {0, 1};
  const double rough = most / count;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (factor * power >= rough * (1 - 1e-9)) {
      step = factor * power;
      break;
    }
  }
  std::vector<double> marks;
  for (int i = 0; marks.empty() || marks.back() < most * (1 - 1e-9); ++i) {
    marks.push_back(tidy(i * step));
  }
  return marks;
}

std::vector<double> latency_marks(double least, double most) {
  CHECK(least > 0 && most >= least);
  std::vector<double> fine;
  for (double power = std::pow(10, std::floor(std::log10(least)));
       fine.empty() || fine.back() < most; power *= 10) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double mark = tidy(factor * power);
      if (!fine.empty() && fine.back() >= most) break;
      // Keep the last one at or below the least.
      if (mark <= least) fine.clear();
      fine.push_back(mark);
    }
  }
  if (fine.size() == 1) fine.push_back(fine.back() * 2);
  if (fine.size() <= 7) return fine;
  std::vector<double> coarse;
  const double first = std::pow(10, std::floor(std::log10(least) + 1e-9));
  for (double power = first; coarse.empty() || coarse.back() < most; power *= 10) {
    coarse.push_back(tidy(power));
  }
  return coarse;
}

std::vector<double> time_marks(double end, int count) {
  static constexpr double k_steps[] = {0.001, 0.002, 0.005, 0.01, 0.02, 0.05,  0.1,   0.2,   0.5,
                                       1,     2,     5,     10,   15,   30,    60,    120,   300,
                                       600,   900,   1800,  3600, 7200, 10800, 21600, 43200, 86400};
  double step = k_steps[0];
  for (const double candidate : k_steps) {
    step = candidate;
    if (end <= candidate * count) break;
  }
  while (end > step * count) step *= 2;
  std::vector<double> marks;
  for (int i = 0; i * step <= end * (1 + 1e-9); ++i) marks.push_back(tidy(i * step));
  return marks;
}

std::string svg_chart(const Chart& chart) {
  const bool percentile = chart.x_kind == Chart::X::percentile;
  double x_end = std::max(chart.x_end, chart.x.empty() ? 0 : chart.x.back());
  x_end = std::max(x_end, percentile ? 10.0 : 1e-3);
  const Marks marks_x = x_marks(chart, x_end);
  const Marks marks_y = y_marks(chart);
  const Axis x{.least = percentile ? 1.0 : 0.0,
               .most = x_end,
               .from = k_left,
               .to = k_right,
               .logarithmic = percentile};
  const Axis y{.least = marks_y.at.front(),
               .most = marks_y.at.back(),
               .from = k_bottom,
               .to = k_top,
               .logarithmic = chart.y_kind == Chart::Y::latency};

  std::string title = escaped(chart.title);
  std::string out = "<figure class=\"chart\"><figcaption>" + title;
  if (!chart.unit.empty()) out += " <span class=\"unit\">" + escaped(chart.unit) + "</span>";
  out += "</figcaption>" + legend(chart);
  out += fmt::format(
      "\n<div class=\"plot\"><svg viewBox=\"0 0 {} {}\" role=\"img\" "
      "aria-label=\"{}\">\n",
      k_width, k_height, title);
  out += shades(chart, x) + grid(marks_x, x, marks_y, y) + lines(chart, x, y);
  out += "<g class=\"cursor\"></g></svg><div class=\"tip\" hidden></div></div>\n";
  if (!chart.note.empty()) out += "<p class=\"note\">" + escaped(chart.note) + "</p>\n";
  out += "<script type=\"application/json\">" + data(chart, x, y) + "</script></figure>\n";
  return out;
}

}  // namespace loadline::report
