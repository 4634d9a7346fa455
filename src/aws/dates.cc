// The two spellings of time in signed requests, to and fro.
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "aws/signer.h"
#include "aws/verifier.h"

namespace loadline::aws {
namespace {

constexpr std::array<std::string_view, 7> k_days = {"Sun", "Mon", "Tue", "Wed",
                                                    "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 12> k_months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

struct CivilTime {
  int year, month, day, hour, minute, second, weekday;
};

CivilTime civil_time(WallTime when) {
  using namespace std::chrono;
  const auto time = floor<seconds>(sys_time<nanoseconds>(nanoseconds(when.ns())));
  const auto midnight = floor<days>(time);
  const year_month_day date(midnight);
  const hh_mm_ss clock(time - midnight);
  return {.year = int(date.year()),
          .month = static_cast<int>(unsigned(date.month())),
          .day = static_cast<int>(unsigned(date.day())),
          .hour = static_cast<int>(clock.hours().count()),
          .minute = static_cast<int>(clock.minutes().count()),
          .second = static_cast<int>(clock.seconds().count()),
          .weekday = static_cast<int>(weekday(midnight).c_encoding())};
}

std::optional<WallTime> wall_time(const CivilTime& t) {
  using namespace std::chrono;
  const year_month_day date(year(t.year), month(static_cast<unsigned>(t.month)),
                            day(static_cast<unsigned>(t.day)));
  // Years that nanoseconds since 1970 can hold.
  if (!date.ok() || t.year < 1700 || t.year > 2200) return std::nullopt;
  if (t.hour > 23 || t.minute > 59 || t.second > 60) return std::nullopt;
  const auto time = sys_days(date) + hours(t.hour) + minutes(t.minute) + seconds(t.second);
  return WallTime::from_ns(duration_cast<nanoseconds>(time.time_since_epoch()).count());
}

void put_two_digits(char* out, int value) {
  out[0] = static_cast<char>('0' + value / 10 % 10);
  out[1] = static_cast<char>('0' + value % 10);
}

// -1 where the text is not all digits.
int digits(std::string_view text) {
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return -1;
    value = value * 10 + (c - '0');
  }
  return value;
}

bool all_digits(const CivilTime& t) {
  return t.year >= 0 && t.month >= 0 && t.day >= 0 && t.hour >= 0 && t.minute >= 0 && t.second >= 0;
}

}  // namespace

std::array<char, 16> basic_timestamp(WallTime when) {
  const CivilTime t = civil_time(when);
  std::array<char, 16> text{};
  put_two_digits(&text[0], t.year / 100);
  put_two_digits(&text[2], t.year);
  put_two_digits(&text[4], t.month);
  put_two_digits(&text[6], t.day);
  text[8] = 'T';
  put_two_digits(&text[9], t.hour);
  put_two_digits(&text[11], t.minute);
  put_two_digits(&text[13], t.second);
  text[15] = 'Z';
  return text;
}

std::string http_date(WallTime when) {
  const CivilTime t = civil_time(when);
  std::array<char, 64> text{};
  const int n = std::snprintf(text.data(), text.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT",
                              k_days[static_cast<std::size_t>(t.weekday)].data(), t.day,
                              k_months[static_cast<std::size_t>(t.month - 1)].data(), t.year,
                              t.hour, t.minute, t.second);
  return {text.data(), static_cast<std::size_t>(n)};
}

std::optional<WallTime> parse_basic_timestamp(std::string_view text) {
  if (text.size() != 16 || text[8] != 'T' || text[15] != 'Z') return std::nullopt;
  const CivilTime t = {.year = digits(text.substr(0, 4)),
                       .month = digits(text.substr(4, 2)),
                       .day = digits(text.substr(6, 2)),
                       .hour = digits(text.substr(9, 2)),
                       .minute = digits(text.substr(11, 2)),
                       .second = digits(text.substr(13, 2)),
                       .weekday = 0};
  return all_digits(t) ? wall_time(t) : std::nullopt;
}

std::optional<WallTime> parse_http_date(std::string_view text) {
  // "Fri, 24 May 2013 00:00:00 GMT"
  if (text.size() < 29 || text[3] != ',' || text[4] != ' ') return std::nullopt;
  const std::string_view zone = text.substr(26);
  if (zone != "GMT" && zone != "+0000" && zone != "UTC") return std::nullopt;
  int month = 0;
  for (std::size_t i = 0; i < k_months.size(); ++i) {
    if (text.substr(8, 3) == k_months[i]) month = static_cast<int>(i) + 1;
  }
  const CivilTime t = {.year = digits(text.substr(12, 4)),
                       .month = month,
                       .day = digits(text.substr(5, 2)),
                       .hour = digits(text.substr(17, 2)),
                       .minute = digits(text.substr(20, 2)),
                       .second = digits(text.substr(23, 2)),
                       .weekday = 0};
  return all_digits(t) && month > 0 ? wall_time(t) : std::nullopt;
}

}  // namespace loadline::aws
