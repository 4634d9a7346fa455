// The value types of fio's options: numbers with units, sizes, times, triples, ranges, lists.
//
// Legal old input keeps fio's exact meaning: k is 1024 (kb_base), KiB is the other base. What fio
// silently cuts off (4q, 1.5k, 1e3, "4 k", 1sec) is refused here with what would be right.
//
// Errors: bad_input, the text says what is wrong without naming the option. Threads: pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "dialects/fio/option_values.h"

namespace loadline::dialects::fio {

// What the meaning of a value depends on, and where remarks go. Borrowed for the call.
struct ValueContext {
  std::uint32_t kb_base = 1024;
  std::vector<std::string>* warnings = nullptr;

  void warn(std::string text) const {
    if (warnings != nullptr) warnings->push_back(std::move(text));
  }
};

// What a number without a unit counts; `plain` numbers take the size suffixes too (iodepth=1k).
enum class TimeUnit : std::uint8_t { seconds, milliseconds, microseconds };

// [-][0x]digits and a size suffix, or a parenthesised expression of + - * / % ^.
Result<std::int64_t> parse_signed(std::string_view text, const ValueContext& context);
Result<std::uint64_t> parse_number(std::string_view text, const ValueContext& context);
// The same, or a percentage (0..100), or zones (3z).
Result<Size> parse_size(std::string_view text, const ValueContext& context);
// A whole number and one of us usec ms msec s m h d, in any case.
Result<Duration> parse_time(std::string_view text, TimeUnit bare);
// 0 or 1, hex too. Words are refused.
Result<bool> parse_flag(std::string_view text);
Result<double> parse_decimal(std::string_view text);

// "lo-hi" or "lo:hi" in either order, or one value.
Result<ByteRange> parse_byte_range(std::string_view text, const ValueContext& context);
Result<DurationRange> parse_time_range(std::string_view text, TimeUnit bare);
// "a:b:c", at most `most`.
Result<std::vector<double>> parse_decimals(std::string_view text, std::size_t most);
// "0,2-5", sorted without repeats; numbers up to `last`.
Result<std::vector<std::uint32_t>> parse_index_list(std::string_view text, std::uint64_t last,
                                                    std::string_view noun);

// The R,W,T forms: one text sets all three, "a,b" sets trim as write; an empty place is left alone
// (an empty view in the answer). With `loose`, ':' and '-' separate too, with a warning.
Result<PerDirection<std::string_view>> split_directions(std::string_view text, bool loose,
                                                        const ValueContext& context);

// Pieces between separators, empty ones included; no piece of an empty text.
std::vector<std::string_view> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);
std::string lower(std::string_view text);

}  // namespace loadline::dialects::fio
