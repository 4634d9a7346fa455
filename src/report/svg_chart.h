// Line charts as SVG inside an HTML <figure>: drawn here, readable and printable without a script;
// a small script (html_assets.h) adds values under the pointer from the data that goes along.
//
// Threads: pure functions.
#pragma once

#include <string>
#include <vector>

namespace loadline::report {

struct ChartLine {
  std::string name;
  int colour = 0;  // of the page's palette, from 0; k_muted: grey
  bool dashed = false;
  std::vector<double> y;    // as long as Chart::x; NaN leaves a gap
  std::vector<double> low;  // a band behind the line, or empty
  std::vector<double> high;

  static constexpr int k_muted = -1;
};

// A part of the x axis that is set apart.
struct ChartShade {
  double from = 0;
  double to = 0;
};

struct Chart {
  enum class X : unsigned char {
    time,        // seconds
    percentile,  // 1 / (1 - q), logarithmic, from 1 on
  };
  enum class Y : unsigned char {
    amount,   // from 0, linear
    latency,  // nanoseconds, logarithmic; values at or below 0 leave a gap
  };
  std::string title{};
  std::string unit{};  // of amounts
  std::string note{};  // under the chart
  X x_kind = X::time;
  Y y_kind = Y::amount;
  std::vector<double> x{};  // rising
  double x_end = 0;         // of the axis; the last x where that is more
  std::vector<ChartLine> lines{};
  std::vector<ChartShade> shades{};
};

// The <figure>. Titles, names and notes are escaped here.
std::string svg_chart(const Chart& chart);

// Round numbers from 0 to at least `most`, at most `count` steps. Never empty.
std::vector<double> amount_marks(double most, int count);
// 1, 2 and 5 times powers of ten (powers alone where there are many), from at or below `least` to
// at or above `most`; both above zero.
std::vector<double> latency_marks(double least, double most);
// Whole seconds, minutes or hours from 0 to at most `end`, at most `count` steps.
std::vector<double> time_marks(double end, int count);

}  // namespace loadline::report
