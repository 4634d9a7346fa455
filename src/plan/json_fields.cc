#include "plan/json_fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

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

// A key from outside, fit for one line of an error message.
std::string printable(std::string_view key) {
  std::string result(key.substr(0, 64));
  std::ranges::replace_if(result, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return result;
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

std::string print(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
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
  if (d.ns() % k_second_ns == 0) return d.ns() / k_second_ns;
  return d.as_seconds();
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
  return Duration::nanoseconds(std::llround(value * 1e9));
}

Reader::Step::Step(Reader& reader, std::string_view key)
    : reader_(reader), length_(reader.path_.size()) {
  if (length_ > 0) reader_.path_ += '.';
  reader_.path_ += key;
}

Reader::Step::Step(Reader& reader, std::size_t index)
    : reader_(reader), length_(reader.path_.size()) {
  reader_.path_.append("[").append(std::to_string(index)).append("]");
}

void Reader::fail(std::string what) {
  if (!error_) error_ = Error{ErrorCode::bad_input, std::move(what), path_};
}

const Json* Reader::find(const char* key) {
  if (failed()) return nullptr;
  known_.emplace_back(key);
  const auto it = object_->find(key);
  return it == object_->end() ? nullptr : &*it;
}

void Reader::read_number(const Json& json, double& into) {
  if (!json.is_number()) return fail("is not a number");
  into = json.get<double>();
}

void Reader::read_text(const Json& json, std::string& into) {
  if (!json.is_string()) return fail("is not text");
  into = json.get_ref<const std::string&>();
}

void Reader::read_duration(const Json& json, Duration& into) {
  if (const auto d = duration_of(json)) {
    into = *d;
  } else {
    fail("is not a number of seconds");
  }
}

void Reader::read_wall_time(const Json& json, WallTime& into) {
  const auto time =
      json.is_string() ? parse_iso8601(json.get_ref<const std::string&>()) : std::nullopt;
  if (!time) return fail("is not a time like 2026-11-30T16:59:47.123Z");
  into = *time;
}

void Reader::refuse_unknown(const std::vector<std::string_view>& known) {
  if (failed() || unknown_ == Unknown::ignored) return;
  for (const auto& item : object_->items()) {
    if (std::ranges::find(known, std::string_view(item.key())) != known.end()) continue;
    const Step step(*this, printable(item.key()));
    return fail("is no known field");
  }
}

}  // namespace loadline::json
