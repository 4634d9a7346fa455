#include "app/version.h"

#include <fmt/core.h>

#include "app/tables.h"
#include "drive/build_info.h"

namespace loadline::app {

int version_command() {
  const drive::BuildInfo build = drive::build_info();
  fmt::print("loadline {}, {}\n", build.release(), build.how());
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
