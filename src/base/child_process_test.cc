#include "base/child_process.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace loadline {
namespace {

constexpr int k_long = 10'000;  // milliseconds

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(ChildProcess, says_how_a_program_ended) {
  auto child = ChildProcess::start({.words = {"sh", "-c", "exit 3"}});
  ASSERT_TRUE(child);
  EXPECT_EQ(child->wait(k_long), 3);
  EXPECT_EQ(child->wait(0), 3);
}

TEST(ChildProcess, puts_output_and_errors_into_one_file) {
  const std::string path = ::testing::TempDir() + "child_output.txt";
  auto child = ChildProcess::start(
      {.words = {"sh", "-c", "echo one; echo two >&2"}, .output = path, .errors = path});
  ASSERT_TRUE(child);
  EXPECT_EQ(child->wait(k_long), 0);
  EXPECT_EQ(text_of(path), "one\ntwo\n");
  std::filesystem::remove(path);
}

TEST(ChildProcess, is_ended_with_what_it_started) {
  auto child = ChildProcess::start({.words = {"sh", "-c", "sleep 100 & sleep 100"}});
  ASSERT_TRUE(child);
  EXPECT_EQ(child->wait(0), std::nullopt);
  child->signal(SIGTERM);
  EXPECT_EQ(child->wait(k_long), 128 + SIGTERM);
}

TEST(ChildProcess, says_why_it_cannot_start) {
  const auto child = ChildProcess::start({.words = {"no-such-program-anywhere"}});
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().os_error, ENOENT);
}

}  // namespace
}  // namespace loadline
