#include "dialects/testdfsio/fs_count.h"

#include <gtest/gtest.h>

namespace loadline::dialects::testdfsio {
namespace {

Surroundings no_world() {
  Surroundings world;
  world.variable = [](const std::string&) { return std::nullopt; };
  world.read_file = [](const std::string& path) -> Result<std::string> {
    return fail(ErrorCode::not_found, "not found", path);
  };
  return world;
}

Result<CountCommand> parse(std::vector<std::string> words) {
  return parse_count(words, no_world());
}

TEST(FsCount, five_hundred_files_as_hadoop_prints_them) {
  const target::ContentSummary summary{
      .folders = 1, .files = 500, .bytes = Bytes(500ULL * 4096 << 20)};
  const std::string path = "/benchmarks/TestDFSIO/io_data";
  EXPECT_EQ(format_count(summary, {.quotas = true, .human = true}, path),
            "        none             inf            none             inf            1          "
            "500              2.0 T /benchmarks/TestDFSIO/io_data");
  EXPECT_EQ(format_count(summary, {}, path),
            "           1          500      2147483648000 /benchmarks/TestDFSIO/io_data");
}

TEST(FsCount, header_has_the_same_columns) {
  EXPECT_EQ(
      count_header({.quotas = true}),
      "       QUOTA       REM_QUOTA     SPACE_QUOTA REM_SPACE_QUOTA    DIR_COUNT   FILE_COUNT "
      "      CONTENT_SIZE PATHNAME");
  EXPECT_EQ(count_header({}), "   DIR_COUNT   FILE_COUNT       CONTENT_SIZE PATHNAME");
}

TEST(FsCount, quotas_and_what_is_left_of_them) {
  const target::ContentSummary summary{.folders = 2,
                                       .files = 3,
                                       .bytes = Bytes(10),
                                       .quota = 2048,
                                       .quota_left = 2043,
                                       .space_quota = 1LL << 40,
                                       .space_quota_left = -30};
  EXPECT_EQ(
      format_count(summary, {.quotas = true}, "/a"),
      "        2048            2043   1099511627776             -30            2            3 "
      "                10 /a");
  EXPECT_EQ(
      format_count(summary, {.quotas = true, .human = true}, "/a"),
      "         2 K           2.0 K             1 T             -30            2            3 "
      "                10 /a");
}

TEST(FsCount, human_numbers_have_one_decimal_unless_exact) {
  EXPECT_EQ(human_number(0), "0");
  EXPECT_EQ(human_number(1023), "1023");
  EXPECT_EQ(human_number(1024), "1 K");
  EXPECT_EQ(human_number(1280), "1.3 K");  // 1.25, half up
  EXPECT_EQ(human_number(1536), "1.5 K");
  EXPECT_EQ(human_number(2147483648000), "2.0 T");
  EXPECT_EQ(human_number(2199023255552), "2 T");
  EXPECT_EQ(human_number(1048575), "1.0 M");  // 1023.999 of the prefix below
  EXPECT_EQ(human_number(1048525), "1.0 M");  // 1023.95
  EXPECT_EQ(human_number(1048474), "1023.9 K");
  EXPECT_EQ(human_number(INT64_MAX), "8.0 E");
  EXPECT_EQ(human_number(-2048), "-2 K");
}

TEST(FsCount, the_command_of_the_performance_guide) {
  const auto command = parse({"-count", "-q", "-h", "/benchmarks/TestDFSIO/io_data"});
  ASSERT_TRUE(command) << command.error().message();
  EXPECT_TRUE(command->options.quotas);
  EXPECT_TRUE(command->options.human);
  EXPECT_FALSE(command->options.header);
  ASSERT_EQ(command->paths.size(), 1U);
  EXPECT_EQ(command->paths[0].typed, "/benchmarks/TestDFSIO/io_data");
  EXPECT_EQ(command->paths[0].path, "benchmarks/TestDFSIO/io_data");
  EXPECT_EQ(command->paths[0].storage.type, "hadoop");
}

TEST(FsCount, each_path_has_its_own_file_system) {
  const auto command =
      parse({"-D", "fs.defaultFS=hdfs://a:8020", "-count", "-qhv", "/x", "webhdfs://b:9870/y/"});
  ASSERT_TRUE(command) << command.error().message();
  EXPECT_TRUE(command->options.header);
  ASSERT_EQ(command->paths.size(), 2U);
  EXPECT_EQ(command->paths[0].storage.parameters.text("uri", ""), "hdfs://a:8020");
  EXPECT_EQ(command->paths[1].storage.type, "webhdfs");
  EXPECT_EQ(command->paths[1].storage.parameters.text("uri", ""), "webhdfs://b:9870");
  EXPECT_EQ(command->paths[1].path, "y");
  EXPECT_EQ(command->paths[1].typed, "webhdfs://b:9870/y/");
}

TEST(FsCount, other_commands_are_refused_by_name) {
  for (const std::string name : {"-ls", "-rm", "-put"}) {
    const auto command = parse({name, "/x"});
    ASSERT_FALSE(command);
    EXPECT_EQ(
        command.error().message(),
        "fs: " + name + ": this stand-in for hadoop knows 'jar ... TestDFSIO' and 'fs -count'");
  }
}

TEST(FsCount, mistakes_are_one_line) {
  EXPECT_EQ(parse({"-count"}).error().message(),
            "-count: names no path: fs -count [-q] [-h] [-v] PATH");
  EXPECT_EQ(parse({"-count", "-x", "/a"}).error().message(),
            "-x: is not known here; -q, -h and -v are");
  EXPECT_EQ(parse({"-count", "a"}).error().message(),
            "-count: 'a' is no absolute path like /benchmarks/TestDFSIO");
}

TEST(FsCount, missing_path_is_said_as_hadoop_says_it) {
  EXPECT_EQ(count_failure({ErrorCode::not_found, "no", ""}, "/nothing"),
            "count: `/nothing': No such file or directory");
}

}  // namespace
}  // namespace loadline::dialects::testdfsio
