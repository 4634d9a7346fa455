#include "dialects/cosbench/selector_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>
#include <utility>
#include <vector>

namespace loadline::dialects::cosbench {
namespace {

using plan::Selector;
using std::string_view;

// "x(arguments)rest"
struct Call {
  char letter = 0;
  std::vector<string_view> arguments;
  string_view rest;
};

std::vector<string_view> split(string_view text, char separator) {
  std::vector<string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

string_view trim_blanks(string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::optional<std::int64_t> parse_number(string_view text) {
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  if (value < 0 || value > k_number_max) return std::nullopt;
  return value;
}

std::optional<double> parse_weight(string_view text) {
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  // The sum of all weights stays a number.
  if (!(value >= 0 && value <= 1e15)) return std::nullopt;
  return value;
}

std::optional<Call> parse_call(string_view text) {
  if (text.size() < 2 || text[1] != '(' ||
      string_view("cursh").find(text[0]) == string_view::npos) {
    return std::nullopt;
  }
  Call call{.letter = text[0]};
  const std::size_t close = text.find(')');
  if (close != string_view::npos) {
    call.arguments = split(text.substr(2, close - 2), ',');
    call.rest = trim_blanks(text.substr(close + 1));
  }
  return call;
}

// The old style "a-b"; `rest` is what follows the second number.
struct OldRange {
  string_view lower;
  string_view upper;
  string_view rest;
};
std::optional<OldRange> parse_old_range(string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::size_t first = std::ranges::find_if_not(text, is_digit) - text.begin();
  if (first == 0 || first >= text.size() || text[first] != '-') return std::nullopt;
  const string_view after = text.substr(first + 1);
  const std::size_t second = std::ranges::find_if_not(after, is_digit) - after.begin();
  if (second == 0) return std::nullopt;
  return OldRange{text.substr(0, first), after.substr(0, second),
                  trim_blanks(after.substr(second))};
}

std::unexpected<Error> refuse(string_view words, string_view text, string_view right) {
  return fail(ErrorCode::bad_input, fmt::format("{}: {}; {}", words, text, right));
}

bool has_number_above_limit(string_view text) {
  constexpr string_view k_digits = "0123456789";
  while (true) {
    text.remove_prefix(std::min(text.find_first_of(k_digits), text.size()));
    if (text.empty()) return false;
    const string_view digits = text.substr(0, text.find_first_not_of(k_digits));
    if (!parse_number(digits)) return true;
    text.remove_prefix(digits.size());
  }
}

// Blanks inside the parentheses are the commonest reason why a selector that looks right is not.
std::string advice(string_view text, string_view right) {
  if (has_number_above_limit(text)) return fmt::format("numbers go up to {}", k_number_max);
  const std::size_t close = text.find(')');
  if (text.substr(0, close).find(' ') != string_view::npos) {
    return fmt::format("no spaces inside the parentheses: {}", right);
  }
  return std::string(right);
}

struct Bounds {
  std::int64_t lower = 0;
  std::int64_t upper = 0;
};
std::optional<Bounds> parse_bounds(string_view lower, string_view upper, std::int64_t least) {
  const auto a = parse_number(lower);
  const auto b = parse_number(upper);
  if (!a || !b || *a < least || *a > *b) return std::nullopt;
  return Bounds{*a, *b};
}

std::optional<plan::WeightedRange> parse_bucket(string_view text) {
  const std::vector<string_view> parts = split(text, '|');
  if (parts.size() != 3) return std::nullopt;
  const auto lower = parse_number(parts[0]);
  const auto upper = parts[1].empty() ? k_open_top : parse_number(parts[1]);
  const auto weight = parse_weight(parts[2]);
  if (!lower || !upper || !weight || *lower < 1 || *lower > *upper) return std::nullopt;
  return plan::WeightedRange{*lower, *upper, *weight};
}

Result<Selector> parse_histogram(string_view text, const Call& call) {
  constexpr string_view k_words = "illegal histogram distribution pattern";
  constexpr string_view k_right =
      "h(1|10|20,11|50|80) is 1..10 with weight 20 and 11..50 with weight 80, 1||5 has no top";
  Selector selector{.kind = Selector::Kind::histogram};
  bool weighs = false;
  for (const string_view argument : call.arguments) {
    const auto bucket = parse_bucket(argument);
    if (!bucket) return refuse(k_words, text, advice(text, k_right));
    // A bucket of weight zero is never chosen.
    if (bucket->weight > 0) selector.buckets.push_back(*bucket);
    weighs = weighs || bucket->weight > 0;
  }
  if (!weighs) return refuse(k_words, text, "at least one weight is above zero");
  std::ranges::sort(selector.buckets, {}, [](const plan::WeightedRange& bucket) {
    return std::tuple(bucket.lower, bucket.upper, bucket.weight);
  });
  return selector;
}

Result<ParsedSelector> parse_constant(string_view text, const Call& call) {
  const auto value = call.arguments.empty() ? std::nullopt : parse_number(call.arguments[0]);
  if (!value) {
    return refuse("illegal constant distribution pattern", text,
                  advice(text, "c(n) has a whole number from 0 up"));
  }
  ParsedSelector parsed{Selector::constant(*value), std::string(call.rest)};
  if (call.arguments.size() > 1 && parsed.ignored.empty()) parsed.ignored = "the second argument";
  return parsed;
}

Result<ParsedSelector> parse_uniform(string_view text, const Call& call) {
  std::optional<Bounds> bounds;
  if (call.arguments.size() == 2) {
    bounds = parse_bounds(call.arguments[0], call.arguments[1], 1);
  } else if (call.arguments.size() == 1) {
    bounds = parse_bounds(call.arguments[0], std::to_string(k_open_top), 1);
  }
  if (!bounds) {
    return refuse("illegal uniform distribution pattern", text,
                  advice(text, "u(a,b) has whole numbers with 1 <= a <= b"));
  }
  return ParsedSelector{Selector::uniform(bounds->lower, bounds->upper), std::string(call.rest)};
}

Result<ParsedSelector> parse_iteration(string_view text, const Call& call) {
  const auto bounds = call.arguments.size() == 2
                          ? parse_bounds(call.arguments[0], call.arguments[1], 1)
                          : std::nullopt;
  if (!bounds) {
    return refuse(
        "illegal iteration pattern", text,
        advice(text, fmt::format("{}(a,b) has whole numbers with 1 <= a <= b", call.letter)));
  }
  const Selector selector = call.letter == 's' ? Selector::sequence(bounds->lower, bounds->upper)
                                               : Selector::range(bounds->lower, bounds->upper);
  return ParsedSelector{selector, std::string(call.rest)};
}

struct Unit {
  string_view name;
  std::uint64_t bytes;
};
constexpr std::uint64_t k_kib = 1024;
// COSBench takes KiB and the like for plain bytes, since they end in B; nobody wants that.
constexpr std::array k_units = {Unit{"B", 1},
                                Unit{"KB", 1000},
                                Unit{"MB", 1000'000},
                                Unit{"GB", 1'000'000'000},
                                Unit{"KiB", k_kib},
                                Unit{"MiB", k_kib* k_kib},
                                Unit{"GiB", k_kib* k_kib* k_kib}};

}  // namespace

Result<ParsedSelector> parse_selector(string_view text) {
  if (const auto old = parse_old_range(text)) {
    const auto bounds = parse_bounds(old->lower, old->upper, 1);
    if (!bounds) {
      return refuse("illegal iteration pattern", text, "a-b has whole numbers with 1 <= a <= b");
    }
    return ParsedSelector{Selector::range(bounds->lower, bounds->upper), std::string(old->rest)};
  }
  const auto call = parse_call(text);
  const char letter = call ? call->letter : 0;
  switch (letter) {
    case 'c': return parse_constant(text, *call);
    case 'u': return parse_uniform(text, *call);
    case 'r':
    case 's': return parse_iteration(text, *call);
    case 'h': {
      auto selector = parse_histogram(text, *call);
      if (!selector) return propagate(selector);
      return ParsedSelector{std::move(*selector), std::string(call->rest)};
    }
    default:
      return refuse("unrecognized distribution", text,
                    "there are c(5), u(1,100), r(1,100), s(1,100) and h(1|10|20,11|50|80)");
  }
}

Result<ParsedRange> parse_range(string_view text) {
  constexpr string_view k_words = "unrecognized range expression";
  constexpr string_view k_right = "this kind of work counts through r(a,b), s(a,b) or c(n)";
  const auto call = parse_call(text);
  const auto old = parse_old_range(text);
  std::optional<Bounds> bounds;
  string_view rest;
  if (old) {
    bounds = parse_bounds(old->lower, old->upper, 0);
    rest = old->rest;
  } else if (call && (call->letter == 'r' || call->letter == 's') && call->arguments.size() == 2) {
    bounds = parse_bounds(call->arguments[0], call->arguments[1], 0);
    rest = call->rest;
  } else if (call && call->letter == 'c' && !call->arguments.empty()) {
    if (const auto n = parse_number(call->arguments[0])) {
      return ParsedRange{Selector::range(*n, *n), std::string(call->rest)};
    }
  }
  if (!bounds) return refuse(k_words, text, advice(text, k_right));
  if (bounds->lower == 0 && bounds->upper == 0) return ParsedRange{std::nullopt, std::string(rest)};
  if (bounds->lower == 0)
    return refuse(k_words, text, "only r(0,0), which is nothing, begins at 0");
  return ParsedRange{Selector::range(bounds->lower, bounds->upper), std::string(rest)};
}

Result<plan::SizeSpec> parse_size(string_view text) {
  // The unit stands after the parenthesis, or after the digits of "a-b".
  auto selector = parse_selector(text);
  const std::size_t close = text.rfind(')');
  const string_view unit_text = close == string_view::npos
                                    ? (selector ? string_view(selector->ignored) : text)
                                    : trim_blanks(text.substr(close + 1));
  const auto* unit = std::ranges::find(k_units, unit_text, &Unit::name);
  if (unit == k_units.end()) {
    return refuse("unrecognized size unit", text,
                  "write c(64)KB; units are B, KB, MB, GB (by 1000) and KiB, MiB, GiB (by 1024)");
  }
  if (!selector) return propagate(selector);
  const auto largest = static_cast<std::uint64_t>(selector->selector.largest());
  if (largest > static_cast<std::uint64_t>(INT64_MAX) / unit->bytes) {
    return refuse("illegal size", text, "the largest size is 9223372036854775807 bytes");
  }
  return plan::SizeSpec{.value = std::move(selector->selector), .unit = Bytes(unit->bytes)};
}

}  // namespace loadline::dialects::cosbench
