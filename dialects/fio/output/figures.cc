#include "dialects/fio/output/figures.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace loadline::dialects::fio::output {
namespace {

constexpr std::array<std::string_view, 7> k_decimal = {"", "k", "M", "G", "T", "P", "E"};
constexpr std::array<std::string_view, 7> k_binary = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};

std::string_view text_of(Unit unit) {
  switch (unit) {
    case Unit::none: return "";
    case Unit::byte: return "B";
    case Unit::bit: return "bit";
    case Unit::byte_per_second: return "B/s";
    case Unit::bit_per_second: return "bit/s";
  }
  return "";
}

unsigned digits_of(std::uint64_t value) {
  unsigned digits = 1;
  for (; value >= 10; value /= 10) ++digits;
  return digits;
}

}  // namespace

std::string short_number(std::uint64_t value, const NumberStyle& style) {
  const auto& prefixes = style.binary ? k_binary : k_decimal;
  const std::uint64_t step = style.binary ? 1024 : 1000;
  if (style.unit == Unit::bit || style.unit == Unit::bit_per_second) {
    value = value > UINT64_MAX / 8 ? UINT64_MAX : value * 8;
  }
  std::size_t prefix = 0;
  std::uint64_t whole = value;
  std::uint64_t rest = 0;
  while (digits_of(whole) > style.digits && prefix + 1 < prefixes.size()) {
    rest = whole % step;
    whole /= step;
    ++prefix;
  }
  const std::string end = fmt::format("{}{}", prefixes[prefix], text_of(style.unit));
  if (prefix == 0) return fmt::format("{}{}", whole, end);
  // One place goes to the point.
  const unsigned used = digits_of(whole);
  const unsigned decimals = used + 1 < style.digits ? style.digits - used - 1 : 0;
  const double exact =
      static_cast<double>(whole) + static_cast<double>(rest) / static_cast<double>(step);
  return fmt::format("{:.{}f}{}", exact, decimals, end);
}

TimeUnitOfLine unit_for_line(double min, double max, double deviation) {
  if (min > 2e6 && max > 99'999'999 && deviation > 1e6) return {"msec", 1e6};
  if (min > 2e3 && max > 99'999 && deviation > 1e3) return {"usec", 1e3};
  return {};
}

TimeUnitOfLine unit_for_percentiles(std::uint64_t min, std::uint64_t max) {
  if (min > 2'000'000 && max > 99'999'999) return {"msec", 1e6};
  if (min > 2'000 && max > 99'999) return {"usec", 1e3};
  return {};
}

std::string date_text(WallTime at) { return at.local("%a %b %e %H:%M:%S %Y"); }

}  // namespace loadline::dialects::fio::output
