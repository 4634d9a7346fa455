#include "dialects/testdfsio/java_text.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace loadline::dialects::testdfsio {
namespace {

// 0.001 <= |value| < 10^7 is printed without an exponent.
constexpr int k_least_exponent = -3;
constexpr int k_exponents_end = 7;

// "1.234" from the digits 1234, "1.0" from 1.
std::string with_point(std::string_view digits, std::size_t before) {
  std::string text(digits.substr(0, before));
  text += '.';
  text += digits.size() > before ? digits.substr(before) : std::string_view("0");
  return text;
}

// `digits` have no zeros at their end but for a single one; the first stands for 10^exponent.
std::string laid_out(std::string digits, int exponent) {
  if (exponent < k_least_exponent || exponent >= k_exponents_end) {
    return with_point(digits, 1) + 'E' + std::to_string(exponent);
  }
  if (exponent < 0) {
    return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  }
  const auto before = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() < before) digits.append(before - digits.size(), '0');
  return with_point(digits, before);
}

template <typename T>
std::string text_of(T value) {
  if (std::isnan(value)) return "NaN";
  const std::string sign = std::signbit(value) ? "-" : "";
  if (std::isinf(value)) return sign + "Infinity";
  std::array<char, 64> buffer{};
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(value),
                                     std::chars_format::scientific);
  const std::string_view shortest(buffer.data(), written.ptr);  // d[.ddd]e[+-]dd
  const std::size_t e = shortest.find('e');
  std::string digits;
  for (const char c : shortest.substr(0, e)) {
    if (c != '.') digits += c;
  }
  std::string_view power = shortest.substr(e + 1);
  if (power.starts_with('+')) power.remove_prefix(1);
  int exponent = 0;
  std::from_chars(power.data(), power.data() + power.size(), exponent);
  return sign + laid_out(std::move(digits), exponent);
}

}  // namespace

std::string java_text(float value) { return text_of(value); }
std::string java_text(double value) { return text_of(value); }

std::string two_decimals(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-∞" : "∞";
  std::string text = fmt::format("{:.2f}", value);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string java_date(WallTime when) {
  std::string zone = when.local("%Z");
  // Zones without letters of their own.
  if (zone.starts_with('+') || zone.starts_with('-')) {
    zone = "GMT" + zone.substr(0, 3) + ":" + (zone.size() > 3 ? zone.substr(3) : "00");
  }
  return fmt::format("{} {} {}", when.local("%a %b %d %H:%M:%S"), zone, when.local("%Y"));
}

}  // namespace loadline::dialects::testdfsio
