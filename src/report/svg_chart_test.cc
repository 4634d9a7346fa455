#include "report/svg_chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace loadline::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(AmountMarks, are_round_and_reach_the_top) {
  EXPECT_THAT(amount_marks(0, 5), ElementsAre(0, 1));
  EXPECT_THAT(amount_marks(1, 5), ElementsAre(0, 0.2, 0.4, 0.6, 0.8, 1));
  EXPECT_THAT(amount_marks(1333, 5), ElementsAre(0, 500, 1000, 1500));
  EXPECT_THAT(amount_marks(46'757, 5), ElementsAre(0, 10'000, 20'000, 30'000, 40'000, 50'000));
  EXPECT_THAT(amount_marks(0.03, 5), ElementsAre(0, 0.01, 0.02, 0.03));
  EXPECT_THAT(amount_marks(std::nan(""), 5), ElementsAre(0, 1));
}

TEST(LatencyMarks, enclose_the_values) {
  EXPECT_THAT(latency_marks(1.5e6, 4e6), ElementsAre(1e6, 2e6, 5e6));
  EXPECT_THAT(latency_marks(1e6, 1e6), ElementsAre(1e6, 2e6));
  EXPECT_THAT(latency_marks(3e6, 3e6), ElementsAre(2e6, 5e6));
  EXPECT_THAT(latency_marks(9e2, 2e9), ElementsAre(1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10));
}

TEST(TimeMarks, fall_on_whole_seconds_and_minutes) {
  EXPECT_THAT(time_marks(35, 8), ElementsAre(0, 5, 10, 15, 20, 25, 30, 35));
  EXPECT_THAT(time_marks(300, 8), ElementsAre(0, 60, 120, 180, 240, 300));
  EXPECT_THAT(time_marks(86'400, 8),
              ElementsAre(0, 10'800, 21'600, 32'400, 43'200, 54'000, 64'800, 75'600, 86'400));
  EXPECT_LE(time_marks(1e9, 8).size(), 9U);
}

Chart small_chart() {
  Chart chart;
  chart.title = "Operations";
  chart.unit = "op/s";
  chart.x = {0, 1, 2, 3, 4};
  chart.lines.push_back({.name = "read", .y = {1, 2, std::nan(""), 4, std::nan("")}});
  return chart;
}

TEST(SvgChart, leaves_gaps_and_makes_lonely_points_dots) {
  const std::string html = svg_chart(small_chart());
  // Two points joined, then one alone.
  EXPECT_THAT(html, HasSubstr("d=\"M62.0 180.0L221.5 124.0M540.5 12.0h0\""));
  EXPECT_THAT(html, HasSubstr("\"y\":[1,2,null,4,null]"));
  EXPECT_THAT(html, Not(HasSubstr("nan")));
}

TEST(SvgChart, draws_bands_behind_lines) {
  Chart chart = small_chart();
  chart.lines[0].low = {1, 1, std::nan(""), 1, 1};
  chart.lines[0].high = {2, 2, std::nan(""), 4, 4};
  const std::string html = svg_chart(chart);
  const std::size_t band = html.find("class=\"band c0\"");
  ASSERT_NE(band, std::string::npos);
  EXPECT_LT(band, html.find("class=\"line c0\""));
}

TEST(SvgChart, survives_values_that_no_axis_can_hold) {
  Chart chart = small_chart();
  chart.y_kind = Chart::Y::latency;
  chart.lines[0].y = {0, -1, 0, INFINITY, 0};
  EXPECT_THAT(svg_chart(chart), HasSubstr("d=\"\""));
  chart.x.clear();
  chart.lines.clear();
  EXPECT_THAT(svg_chart(chart), HasSubstr("<svg"));
}

TEST(SvgChart, labels_percentiles_by_their_nines) {
  Chart chart;
  chart.x_kind = Chart::X::percentile;
  chart.y_kind = Chart::Y::latency;
  chart.x = {1, 10, 100, 1000, 10'000};
  chart.lines.push_back({.name = "read", .y = {1e6, 2e6, 3e6, 4e6, 5e6}});
  const std::string html = svg_chart(chart);
  for (const char* label : {">0 %<", ">90 %<", ">99 %<", ">99.9 %<", ">99.99 %<", ">5 ms<"}) {
    EXPECT_THAT(html, HasSubstr(label));
  }
}

TEST(SvgChart, shades_what_was_not_measured) {
  Chart chart = small_chart();
  chart.shades = {{0, 1}, {5, 9}};
  EXPECT_THAT(svg_chart(chart),
              HasSubstr("<rect class=\"shade\" x=\"62.0\" y=\"12\" width=\"159.5\""));
}

}  // namespace
}  // namespace loadline::report
