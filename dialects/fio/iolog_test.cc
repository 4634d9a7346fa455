#include "dialects/fio/iolog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace loadline::dialects::fio {
namespace {

using ::testing::HasSubstr;

std::string of(const IologEntry& entry) {
  return std::to_string(entry.at.ns() / 1000) + " " + std::string(entry.file) + " " +
         std::string(to_string(entry.action)) + " " + std::to_string(entry.offset) + " " +
         std::to_string(entry.length);
}

std::vector<std::string> read(const std::vector<std::string>& lines) {
  IologParser parser("a.log");
  std::vector<std::string> all;
  for (const std::string& line : lines) {
    const auto entry = parser.parse(line);
    if (!entry) return {entry.error().message()};
    if (*entry) all.push_back(of(**entry));
  }
  return all;
}

TEST(Iolog, reads_version_3) {
  const std::vector<std::string> expected = {
      "24 f.0 add 0 0",   "205 f.0 open 0 0",     "209 f.0 read 0 4096", "300 f.0 trim 8192 512",
      "301 f.0 sync 0 0", "302 f.0 datasync 0 0", "400 f.0 close 0 0"};
  EXPECT_EQ(read({"fio version 3 iolog", "24 f.0 add", "205 f.0 open", "209 f.0 read 0 4096", "",
                  "300\tf.0 trim 8192 512\r", "301 f.0 sync 57344 0", "302 f.0 datasync",
                  "400 f.0 close"}),
            expected);
}

TEST(Iolog, adds_up_the_waits_of_version_2) {
  const std::vector<std::string> expected = {"0 f add 0 0", "0 f write 0 4096", "300 f read 0 4096",
                                             "1000 f trim 0 512"};
  EXPECT_EQ(read({"fio version 2 iolog", "f add", "f write 0 4096", "f wait 300 0", "f read 0 4096",
                  "f wait 700 0", "f trim 0 512"}),
            expected);
}

TEST(Iolog, begins_again_where_a_second_run_was_appended) {
  EXPECT_EQ(read({"fio version 3 iolog", "1 f add", "fio version 2 iolog", "f add"}).size(), 2U);
}

TEST(Iolog, names_the_file_and_the_line_of_what_is_wrong) {
  const auto wrong = [](const std::string& line) {
    return read({"fio version 3 iolog", "0 f add", line})[0];
  };
  EXPECT_THAT(wrong("10 f reed 0 4096"), HasSubstr("a.log:3: bad iolog file action: reed"));
  EXPECT_THAT(wrong("10 f read 0"), HasSubstr("a.log:3: read needs an offset and a length"));
  EXPECT_THAT(wrong("10 f read 0 0"), HasSubstr("out of range"));
  EXPECT_THAT(wrong("10 f read 18446744073709551615 9"), HasSubstr("out of range"));
  EXPECT_THAT(wrong("10 f read 0 x"), HasSubstr("needs an offset"));
  EXPECT_THAT(wrong("10 f read 0 1 2"), HasSubstr("more in the line"));
  EXPECT_THAT(wrong("f read 0 1"), HasSubstr("time in microseconds"));
  EXPECT_THAT(wrong("10 f wait 9"), HasSubstr("bad iolog file action: wait"));
  EXPECT_THAT(wrong("10 f"), HasSubstr("missing"));
  EXPECT_THAT(wrong("fio version 1 iolog"), HasSubstr("version 1 is not supported"));
  EXPECT_THAT(wrong("fio version 3 log"), HasSubstr("is no head"));
  EXPECT_THAT(read({"hello"})[0], HasSubstr("a.log:1: an iolog begins with"));
}

}  // namespace
}  // namespace loadline::dialects::fio
