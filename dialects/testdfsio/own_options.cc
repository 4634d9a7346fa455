#include "dialects/testdfsio/own_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/nearest_word.h"
#include "dialects/testdfsio/value_text.h"

namespace loadline::dialects::testdfsio {
namespace {

struct OwnOption {
  std::string_view name;
  std::string_view value;  // as --help shows it; empty: takes none
  std::string_view help;
  Result<void> (*set)(std::string_view value, OwnOptions& into);
};

constexpr std::uint64_t k_concurrency_most = 1U << 20U;

std::unexpected<Error> none_of(std::string_view option, std::string_view value,
                               std::string_view words) {
  return fail(ErrorCode::bad_input, fmt::format("'{}' is none of {}", value, words),
              std::string(option));
}

Result<void> set_data(std::string_view value, OwnOptions& into) {
  using Word = std::pair<std::string_view, plan::StreamFill>;
  for (const auto& [word, fill] :
       {Word("zero", plan::StreamFill::zero), Word("random", plan::StreamFill::random),
        Word("pattern", plan::StreamFill::pattern)}) {
    if (value != word) continue;
    into.fill = fill;
    return {};
  }
  return none_of("--data", value, "zero, random, pattern");
}

Result<void> set_compat(std::string_view value, OwnOptions& into) {
  into.compat = compat_of(value);
  if (into.compat) return {};
  return none_of("--compat", value, "2.7, 2.8, 3.x");
}

Result<void> set_concurrency(std::string_view value, OwnOptions& into) {
  const auto count = count_value("--concurrency", value, 1, k_concurrency_most);
  if (!count) return std::unexpected(count.error());
  into.concurrency = static_cast<std::uint32_t>(*count);
  return {};
}

Result<void> set_target(std::string_view value, OwnOptions& into) {
  for (const TargetKind kind : {TargetKind::hadoop, TargetKind::webhdfs, TargetKind::posix}) {
    if (value == to_string(kind)) {
      into.target = kind;
      return {};
    }
  }
  return none_of("--target", value, "hadoop, webhdfs, posix");
}

Result<void> set_rate(std::string_view value, OwnOptions& into) {
  const auto size = size_value("--rate", value);
  if (!size) return std::unexpected(size.error());
  if (*size == Bytes()) return fail(ErrorCode::bad_input, "must be above zero", "--rate");
  into.rate = *size;
  return {};
}

Result<void> set_seed(std::string_view value, OwnOptions& into) {
  const auto seed = count_value("--seed", value, 0, UINT64_MAX);
  if (!seed) return std::unexpected(seed.error());
  into.seed = *seed;
  return {};
}

template <std::string OwnOptions::* member>
Result<void> set_text(std::string_view value, OwnOptions& into) {
  into.*member = value;
  return {};
}

template <bool OwnOptions::* member>
Result<void> set_flag(std::string_view, OwnOptions& into) {
  into.*member = true;
  return {};
}

constexpr std::array<OwnOption, 13> k_options{{
    {"--target", "KIND", "hadoop, webhdfs or posix; default by the scheme of fs.defaultFS",
     set_target},
    {"--concurrency", "N",
     "files under way at once; default mapreduce.local.map.tasks.maximum, else 4 a core",
     set_concurrency},
    {"--data", "KIND", "of writes: zero (as TestDFSIO), random or pattern", set_data},
    {"--verify", "", "reads compare every byte with what --data wrote",
     set_flag<&OwnOptions::verify>},
    {"--keep-going", "", "a file that fails does not end the run",
     set_flag<&OwnOptions::keep_going>},
    {"--rate", "SIZE", "at most so many bytes a second, of all files together", set_rate},
    {"--seed", "N", "of random data and offsets", set_seed},
    {"--compat", "VERSION",
     "whose options and output: 2.7, 2.8 or 3.x; default LOADLINE_TESTDFSIO_COMPAT, else 2.7",
     set_compat},
    {"--json", "PATH", "the result as JSON into this file", set_text<&OwnOptions::json>},
    {"--hadoop-classpath", "PATH", "class path with Hadoop's jars",
     set_text<&OwnOptions::hadoop_classpath>},
    {"--java-home", "PATH", "folder of the Java to use", set_text<&OwnOptions::java_home>},
    {"--user", "NAME", "user name on the storage; default HADOOP_USER_NAME",
     set_text<&OwnOptions::user>},
    {"--resolve", "NAME=ADDRESS,...", "webhdfs: where hosts that answers name are found",
     set_text<&OwnOptions::resolve>},
}};

std::unexpected<Error> unknown(std::string_view name) {
  std::array<std::string_view, k_options.size()> names{};
  std::ranges::transform(k_options, names.begin(), &OwnOption::name);
  const auto close = nearest(name, names);
  return fail(
      ErrorCode::bad_input,
      close ? fmt::format("is no option; did you mean {}?", *close) : "is no option; see --help",
      std::string(name));
}

}  // namespace

Result<std::vector<std::string>> take_own_options(std::span<const std::string> words,
                                                  OwnOptions& into) {
  std::vector<std::string> others;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string& word = words[at];
    if (!word.starts_with("--")) {
      others.push_back(word);
      continue;
    }
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const auto* const option = std::ranges::find(k_options, name, &OwnOption::name);
    if (option == k_options.end()) return unknown(name);
    std::string value;
    if (option->value.empty()) {
      if (equals != std::string::npos) return fail(ErrorCode::bad_input, "takes no value", name);
    } else if (equals != std::string::npos) {
      value = word.substr(equals + 1);
    } else if (at + 1 < words.size()) {
      value = words[++at];
    } else {
      return fail(ErrorCode::bad_input, "its value is missing", name);
    }
    if (auto set = option->set(value, into); !set) return propagate(set);
  }
  return others;
}

std::string own_options_help() {
  std::string text;
  for (const OwnOption& option : k_options) {
    text +=
        fmt::format("  {:<28} {}\n", fmt::format("{} {}", option.name, option.value), option.help);
  }
  return text;
}

}  // namespace loadline::dialects::testdfsio
