#include "dialects/testdfsio/fs_count.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>

#include "dialects/testdfsio/configuration.h"
#include "dialects/testdfsio/generic_options.h"
#include "dialects/testdfsio/own_options.h"
#include "dialects/testdfsio/storage.h"

namespace loadline::dialects::testdfsio {
namespace {

constexpr std::string_view k_count = "-count";
constexpr std::string_view k_known =
    "this stand-in for hadoop knows 'jar ... TestDFSIO' and 'fs -count'";

std::unexpected<Error> refuse(std::string what, std::string_view option = {}) {
  return fail(ErrorCode::bad_input, std::move(what), std::string(option));
}

// -q, -h, -v, alone or together as in -qh. Anything else that looks like an option is refused.
Result<void> take_option(std::string_view word, CountOptions& options) {
  for (const char letter : word.substr(1)) {
    switch (letter) {
      case 'q': options.quotas = true; break;
      case 'h': options.human = true; break;
      case 'v': options.header = true; break;
      default: return refuse("is not known here; -q, -h and -v are", word);
    }
  }
  return {};
}

// The columns of a quota and of what is left of it.
using Pair = std::array<std::string, 2>;

Pair quota_of(const std::optional<std::int64_t>& quota, const std::optional<std::int64_t>& left,
              bool human) {
  const auto text = [human](std::int64_t number) {
    return human ? human_number(number) : std::to_string(number);
  };
  if (!quota) return {"none", "inf"};
  return {text(*quota), text(left.value_or(0))};
}

std::string quota_columns(const Pair& names, const Pair& space) {
  return fmt::format("{:>12} {:>15} {:>15} {:>15} ", names[0], names[1], space[0], space[1]);
}

std::string columns(std::string_view folders, std::string_view files, std::string_view bytes) {
  return fmt::format("{:>12} {:>12} {:>18} ", folders, files, bytes);
}

// `digits` with one decimal, from the shortest text of the number, as Java rounds: half up.
std::string one_decimal(double value) {
  std::array<char, 64> buffer{};
  const auto written =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed);
  std::string_view text(buffer.data(), written.ptr);
  const std::size_t point = text.find('.');
  std::uint64_t tenths = 0;
  std::from_chars(text.data(), text.data() + std::min(point, text.size()), tenths);
  tenths *= 10;
  if (point != std::string_view::npos) {
    const std::string_view decimals = text.substr(point + 1);
    tenths += static_cast<std::uint64_t>(decimals[0] - '0');
    if (decimals.size() > 1 && decimals[1] >= '5') ++tenths;
  }
  return fmt::format("{}.{}", tenths / 10, tenths % 10);
}

}  // namespace

Result<CountCommand> parse_count(std::span<const std::string> words, const Surroundings& world) {
  OwnOptions own;
  auto others = take_own_options(words, own);
  if (!others) return propagate(others);
  GenericOptions generic;
  const auto front = read_generic_options(*others, generic);
  if (!front) return std::unexpected(front.error());
  std::span<const std::string> rest = std::span<const std::string>(*others).subspan(*front);
  if (rest.empty() || rest.front() != k_count) {
    return refuse(fmt::format("{}{}", rest.empty() ? "" : rest.front() + ": ", k_known), "fs");
  }
  const auto configuration = Configuration::read(generic, world);
  if (!configuration) return std::unexpected(configuration.error());
  CountCommand command;
  for (const std::string& word : rest.subspan(1)) {
    if (command.paths.empty() && word.size() > 1 && word.starts_with('-')) {
      if (auto taken = take_option(word, command.options); !taken) return propagate(taken);
      continue;
    }
    auto place = location_of(k_count, word);
    if (!place) return propagate(place);
    auto storage = storage_at(
        *place,
        {.generic = &generic, .own = &own, .configuration = &*configuration, .world = &world});
    if (!storage) return propagate(storage);
    command.warnings = storage->warnings;
    command.paths.push_back(
        {.typed = word, .storage = std::move(storage->target), .path = folder_name(place->path)});
  }
  if (command.paths.empty()) return refuse("names no path: fs -count [-q] [-h] [-v] PATH", k_count);
  return command;
}

std::string count_header(const CountOptions& options) {
  std::string text;
  if (options.quotas) {
    text = quota_columns({"QUOTA", "REM_QUOTA"}, {"SPACE_QUOTA", "REM_SPACE_QUOTA"});
  }
  return text + columns("DIR_COUNT", "FILE_COUNT", "CONTENT_SIZE") + "PATHNAME";
}

std::string format_count(const target::ContentSummary& summary, const CountOptions& options,
                         std::string_view path) {
  const bool human = options.human;
  const auto text = [human](std::uint64_t number) {
    return human ? human_number(static_cast<std::int64_t>(number)) : std::to_string(number);
  };
  std::string line;
  if (options.quotas) {
    line = quota_columns(quota_of(summary.quota, summary.quota_left, human),
                         quota_of(summary.space_quota, summary.space_quota_left, human));
  }
  line += columns(text(summary.folders), text(summary.files), text(summary.bytes.count()));
  return line.append(path);
}

std::string human_number(std::int64_t number) {
  constexpr std::array<std::string_view, 6> k_prefixes{"K", "M", "G", "T", "P", "E"};
  constexpr std::uint64_t k_step = 1024;
  const std::string sign = number < 0 ? "-" : "";
  const auto magnitude =
      number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
  if (magnitude < k_step) return sign + std::to_string(magnitude);
  std::size_t prefix = 0;
  while (prefix + 1 < k_prefixes.size() && magnitude >> (10 * (prefix + 2)) != 0) ++prefix;
  const std::uint64_t unit = std::uint64_t{1} << (10 * (prefix + 1));
  if (magnitude % unit == 0) {
    return fmt::format("{}{} {}", sign, magnitude / unit, k_prefixes[prefix]);
  }
  std::string text = one_decimal(static_cast<double>(magnitude) / static_cast<double>(unit));
  if (text.starts_with("1024") && prefix + 1 < k_prefixes.size()) {
    ++prefix;
    text = one_decimal(static_cast<double>(magnitude) / static_cast<double>(unit) / k_step);
  }
  return fmt::format("{}{} {}", sign, text, k_prefixes[prefix]);
}

std::string count_failure(const Error& error, std::string_view path) {
  if (error.code == ErrorCode::not_found) {
    return fmt::format("count: `{}': No such file or directory", path);
  }
  return fmt::format("count: {}", error.message());
}

}  // namespace loadline::dialects::testdfsio
