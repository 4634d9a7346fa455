#include "app/arguments.h"

#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/secret.h"
#include "target/parameters.h"

namespace loadline::app {
namespace {

// Where the secret value of an argument begins, or npos: after "...secretkey=", in a whole
// "accesskey=a;secretkey=b" string as well.
std::size_t secret_begins(std::string_view argument) {
  std::size_t part = 0;
  while (part < argument.size()) {
    const std::size_t end = std::min(argument.find(';', part), argument.size());
    for (std::size_t at = argument.find('=', part); at < end; at = argument.find('=', at + 1)) {
      std::string_view key = argument.substr(part, at - part);
      key = key.substr(key.find_last_of("=. ") + 1);
      if (target::is_secret_key(key)) return at + 1;
    }
    part = end + 1;
  }
  return std::string_view::npos;
}

}  // namespace

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
    return fail(ErrorCode::bad_input, "'" + text + "' is not PATH=VALUE, e.g. work.runtime=5",
                "--set");
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
    const std::string_view argument = argv[i];
    const std::size_t secret = secret_begins(argument);
    if (!line.empty()) line += ' ';
    line += argument.substr(0, secret);
    if (secret != std::string_view::npos) line += Secret::k_mask;
  }
  return line;
}

void scrub_secrets(int argc, char** argv) {
  for (int i = 0; i < argc; ++i) {
    const std::size_t secret = secret_begins(argv[i]);
    if (secret == std::string_view::npos) continue;
    char* value = argv[i] + secret;
    std::memset(value, '*', std::strlen(value));
  }
}

}  // namespace loadline::app
