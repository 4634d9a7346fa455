#include "dialects/testdfsio/words.h"

#include <gtest/gtest.h>

#include "dialects/testdfsio/testing.h"

namespace loadline::dialects::testdfsio {
namespace {

using testing::words;
using testing::World;

ParsedWords parsed(const std::string& line, const World& world = {}) {
  return parse(words(line), world.surroundings());
}

Options options(const std::string& line, const World& world = {}) {
  const ParsedWords answer = parsed(line, world);
  EXPECT_TRUE(answer.options) << line << ": " << answer.text;
  return answer.options.value_or(Options());
}

TEST(Words, the_commands_of_the_performance_guide) {
  const Options write =
      options("-write -nrFiles 500 -size 4GB -bufferSize 8388608 -resFile /tmp/TestDFSIOwrite.log");
  EXPECT_EQ(write.operation, Operation::write);
  EXPECT_EQ(write.files, 500U);
  EXPECT_EQ(write.size, Bytes(4ULL << 30U));
  EXPECT_EQ(write.buffer, Bytes(8388608));
  EXPECT_EQ(write.result_file, "/tmp/TestDFSIOwrite.log");
  EXPECT_EQ(options("-read -nrFiles 500 -size 4GB").operation, Operation::read);
  EXPECT_EQ(options("-read -random -nrFiles 500 -size 1GB").operation, Operation::read_random);
}

TEST(Words, defaults_are_one_file_of_1_mb) {
  const Options read = options("-read");
  EXPECT_EQ(read.files, 1U);
  EXPECT_EQ(read.size, Bytes(1U << 20U));
  EXPECT_EQ(read.buffer, Bytes(1000000));
  EXPECT_EQ(read.result_file, "TestDFSIO_results.log");
  EXPECT_EQ(read.compat, Compat::v2_7);
}

TEST(Words, no_words_are_missing_arguments) {
  const ParsedWords none = parsed("");
  EXPECT_EQ(none.exit_status, 255);
  EXPECT_EQ(none.text.substr(0, 44), "Missing arguments.\nUsage: TestDFSIO [generic");
  EXPECT_FALSE(none.text.ends_with('\n'));
  const ParsedWords newer = parsed("--compat 3.x");
  EXPECT_TRUE(newer.text.ends_with("[-erasureCodePolicy erasureCodePolicyName]\n"));
}

TEST(Words, last_operation_counts) {
  EXPECT_EQ(options("-write -read").operation, Operation::read);
  EXPECT_EQ(options("-read -random -append").operation, Operation::append);
}

TEST(Words, kinds_of_reading_stand_behind_read) {
  EXPECT_EQ(options("-read -backward").operation, Operation::read_backward);
  EXPECT_EQ(options("-read -skip").operation, Operation::read_skip);
  for (const std::string line : {"-random -read", "-write -skip", "-read -random -backward"}) {
    const ParsedWords answer = parsed(line);
    EXPECT_EQ(answer.exit_status, 255) << line;
    EXPECT_TRUE(answer.text.starts_with("Usage: ")) << line;
  }
}

TEST(Words, an_operation_is_needed) {
  EXPECT_EQ(parsed("-nrFiles 3").exit_status, 255);
  EXPECT_EQ(parsed("-D a=b").exit_status, 255);
}

TEST(Words, prefixes_that_testdfsio_takes) {
  EXPECT_EQ(options("-readAll").operation, Operation::read);
  EXPECT_TRUE(options("-write -sequential").sequential);
}

TEST(Words, letter_case_counts_before_hadoop_3) {
  EXPECT_EQ(parsed("-WRITE").text.substr(0, 25), "Illegal argument: -WRITE\n");
  EXPECT_EQ(options("-WRITE -nrfiles 2 --compat 3.x").files, 2U);
  EXPECT_EQ(options("-Truncate").operation, Operation::truncate);
}

TEST(Words, unknown_words_are_named_with_a_hint) {
  const ParsedWords answer = parsed("-write -nrfiles 3");
  EXPECT_EQ(answer.exit_status, 255);
  EXPECT_TRUE(answer.text.starts_with("Illegal argument: -nrfiles\nUsage: "));
  EXPECT_TRUE(answer.text.ends_with(
      "\nloadline: -nrfiles is known in this form from Hadoop 3 on: --compat 3.x, or -nrFiles\n"))
      << answer.text;
  EXPECT_TRUE(parsed("-write -D a=b")
                  .text.ends_with("generic options like -D stand before those of TestDFSIO\n"));
  EXPECT_TRUE(parsed("-write -rootDir /x").text.find("-D test.build.data") != std::string::npos);
}

TEST(Words, storage_policy_is_of_hadoop_3) {
  EXPECT_EQ(parsed("-write -storagePolicy HOT").exit_status, 255);
  EXPECT_EQ(options("-write -storagePolicy HOT --compat 3.3.6").storage_policy, "HOT");
}

TEST(Words, what_would_end_in_an_exception_is_one_line) {
  const std::pair<std::string, std::string> cases[] = {
      {"-write -size 1.5GB",
       "loadline: -size: '1.5GB' is no size: digits and B, KB, MB, GB or TB, e.g. 4GB; digits "
       "alone are MB\n"},
      {"-write -nrFiles", "loadline: -nrFiles: its value is missing\n"},
      {"-write -bufferSize 8MB",
       "loadline: -bufferSize: '8MB' is no whole number from 0 to 2147483647\n"},
      {"-write -bufferSize 0",
       "loadline: -bufferSize: a buffer of no bytes never gets done; 1 is the least\n"},
      {"-write -nrFiles 0", "loadline: -nrFiles: no file is nothing to measure; 1 is the least\n"},
      {"-write -size 9000000TB", "loadline: -size: '9000000TB' is more than 8 EiB\n"},
      {"-D key -write", "loadline: -D: expects KEY=VALUE, e.g. -D dfs.replication=2\n"},
      {"-write --verify", "loadline: --verify: compares what is read; it goes with -read\n"},
      {"-write --dat zero", "loadline: --dat: is no option; did you mean --data?\n"},
      {"-clean -seq", "loadline: -seq: does not go with -clean; TestDFSIO would clean nothing\n"},
  };
  for (const auto& [line, text] : cases) {
    const ParsedWords answer = parsed(line);
    EXPECT_EQ(answer.exit_status, 254) << line;
    EXPECT_EQ(answer.text, text);
  }
}

TEST(Words, sizes_take_any_case_and_are_mb_without_a_unit) {
  EXPECT_EQ(options("-write -size 10").size, Bytes(10U << 20U));
  EXPECT_EQ(options("-write -fileSize 512kb").size, Bytes(512U << 10U));
  EXPECT_EQ(options("-write -size 7b").size, Bytes(7));
  EXPECT_EQ(options("-write -size 2Tb").size, Bytes(2ULL << 40U));
  for (const std::string size : {"4G", "4GiB", "-1", "K", "4 GB"}) {
    EXPECT_FALSE(
        parse(std::vector<std::string>{"-write", "-size", size}, World().surroundings()).options)
        << size;
  }
}

TEST(Words, skip_is_the_buffer_unless_given) {
  EXPECT_EQ(options("-read -skip -bufferSize 4096").skip, Bytes(4096));
  EXPECT_EQ(options("-read -skip -skipSize 8KB").skip, Bytes(8192));
  EXPECT_EQ(parsed("-read -random -skipSize 8KB").text,
            "loadline: warning: -skipSize is for -skip and changes nothing here\n");
}

TEST(Words, generic_options_stand_in_front) {
  const Options read = options(
      "-D fs.defaultFS=hdfs://a -Ddfs.replication=2 -conf x.xml -fs hdfs://b -jt local "
      "-libjars a.jar,b.jar -files f -archives z -read");
  EXPECT_EQ(read.generic.setting("fs.defaultFS"), "hdfs://a");
  EXPECT_EQ(read.generic.setting("dfs.replication"), "2");
  EXPECT_EQ(read.generic.conf_files, std::vector<std::string>{"x.xml"});
  EXPECT_EQ(read.generic.jars, (std::vector<std::string>{"a.jar", "b.jar"}));
  EXPECT_EQ(read.generic.file_system, "hdfs://b");
}

TEST(Words, own_options_stand_anywhere) {
  const Options read = options(
      "--concurrency=7 -read --verify -nrFiles 2 --data pattern --rate 100MB --json out.json "
      "--keep-going --target posix --seed 5");
  EXPECT_EQ(read.own.concurrency, 7U);
  EXPECT_TRUE(read.own.verify);
  EXPECT_TRUE(read.own.keep_going);
  EXPECT_EQ(read.own.fill, plan::StreamFill::pattern);
  EXPECT_EQ(read.own.rate, Bytes(100U << 20U));
  EXPECT_EQ(read.own.json, "out.json");
  EXPECT_EQ(read.own.target, TargetKind::posix);
  EXPECT_EQ(read.own.seed, 5U);
}

TEST(Words, the_environment_names_a_version) {
  const World world{.variables = {{"LOADLINE_TESTDFSIO_COMPAT", "3.3.6"}}};
  EXPECT_EQ(options("-read", world).compat, Compat::v3);
  EXPECT_EQ(options("-read --compat 2.8.1", world).compat, Compat::v2_8);
  const World wrong{.variables = {{"LOADLINE_TESTDFSIO_COMPAT", "new"}}};
  EXPECT_EQ(parsed("-read", wrong).text,
            "loadline: LOADLINE_TESTDFSIO_COMPAT: 'new' is none of 2.7, 2.8, 3.x\n");
}

TEST(Words, versions_of_hadoop_have_three_layouts) {
  EXPECT_EQ(compat_of("2.7.6"), Compat::v2_7);
  EXPECT_EQ(compat_of("2.6.5"), Compat::v2_7);
  EXPECT_EQ(compat_of("2.8"), Compat::v2_8);
  EXPECT_EQ(compat_of("2.8.1"), Compat::v2_8);
  EXPECT_EQ(compat_of("2.8.2"), Compat::v3);
  EXPECT_EQ(compat_of("2.10.1"), Compat::v3);
  EXPECT_EQ(compat_of("3.x"), Compat::v3);
  EXPECT_EQ(compat_of("3"), Compat::v3);
  EXPECT_EQ(compat_of("x"), std::nullopt);
}

TEST(Words, codecs_and_erasure_codes_are_refused_by_name) {
  EXPECT_TRUE(parsed("-write -compression x").text.starts_with("loadline: -compression: "));
  EXPECT_TRUE(parsed("-write -erasureCodePolicy RS --compat 3.x")
                  .text.starts_with("loadline: -erasureCodePolicy: "));
}

TEST(Words, help_lists_our_own_options) {
  const ParsedWords help = parsed("--help");
  EXPECT_TRUE(help.help);
  EXPECT_EQ(help.exit_status, 0);
  EXPECT_NE(help.text.find("--keep-going"), std::string::npos);
}

}  // namespace
}  // namespace loadline::dialects::testdfsio
