// The job files that come with fio: those that fio 3.33 parses are parsed here.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "dialects/fio/testing.h"

namespace loadline::dialects::fio {
namespace {

TEST(Examples, that_fio_parses_are_parsed) {
  const std::filesystem::path folder = "/usr/share/doc/fio/examples";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is absent: no fio-examples";
  Surroundings world = system_surroundings();
  world.cpus = 1024;  // a file may name more processors than this machine has
  std::ifstream names(LOADLINE_TESTDATA "/examples_of_fio_3.33.txt");
  std::string name;
  int read = 0;
  while (std::getline(names, name)) {
    const std::filesystem::path path = folder / name;
    if (!std::filesystem::exists(path)) continue;
    ++read;
    const std::vector<std::string> words = {"--parse-only", path.string()};
    const ParsedFio parsed = parse(words, world);
    EXPECT_FALSE(parsed.has_errors()) << name << ": " << ::testing::PrintToString(lines_of(parsed));
    EXPECT_FALSE(parsed.jobs.empty()) << name;
  }
  EXPECT_GT(read, 0);
}

}  // namespace
}  // namespace loadline::dialects::fio
