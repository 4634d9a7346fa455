#include "dialects/fio/value_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "dialects/fio/expression.h"

namespace loadline::dialects::fio {
namespace {

using std::string_view;

constexpr string_view k_size_help = "a size is a whole number and k, m, g, t or p, e.g. 4k";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct Split {
  std::uint64_t number = 0;
  string_view rest;
};

// The digits at the front, decimal or 0x; what follows is the caller's.
Result<Split> leading_number(string_view text, string_view help) {
  const bool hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const string_view digits = hex ? text.substr(2) : text;
  Split split;
  const auto [end, problem] =
      std::from_chars(digits.data(), digits.data() + digits.size(), split.number, hex ? 16 : 10);
  if (problem == std::errc::result_out_of_range) {
    return fail(ErrorCode::bad_input, fmt::format("'{}' is too large a number", text));
  }
  if (problem != std::errc()) {
    return fail(ErrorCode::bad_input, fmt::format("'{}' is no number; {}", text, help));
  }
  split.rest = digits.substr(static_cast<std::size_t>(end - digits.data()));
  return split;
}

std::string junk(string_view text, string_view number, string_view rest, string_view help) {
  if (rest.front() == '.') {
    return fmt::format("'{}' is not a whole number (fio would read {}); {}", text, number, help);
  }
  if (rest.front() == ' ' || rest.front() == '\t') {
    return fmt::format("'{}' has a blank before the unit (fio would read {}); write {}{}", text,
                       number, number, trim(rest));
  }
  if (rest.find_first_of("+*/^(") != rest.npos) {
    return fmt::format("'{}': put an expression in parentheses: ({})", text, text);
  }
  if (rest == "%") return fmt::format("'{}': a percentage has no meaning here; {}", text, help);
  return fmt::format("'{}' has the unknown unit '{}' (fio would read {}); {}", text, rest, number,
                     help);
}

// The factor of a size suffix; 0 where there is no such suffix.
std::uint64_t size_factor(const std::string& suffix, const ValueContext& context) {
  if (suffix.empty() || suffix == "b") return 1;
  constexpr string_view k_letters = "kmgtp";
  const std::size_t power = k_letters.find(suffix[0]);
  if (power == k_letters.npos) return 0;
  const string_view tail = string_view(suffix).substr(1);
  if (!tail.empty() && tail != "b" && tail != "i" && tail != "ib") return 0;
  const std::uint64_t other = context.kb_base == 1024 ? 1000 : 1024;
  const std::uint64_t base = tail == "ib" ? other : context.kb_base;
  std::uint64_t factor = base;
  for (std::size_t i = 0; i < power; ++i) factor *= base;
  return factor;
}

Result<std::uint64_t> scaled(string_view text, std::uint64_t number, std::uint64_t factor) {
  if (number > UINT64_MAX / factor) {
    return fail(ErrorCode::bad_input, fmt::format("'{}' is too large a number", text));
  }
  return number * factor;
}

Result<std::uint64_t> magnitude(string_view text, const ValueContext& context) {
  const auto split = leading_number(text, k_size_help);
  if (!split) return std::unexpected(split.error());
  const std::string suffix = lower(split->rest);
  const std::uint64_t factor = size_factor(suffix, context);
  if (factor == 0) {
    const string_view digits = text.substr(0, text.size() - split->rest.size());
    return fail(ErrorCode::bad_input, junk(text, digits, split->rest, k_size_help));
  }
  const auto value = scaled(text, split->number, factor);
  if (value && suffix.ends_with("ib") && context.kb_base == 1024) {
    context.warn(
        fmt::format("{} = {} bytes here (kb_base=1024 swaps the bases); did you mean {}{}?", text,
                    *value, split->number, suffix[0]));
  }
  return value;
}

std::int64_t time_factor(const std::string& unit) {
  struct Entry {
    string_view unit;
    std::int64_t us;
  };
  static constexpr std::array k_units = {Entry{"us", 1},         Entry{"usec", 1},
                                         Entry{"ms", 1000},      Entry{"msec", 1000},
                                         Entry{"s", 1'000'000},  Entry{"m", 60'000'000},
                                         Entry{"h", 3600000000}, Entry{"d", 86400 * 1000000LL}};
  for (const Entry& entry : k_units) {
    if (entry.unit == unit) return entry.us;
  }
  return 0;
}

std::int64_t bare_factor(TimeUnit bare) {
  switch (bare) {
    case TimeUnit::seconds: return 1'000'000;
    case TimeUnit::milliseconds: return 1000;
    case TimeUnit::microseconds: break;
  }
  return 1;
}

std::string time_help(const std::string& unit, string_view number) {
  const string_view right = unit.starts_with("sec")   ? "s"
                            : unit.starts_with("min") ? "m"
                            : unit.starts_with("h")   ? "h"
                            : unit.starts_with("d")   ? "d"
                                                      : "";
  if (right.empty()) return "a time is a whole number and us, ms, s, m, h or d, e.g. 10s";
  return fmt::format("write {}{}", number, right);
}

// Where "lo-hi" or "lo:hi" is cut: after the first character, so that a sign stays.
std::size_t range_cut(string_view text) { return text.find_first_of("-:", 1); }

}  // namespace

string_view trim(string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) {
    text.remove_suffix(1);
  }
  return text;
}

std::string lower(string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::vector<string_view> split(string_view text, char separator) {
  std::vector<string_view> out;
  if (text.empty()) return out;
  for (std::size_t at = 0;;) {
    const std::size_t end = text.find(separator, at);
    out.push_back(text.substr(at, end == text.npos ? end : end - at));
    if (end == text.npos) return out;
    at = end + 1;
  }
}

Result<std::int64_t> parse_signed(string_view text, const ValueContext& context) {
  if (text.starts_with('(')) {
    return evaluate(text, [&](string_view number) { return magnitude(number, context); });
  }
  const bool negative = text.starts_with('-');
  const auto value = magnitude(negative ? text.substr(1) : text, context);
  if (!value) return std::unexpected(value.error());
  if (*value > static_cast<std::uint64_t>(INT64_MAX)) {
    return fail(ErrorCode::bad_input, fmt::format("'{}' is too large a number", text));
  }
  const auto number = static_cast<std::int64_t>(*value);
  return negative ? -number : number;
}

Result<std::uint64_t> parse_number(string_view text, const ValueContext& context) {
  if (!text.starts_with('(') && !text.starts_with('-')) return magnitude(text, context);
  const auto value = parse_signed(text, context);
  if (!value) return std::unexpected(value.error());
  if (*value < 0) {
    return fail(ErrorCode::bad_input, fmt::format("'{}' is negative; give 0 or more", text));
  }
  return static_cast<std::uint64_t>(*value);
}

Result<Size> parse_size(string_view text, const ValueContext& context) {
  if (text.empty()) return fail(ErrorCode::bad_input, "a size is missing, e.g. 10g");
  const char last = text.back();
  if (last != '%' && last != 'z' && last != 'Z') {
    const auto bytes = parse_number(text, context);
    if (!bytes) return std::unexpected(bytes.error());
    return Size{Size::Unit::bytes, *bytes};
  }
  const auto split = leading_number(text, k_size_help);
  if (!split) return std::unexpected(split.error());
  if (split->rest.size() != 1) {
    return fail(ErrorCode::bad_input, fmt::format("'{}': {} are whole numbers, e.g. 20{}", text,
                                                  last == '%' ? "percentages" : "zones", last));
  }
  if (last == '%' && split->number > 100) {
    return fail(ErrorCode::bad_input,
                fmt::format("'{}': values greater than 100% aren't supported", text));
  }
  return Size{last == '%' ? Size::Unit::percent : Size::Unit::zones, split->number};
}

Result<Duration> parse_time(string_view text, TimeUnit bare) {
  if (text.starts_with('-')) {
    return fail(ErrorCode::bad_input, fmt::format("'{}': a time cannot be negative", text));
  }
  const auto split =
      leading_number(text, "a time is a whole number and us, ms, s, m, h or d, e.g. 10s");
  if (!split) return std::unexpected(split.error());
  const std::string unit = lower(split->rest);
  const string_view digits = text.substr(0, text.size() - unit.size());
  const std::int64_t factor = unit.empty() ? bare_factor(bare) : time_factor(unit);
  if (factor == 0) {
    return fail(ErrorCode::bad_input,
                junk(text, fmt::format("{} us", digits), split->rest, time_help(unit, digits)));
  }
  if (split->number > static_cast<std::uint64_t>(INT64_MAX / 1000 / factor)) {
    return fail(ErrorCode::bad_input, fmt::format("'{}' is too long a time", text));
  }
  return Duration::microseconds(static_cast<std::int64_t>(split->number) * factor);
}

Result<bool> parse_flag(string_view text) {
  const auto split = leading_number(text, "write 0 or 1");
  if (!split) return std::unexpected(split.error());
  if (!split->rest.empty()) {
    return fail(ErrorCode::bad_input, fmt::format("'{}' is neither 0 nor 1", text));
  }
  if (split->number > 1) {
    return fail(ErrorCode::bad_input,
                fmt::format("max value out of range: {} (1 max)", split->number));
  }
  return split->number == 1;
}

Result<double> parse_decimal(string_view text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    return fail(ErrorCode::bad_input, fmt::format("'{}' is no decimal number, e.g. 99.9", text));
  }
  return value;
}

Result<ByteRange> parse_byte_range(string_view text, const ValueContext& context) {
  const std::size_t cut = text.starts_with('(') ? text.npos : range_cut(text);
  const auto first = parse_number(text.substr(0, cut), context);
  if (!first) return std::unexpected(first.error());
  if (cut == text.npos) return ByteRange{Bytes(*first), Bytes(*first)};
  const auto second = parse_number(text.substr(cut + 1), context);
  if (!second) return std::unexpected(second.error());
  return ByteRange{Bytes(std::min(*first, *second)), Bytes(std::max(*first, *second))};
}

Result<DurationRange> parse_time_range(string_view text, TimeUnit bare) {
  const std::size_t cut = range_cut(text);
  const auto first = parse_time(text.substr(0, cut), bare);
  if (!first) return std::unexpected(first.error());
  if (cut == text.npos) return DurationRange{*first, *first};
  const auto second = parse_time(text.substr(cut + 1), bare);
  if (!second) return std::unexpected(second.error());
  return DurationRange{std::min(*first, *second), std::max(*first, *second)};
}

Result<std::vector<double>> parse_decimals(string_view text, std::size_t most) {
  std::vector<double> out;
  if (text.find(',') != text.npos) {
    return fail(ErrorCode::bad_input, fmt::format("'{}': separate the numbers by ':'", text));
  }
  for (const string_view piece : split(text, ':')) {
    const auto value = parse_decimal(trim(piece));
    if (!value) return std::unexpected(value.error());
    out.push_back(*value);
  }
  if (out.empty() || out.size() > most) {
    return fail(ErrorCode::bad_input,
                fmt::format("give 1 to {} numbers, not {}", most, out.size()));
  }
  return out;
}

Result<std::vector<std::uint32_t>> parse_index_list(string_view text, std::uint64_t last,
                                                    string_view noun) {
  std::vector<std::uint32_t> out;
  for (const string_view whole : split(text, ',')) {
    const string_view piece = trim(whole);
    const std::size_t cut = piece.find('-');
    const auto low = leading_number(piece.substr(0, cut), "a list is like 0,2-5");
    if (!low) return std::unexpected(low.error());
    const auto high =
        cut == piece.npos ? low : leading_number(piece.substr(cut + 1), "a list is like 0,2-5");
    if (!high) return std::unexpected(high.error());
    if (!high->rest.empty() || (cut != piece.npos && !low->rest.empty())) {
      return fail(ErrorCode::bad_input, fmt::format("'{}': a list is like 0,2-5", text));
    }
    if (std::max(low->number, high->number) > last) {
      return fail(ErrorCode::bad_input, fmt::format("{} {} too large (max={})", noun,
                                                    std::max(low->number, high->number), last));
    }
    for (std::uint64_t i = low->number; i <= high->number; ++i) {
      out.push_back(static_cast<std::uint32_t>(i));
    }
    if (low->number > high->number) {
      return fail(ErrorCode::bad_input, fmt::format("'{}': the range runs backwards", piece));
    }
  }
  if (out.empty()) return fail(ErrorCode::bad_input, fmt::format("no {} is named", noun));
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Result<PerDirection<string_view>> split_directions(string_view text, bool loose,
                                                   const ValueContext& context) {
  std::vector<string_view> parts = split(text, ',');
  const std::size_t cut = loose && parts.size() == 1 && !text.starts_with('(')
                              ? text.find_first_of("-:", 1)
                              : text.npos;
  if (cut != text.npos && is_digit(text[0])) {
    parts = {text.substr(0, cut), text.substr(cut + 1)};
    if (parts[1].find_first_of("-:") != text.npos) {
      return fail(ErrorCode::bad_input,
                  fmt::format("'{}': write read,write,trim with commas", text));
    }
    context.warn(
        fmt::format("'{}' sets {} for reads and {} for writes and trims; write {},{}, or "
                    "a range option for a range",
                    text, parts[0], parts[1], parts[0], parts[1]));
  }
  if (parts.empty() || parts.size() > 3) {
    return fail(ErrorCode::bad_input,
                fmt::format("'{}': give one value, or read,write,trim", text));
  }
  for (string_view& part : parts) part = trim(part);
  if (parts.size() == 1) return PerDirection<string_view>::all(parts[0]);
  if (parts.size() == 2) return PerDirection<string_view>{parts[0], parts[1], parts[1]};
  return PerDirection<string_view>{parts[0], parts[1], parts[2]};
}

}  // namespace loadline::dialects::fio
