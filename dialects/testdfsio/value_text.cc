#include "dialects/testdfsio/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <limits>
#include <system_error>

namespace loadline::dialects::testdfsio {
namespace {

struct Unit {
  std::string_view name;
  unsigned shift;
};

constexpr std::array<Unit, 6> k_units{
    {{"", 20}, {"B", 0}, {"KB", 10}, {"MB", 20}, {"GB", 30}, {"TB", 40}}};

std::unexpected<Error> refuse(std::string_view option, std::string what) {
  return fail(ErrorCode::bad_input, std::move(what), std::string(option));
}

std::string upper(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::toupper(c); });
  return out;
}

}  // namespace

Result<Bytes> size_value(std::string_view option, std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string suffix = upper(text.substr(digits));
  const auto* const unit = std::ranges::find(k_units, suffix, &Unit::name);
  std::uint64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + digits, number);
  const bool too_large = read.ec == std::errc::result_out_of_range;
  if (digits == 0 || unit == k_units.end() || (read.ec != std::errc() && !too_large)) {
    return refuse(option, fmt::format("'{}' is no size: digits and B, KB, MB, GB or TB, e.g. 4GB; "
                                      "digits alone are MB",
                                      text));
  }
  constexpr auto k_most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (too_large || number > (k_most >> unit->shift)) {
    return refuse(option, fmt::format("'{}' is more than 8 EiB", text));
  }
  return Bytes(number << unit->shift);
}

Result<Bytes> setting_size(std::string_view key, std::string_view text) {
  constexpr std::string_view k_prefixes = "KMGTPE";
  const std::string value = upper(text);
  unsigned shift = 0;
  std::string_view digits = value;
  if (!digits.empty() && k_prefixes.contains(digits.back())) {
    shift = 10 * static_cast<unsigned>(k_prefixes.find(digits.back()) + 1);
    digits.remove_suffix(1);
  }
  constexpr auto k_most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size() || number > (k_most >> shift)) {
    return refuse(key, fmt::format("'{}' is no size like 134217728 or 128m", text));
  }
  return Bytes(number << shift);
}

Result<std::uint64_t> count_value(std::string_view option, std::string_view text,
                                  std::uint64_t least, std::uint64_t most) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < least || number > most) {
    return refuse(option, fmt::format("'{}' is no whole number from {} to {}", text, least, most));
  }
  return number;
}

}  // namespace loadline::dialects::testdfsio
