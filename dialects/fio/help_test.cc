#include "dialects/fio/help.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dialects/fio/testing.h"

namespace loadline::dialects::fio {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ShowCommand, comes_back_as_the_same_jobs) {
  FakeWorld world;
  world.files["a.fio"] =
      "[global]\nrw=randwrite\n[a b]\nthread\ndescription=hi "
      "there\n[global]\nbs=8k\n[c]\nstonewall\n";
  const std::string shown = show_command(parse_words({"a.fio"}, world));
  EXPECT_EQ(shown,
            "fio --rw=randwrite --name='a b' --thread --description='hi there' --name=global "
            "--bs=8k --name=c --stonewall\n");
}

TEST(CommandHelp, is_made_of_the_table) {
  EXPECT_THAT(command_help("all"), HasSubstr("\nrw "));
  EXPECT_THAT(command_help("all"), Not(HasSubstr("http_host")));
  EXPECT_THAT(command_help("blocksize"), HasSubstr("range: min=1\n"));
  EXPECT_THAT(command_help("sync"), HasSubstr("valid values: none"));
  EXPECT_THAT(command_help("cgroup"), HasSubstr("not supported: "));
  EXPECT_THAT(command_help("blcksize"), HasSubstr("No such command: blcksize\n - showing closest"));
  EXPECT_THAT(help_text(), HasSubstr("--output-format=VALUE"));
}

TEST(EngineHelp, lists_engines_and_their_options) {
  EXPECT_THAT(engine_help(""), HasSubstr("\tio_uring"));
  EXPECT_THAT(engine_help(""), Not(HasSubstr("rbd")));
  EXPECT_THAT(engine_help("io_uring"), HasSubstr("fixedbufs"));
  EXPECT_THAT(engine_help("pvsync2,hipri_percentage"), HasSubstr("max=100"));
  EXPECT_EQ(engine_help("nosuch"), "fio: engine nosuch not loadable\nIO engine nosuch not found\n");
  EXPECT_EQ(engine_help("psync"), "IO engine psync has no options\n");
  EXPECT_FALSE(has_engine_help("nosuch"));
  EXPECT_FALSE(has_engine_help("psync"));
  EXPECT_TRUE(has_engine_help("pvsync2,hipri_percentage"));
  EXPECT_TRUE(has_engine_help(""));
}

}  // namespace
}  // namespace loadline::dialects::fio
