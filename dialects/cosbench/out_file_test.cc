#include "dialects/cosbench/out_file.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "dialects/cosbench/testing.h"

namespace loadline::dialects::cosbench {
namespace {

namespace fs = std::filesystem;

class OutFileTest : public ::testing::Test {
 protected:
  OutFileTest() {
    std::string name = fs::temp_directory_path() / "loadline-out-XXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  ~OutFileTest() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(OutFileTest, replaces_a_file_and_reports_the_first_error) {
  const fs::path path = folder_ / "a";
  ASSERT_TRUE(write_file(path, "long text"));
  ASSERT_TRUE(write_file(path, "short"));
  EXPECT_EQ(read_file(path), "short");
  const auto refused = write_file(folder_ / "no" / "a", "x");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().context, (folder_ / "no" / "a").string());
  EXPECT_FALSE(write_file("/dev/full", "x"));
}

TEST_F(OutFileTest, two_processes_append_whole_lines_and_one_header) {
  const fs::path path = folder_ / "shared.csv";
  constexpr int k_processes = 4;
  constexpr int k_lines = 50;
  for (int p = 0; p < k_processes; ++p) {
    if (::fork() != 0) continue;
    bool good = true;
    for (int i = 0; i < k_lines; ++i) {
      good = append_shared(path, "h1,h2\n", std::to_string(p) + "," + std::string(500, 'x') + "\n")
                 .has_value() &&
             good;
    }
    ::_exit(good ? 0 : 1);  // allowed: the child of a test
  }
  for (int p = 0; p < k_processes; ++p) {
    int status = 0;
    ::wait(&status);
    EXPECT_EQ(status, 0);
  }
  std::ifstream file(path);
  std::string line;
  int headers = 0;
  int lines = 0;
  while (std::getline(file, line)) {
    if (line == "h1,h2") {
      headers += 1;
    } else {
      EXPECT_EQ(line.size(), 502U);
      lines += 1;
    }
  }
  EXPECT_EQ(headers, 1);
  EXPECT_EQ(lines, k_processes * k_lines);
}

TEST_F(OutFileTest, starts_a_new_line_after_a_torn_one) {
  const fs::path path = folder_ / "torn.csv";
  ASSERT_TRUE(write_file(path, "head\nto"));
  ASSERT_TRUE(append_shared(path, "head\n", "next\n"));
  EXPECT_EQ(read_file(path), "head\nto\nnext\n");
}

TEST_F(OutFileTest, a_full_disk_is_an_error) {
  const auto refused = append_shared("/dev/full", "h\n", "l\n");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::io);
}

}  // namespace
}  // namespace loadline::dialects::cosbench
