#include "plan/json_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>

namespace loadline::json {
namespace {

// The library's messages begin with their own number: "[json.exception.parse_error.101] ".
std::string without_number(std::string_view message) {
  const std::size_t end = message.find("] ");
  return std::string(end == std::string_view::npos ? message : message.substr(end + 2));
}

// `count` digits at `at`, moving past them; nothing where there are fewer.
std::optional<int> digits(std::string_view text, std::size_t& at, std::size_t count) {
  if (at + count > text.size() || text[at] == '-') return std::nullopt;
  int value = 0;
  const char* begin = text.data() + at;
  const auto [stop, error] = std::from_chars(begin, begin + count, value);
  if (error != std::errc() || stop != begin + count) return std::nullopt;
  at += count;
  return value;
}

bool holds_objects(const Json& list) {
  return std::ranges::any_of(list, [](const Json& element) {
    return element.is_object() || (element.is_array() && holds_objects(element));
  });
}

void print_indented(const Json& json, std::size_t indent, std::string& into) {
  const bool list = json.is_array() && holds_objects(json);
  if (json.empty() || (!list && !json.is_object())) {
    into += print_line(json);
    return;
  }
  const std::string margin(indent + 2, ' ');
  into += list ? '[' : '{';
  bool first = true;
  for (auto it = json.begin(); it != json.end(); ++it) {
    into.append(first ? "\n" : ",\n").append(margin);
    first = false;
    if (!list) into.append(print_line(it.key())).append(": ");
    print_indented(*it, indent + 2, into);
  }
  into.append("\n").append(indent, ' ') += list ? ']' : '}';
}

constexpr std::int64_t k_second_ns = 1'000'000'000;

}  // namespace

Result<Json> parse(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::exception& e) {
    return loadline::fail(ErrorCode::bad_input, "not JSON: " + without_number(e.what()));
  }
}

std::string print_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string print(const Json& json) {
  std::string text;
  print_indented(json, 0, text);
  text += '\n';
  return text;
}

Result<void> check_version(const Json& document, const char* key, int version,
                           std::string_view what) {
  if (!document.is_object() || !document.contains(key) || !document[key].is_number_integer()) {
    return loadline::fail(ErrorCode::bad_input,
                          "no " + std::string(what) + ": this whole number is missing", key);
  }
  const Json& found = document[key];
  if (found == version) return {};
  return loadline::fail(ErrorCode::bad_input,
                        "version " + print_line(found) +
                            " is not known; this build reads version " + std::to_string(version),
                        key);
}

std::optional<WallTime> parse_iso8601(std::string_view text) {
  constexpr std::string_view k_separators = "--T::.Z";
  constexpr std::array<std::size_t, 7> k_widths = {4, 2, 2, 2, 2, 2, 3};
  std::array<int, 7> parts{};
  std::size_t at = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto part = digits(text, at, k_widths[i]);
    if (!part || at >= text.size() || text[at] != k_separators[i]) return std::nullopt;
    parts[i] = *part;
    ++at;
  }
  if (at != text.size()) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(parts[0]),
                                         std::chrono::month(static_cast<unsigned>(parts[1])),
                                         std::chrono::day(static_cast<unsigned>(parts[2]))};
  // Years that nanoseconds since 1970 in 64 bits can hold.
  if (!date.ok() || parts[0] < 1970 || parts[0] > 2261) return std::nullopt;
  if (parts[3] > 23 || parts[4] > 59 || parts[5] > 60) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  const std::int64_t seconds = ((days * 24 + parts[3]) * 60 + parts[4]) * 60 + parts[5];
  return WallTime::from_ns(seconds * k_second_ns + parts[6] * 1'000'000LL);
}

Json seconds_of(Duration d) {
  const std::int64_t whole = d.ns() / k_second_ns;
  const std::int64_t rest = d.ns() % k_second_ns;
  if (rest == 0) return whole;
  // Past 2^53 ns a double does not hold the nanoseconds, but it holds the seconds.
  if (std::abs(d.ns()) < (std::int64_t{1} << 53)) return d.as_seconds();
  return static_cast<double>(whole) + static_cast<double>(rest) / 1e9;
}

std::optional<Duration> duration_of(const Json& seconds) {
  constexpr std::int64_t k_most = INT64_MAX / k_second_ns;
  if (seconds.is_number_unsigned() && seconds.get<std::uint64_t>() > k_most) return std::nullopt;
  if (seconds.is_number_integer()) {
    const auto whole = seconds.get<std::int64_t>();
    if (whole < -k_most || whole > k_most) return std::nullopt;
    return Duration::seconds(whole);
  }
  if (!seconds.is_number_float()) return std::nullopt;
  const auto value = seconds.get<double>();
  if (!(std::fabs(value) < static_cast<double>(k_most))) return std::nullopt;
  const double whole = std::trunc(value);
  return Duration::seconds(static_cast<std::int64_t>(whole)) +
         Duration::nanoseconds(std::llround((value - whole) * 1e9));
}

std::string hex_of(std::string_view bytes) {
  constexpr std::string_view k_digits = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += k_digits[byte >> 4];
    text += k_digits[byte & 15];
  }
  return text;
}

std::optional<std::string> bytes_of_hex(std::string_view digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(digits.size() / 2);
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    unsigned value = 0;
    const char* end = digits.data() + i + 2;
    const auto [stop, error] = std::from_chars(digits.data() + i, end, value, 16);
    if (error != std::errc() || stop != end) return std::nullopt;
    bytes += static_cast<char>(value);
  }
  return bytes;
}

}  // namespace loadline::json
