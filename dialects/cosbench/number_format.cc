#include "dialects/cosbench/number_format.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline::dialects::cosbench {

std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string share(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "0%";
  const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  return number(part < whole ? std::min(percent, 99.99) : percent) + "%";
}

std::string success_ratio(std::uint64_t successes, std::uint64_t samples) {
  return successes == 0 ? std::string(k_not_available) : share(successes, samples);
}

std::string mean_ms(std::uint64_t sum_ns, std::uint64_t count) {
  if (count == 0) return std::string(k_not_available);
  return number(static_cast<double>(sum_ns) / static_cast<double>(count) / 1e6);
}

std::string milliseconds(Duration d) { return number(d.as_milliseconds()); }

std::string per_second(std::uint64_t amount, Duration time) {
  return number(Rate::of(static_cast<double>(amount), time).per_second());
}

std::string date_time(WallTime at) { return at.local("%Y-%m-%d %H:%M:%S"); }

std::string cell(std::string_view name) {
  std::string text(name);
  std::ranges::replace(text, ',', '-');
  std::ranges::replace(text, '\n', ' ');
  std::ranges::replace(text, '\r', ' ');
  return text;
}

}  // namespace loadline::dialects::cosbench
