#include "dialects/testdfsio/generic_options.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace loadline::dialects::testdfsio {
namespace {

constexpr std::array<std::string_view, 8> k_names{
    "-D", "-conf", "-fs", "-jt", "-files", "-libjars", "-archives", "-tokenCacheFile"};

void add_list(std::string_view list, std::vector<std::string>& into) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (comma > 0) into.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
}

Result<void> set(std::string_view name, const std::string& value, GenericOptions& into) {
  if (name == "-conf") into.conf_files.push_back(value);
  if (name == "-libjars") add_list(value, into.jars);
  if (name == "-fs") into.file_system = value == "local" ? "file:///" : value;
  if (name != "-D") return {};
  const std::size_t equals = value.find('=');
  if (equals == std::string::npos || equals == 0) {
    return fail(ErrorCode::bad_input, "expects KEY=VALUE, e.g. -D dfs.replication=2", "-D");
  }
  into.settings.emplace_back(value.substr(0, equals), value.substr(equals + 1));
  return {};
}

}  // namespace

bool is_generic_option(std::string_view word) {
  return word.starts_with("-D") || std::ranges::find(k_names, word) != k_names.end();
}

Result<std::size_t> read_generic_options(std::span<const std::string> words, GenericOptions& into) {
  std::size_t at = 0;
  while (at < words.size() && is_generic_option(words[at])) {
    const std::string& word = words[at];
    ++at;
    if (word.starts_with("-D") && word.size() > 2) {
      if (auto done = set("-D", word.substr(2), into); !done) return propagate(done);
      continue;
    }
    if (at == words.size()) return fail(ErrorCode::bad_input, "its value is missing", word);
    if (auto done = set(word, words[at], into); !done) return propagate(done);
    ++at;
  }
  return at;
}

}  // namespace loadline::dialects::testdfsio
