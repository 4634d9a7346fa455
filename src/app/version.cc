#include "app/version.h"

#include <fmt/core.h>

#include "app/tables.h"

namespace loadline::app {

std::string_view version() { return LOADLINE_VERSION; }
std::string_view build_type() { return LOADLINE_BUILD_TYPE; }
bool sanitized() { return std::string_view(LOADLINE_SANITIZE) != ""; }

std::string compiler() {
#ifdef __clang__
  return "clang++ " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

int version_command() {
  fmt::print("loadline {} ({}, {})\n", version(), build_type(), compiler());
  fmt::print("\nworkloads\n");
  for (const report::Dialect& dialect : dialects::all()) {
    fmt::print("  {:<10} {}\n", dialect.name, dialect.summary);
  }
  fmt::print("\nstorages\n");
  for (const target::TargetType& type : targets::all()) {
    fmt::print("  {:<10} {}", type.name, type.summary);
    if (!type.built_with.empty()) fmt::print(" [{}]", type.built_with);
    fmt::print("\n");
    for (const target::ParameterSpec& key : type.parameters) {
      fmt::print("    {:<20} {}", key.key, key.meaning);
      if (!key.default_value.empty()) fmt::print(" ({})", key.default_value);
      fmt::print("\n");
    }
  }
  return 0;
}

}  // namespace loadline::app
