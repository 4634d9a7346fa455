#include "report/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace loadline::report {
namespace {

// Three significant digits of a value below 1000, never in scientific form.
std::string three_digits(double value) {
  if (value < 9.995) return fmt::format("{:.2f}", value);
  if (value < 99.95) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

// `value` in the first unit in which it stays below 1000 when rounded.
template <std::size_t N>
std::string scaled(double value, const std::array<std::string_view, N>& units) {
  std::size_t unit = 0;
  while (unit + 1 < N && value >= 999.5) {
    value /= 1000;
    ++unit;
  }
  if (unit == 0) return fmt::format("{:.0f} {}", value, units[0]);
  return fmt::format("{} {}", three_digits(value), units[unit]);
}

std::string four_digits(double value) {
  if (value < 0.005) return "0";
  if (value < 99.995) return fmt::format("{:.2f}", value);
  if (value < 999.95) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

}  // namespace

std::string latency_text(Duration d) {
  static constexpr std::array<std::string_view, 4> k_units = {"ns", "us", "ms", "s"};
  if (d.ns() < 0) return "-" + latency_text(Duration() - d);
  return scaled(static_cast<double>(d.ns()), k_units);
}

std::string span_text(Duration d) {
  const double seconds = std::max(0.0, d.as_seconds());
  if (seconds < 99.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  const std::int64_t minutes = (whole + 30) / 60;
  return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
}

std::string rate_text(double per_second) { return four_digits(per_second); }

std::string megabytes_text(double bytes_per_second) { return four_digits(bytes_per_second / 1e6); }

std::string bytes_text(Bytes bytes) {
  static constexpr std::array<std::string_view, 7> k_units = {"B",  "kB", "MB", "GB",
                                                              "TB", "PB", "EB"};
  return scaled(static_cast<double>(bytes.count()), k_units);
}

std::string percent_text(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "-";
  if (part == whole) return "100 %";
  if (part == 0) return "0 %";
  const double percent = static_cast<double>(part) / static_cast<double>(whole) * 100;
  return fmt::format("{:.2f} %", std::clamp(percent, 0.01, 99.99));
}

bool has_row(const record::JobResult& job, const record::OpResult& op) {
  if (!job.block) return true;
  const auto did = [](const record::OpResult& one) {
    return one.stats.samples() + one.stats.outside > 0;
  };
  return did(op) || (&op == job.ops.data() && std::ranges::none_of(job.ops, did));
}

std::string grouped(std::uint64_t n, const std::string& separator) {
  const std::string digits = std::to_string(n);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += separator;
    text += digits[i];
  }
  return text;
}

std::string containers_text(const record::OpStats& stats) {
  const std::uint64_t all = stats.container_ops + stats.container_failures;
  if (all == 0 || (stats.samples() > 0 && stats.container_failures == 0)) return {};
  const char* noun = all == 1 ? "container" : "containers";
  if (stats.container_failures == 0) return fmt::format("{} {}", all, noun);
  return fmt::format("{} of {} {}", stats.container_ops, all, noun);
}

}  // namespace loadline::report
