#include "app/arguments.h"

#include <cstdlib>
#include <cstring>
#include <string_view>

#include "target/masking.h"

namespace loadline::app {

Result<report::Setting> parse_setting(const std::string& text) {
  // Names in brackets may hold '='.
  std::size_t at = 0;
  int depth = 0;
  while (at < text.size() && (depth > 0 || text[at] != '=')) {
    if (text[at] == '[') ++depth;
    if (text[at] == ']') --depth;
    ++at;
  }
  if (at == 0 || at >= text.size()) {
    return fail(ErrorCode::bad_input,
                "'" + target::masked(text) + "' is not PATH=VALUE, e.g. work.runtime=5", "--set");
  }
  report::Setting setting{.path = text.substr(0, at), .value = text.substr(at + 1)};
  constexpr std::string_view k_environment = "env:";
  if (setting.value.starts_with(k_environment)) {
    const std::string name = setting.value.substr(k_environment.size());
    const char* value = std::getenv(name.c_str());
    if (!value) {
      return fail(ErrorCode::bad_input, "the environment has no variable " + name,
                  "--set " + setting.path);
    }
    setting.value = value;
  }
  return setting;
}

std::string masked_command_line(int argc, const char* const* argv) {
  std::string line;
  for (int i = 0; i < argc; ++i) {
    if (!line.empty()) line += ' ';
    line += target::masked(argv[i]);
  }
  return line;
}

void scrub_secrets(int argc, char** argv) {
  for (int i = 0; i < argc; ++i) {
    for (const target::TextRange& range : target::secret_ranges(argv[i])) {
      std::memset(argv[i] + range.begin, '*', range.end - range.begin);
    }
  }
}

}  // namespace loadline::app
