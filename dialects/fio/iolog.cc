#include "dialects/fio/iolog.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace loadline::dialects::fio {
namespace {

constexpr std::array<std::string_view, 8> k_actions = {"add",   "open", "close", "read",
                                                       "write", "trim", "sync",  "datasync"};
// A century in microseconds: what is later cannot be meant, and nanoseconds of it fit.
constexpr std::uint64_t k_time_max_us = std::uint64_t{100} * 365 * 86400 * 1'000'000;
constexpr std::uint64_t k_offset_max = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t k_length_max = std::uint64_t{1} << 31;

constexpr std::string_view k_blanks = " \t\r";

std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.size(), line.find_first_not_of(k_blanks)));
  const std::string_view word = line.substr(0, line.find_first_of(k_blanks));
  line.remove_prefix(word.size());
  return word;
}

std::optional<std::uint64_t> number_of(std::string_view word) {
  std::uint64_t n = 0;
  const char* end = word.data() + word.size();
  const auto [at, error] = std::from_chars(word.data(), end, n);
  if (error != std::errc() || at != end || word.empty()) return std::nullopt;
  return n;
}

Duration microseconds(std::uint64_t us) {
  return Duration::microseconds(static_cast<std::int64_t>(us));
}

}  // namespace

std::string_view to_string(IologAction action) {
  return k_actions[static_cast<std::size_t>(action)];
}

std::unexpected<Error> IologParser::wrong(std::string what) const {
  return fail(ErrorCode::bad_input, std::move(what), fmt::format("{}:{}", name_, line_));
}

// Also in the middle: fio appends to an iolog that is there, and begins again with a head.
Result<std::optional<IologEntry>> IologParser::head(std::string_view line) {
  take_word(line);
  take_word(line);
  const std::string_view version = take_word(line);
  if (take_word(line) != "iolog" || !take_word(line).empty()) {
    return wrong("is no head of an iolog; it would be: fio version 3 iolog");
  }
  if (version != "2" && version != "3") {
    return wrong(fmt::format("iolog version {} is not supported, 2 and 3 are", version));
  }
  version_ = version == "2" ? 2 : 3;
  waited_us_ = 0;
  return std::nullopt;
}

Result<std::optional<IologEntry>> IologParser::parse(std::string_view line) {
  ++line_;
  if (line.find_first_not_of(k_blanks) == std::string_view::npos) return std::nullopt;
  if (line.starts_with("fio version ")) return head(line);
  if (version_ == 0) return wrong("an iolog begins with: fio version 3 iolog");
  IologEntry entry;
  if (version_ == 3) {
    const auto time = number_of(take_word(line));
    if (!time || *time > k_time_max_us) return wrong("a line begins with a time in microseconds");
    entry.at = microseconds(*time);
  }
  entry.file = take_word(line);
  const std::string_view action = take_word(line);
  if (action.empty()) return wrong("a file and what is done to it are missing");
  const auto offset = number_of(take_word(line));
  const auto length = number_of(take_word(line));
  if (!take_word(line).empty()) return wrong("there is more in the line than an operation");
  if (action == "wait" && version_ == 2) {
    if (!offset) return wrong("wait needs a number of microseconds");
    if (*offset > k_time_max_us - waited_us_) return wrong("the waits are too long");
    waited_us_ += *offset;
    return std::nullopt;
  }
  const auto known = std::ranges::find(k_actions, action);
  if (known == k_actions.end()) {
    return wrong(fmt::format("bad iolog file action: {}; there are {}", action,
                             "add, open, close, read, write, trim, sync and datasync"));
  }
  entry.action = static_cast<IologAction>(known - k_actions.begin());
  if (version_ == 2) entry.at = microseconds(waited_us_);
  if (entry.action < IologAction::read || entry.action > IologAction::trim) return entry;
  if (!offset || !length) return wrong(fmt::format("{} needs an offset and a length", action));
  if (*length == 0 || *length > k_length_max || *offset > k_offset_max - *length) {
    return wrong("the offset or the length is out of range");
  }
  entry.offset = *offset;
  entry.length = *length;
  return entry;
}

}  // namespace loadline::dialects::fio
