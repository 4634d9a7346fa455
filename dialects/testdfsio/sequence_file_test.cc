#include "dialects/testdfsio/sequence_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace loadline::dialects::testdfsio {
namespace {

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

std::string testdata(const std::string& name) {
  std::ifstream file(std::string(LOADLINE_TESTDATA) + "/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

// A control file that Hadoop 3.5.0 wrote; its sync mark is at offset 70.
TEST(SequenceFile, bytes_are_those_of_hadoop) {
  const std::string golden = testdata("in_file_test_io_1");
  EXPECT_EQ(hex(sequence_file("test_io_1", 2 << 20, std::string_view(golden).substr(70, 16))),
            hex(golden));
}

TEST(SequenceFile, sync_marks_differ_by_name_and_not_by_run) {
  EXPECT_EQ(sync_mark("a").size(), 16U);
  EXPECT_EQ(sync_mark("a"), sync_mark("a"));
  EXPECT_NE(sync_mark("a"), sync_mark("b"));
}

// As org.apache.hadoop.io.WritableUtils describes them.
TEST(SequenceFile, lengths_take_one_byte_up_to_127) {
  EXPECT_EQ(hex(variable_length(0)), "00");
  EXPECT_EQ(hex(variable_length(127)), "7f");
  EXPECT_EQ(hex(variable_length(-112)), "90");
  EXPECT_EQ(hex(variable_length(128)), "8f80");
  EXPECT_EQ(hex(variable_length(300)), "8e012c");
  EXPECT_EQ(hex(variable_length(-113)), "8770");
  EXPECT_EQ(hex(variable_length(INT64_MAX)), "887fffffffffffffff");
}

}  // namespace
}  // namespace loadline::dialects::testdfsio
