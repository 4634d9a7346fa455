#include "targets/hadoop/config.h"

#include <gmock/gmock.h>

#include "targets/hadoop/double_test.h"

namespace loadline::targets::hadoop {
namespace {

using ::testing::HasSubstr;

Result<Config> read(const Settings& settings) {
  target::Parameters parameters;
  for (const auto& [key, value] : settings) parameters.set(key, value);
  return read_config(parameters);
}

TEST(Config, takes_the_root_from_the_uri) {
  EXPECT_EQ(read({})->root, "/benchmarks/loadline");
  EXPECT_EQ(read({})->uri, "");
  EXPECT_EQ(read({{"uri", "hdfs://nn:8020"}})->uri, "hdfs://nn:8020/");
  EXPECT_EQ(read({{"uri", "hdfs://nn:8020/"}})->root, "/benchmarks/loadline");
  EXPECT_EQ(read({{"uri", "hdfs://ns1/base/x/"}})->root, "/base/x");
  EXPECT_EQ(read({{"uri", "hdfs://ns1/base"}, {"root", "/other/"}})->root, "/other");
  EXPECT_EQ(read({{"uri", "file:///tmp"}})->uri, "file:///");
  EXPECT_EQ(read({{"uri", "file:/tmp"}})->root, "/tmp");
}

TEST(Config, finds_paths_below_the_root) {
  const auto config = read({{"root", "/base"}});
  EXPECT_EQ(config->path_of("a/b"), "/base/a/b");
  EXPECT_EQ(config->path_of("/a"), "/a");
  EXPECT_EQ(config->path_of("hdfs://nn/a"), "hdfs://nn/a");
  EXPECT_EQ(config->path_of(""), "/base");
  EXPECT_EQ(read({{"root", "/"}})->path_of("a"), "/a");
  EXPECT_EQ(read({{"root", "/"}})->path_of(""), "/");
}

TEST(Config, passes_settings_on_to_hadoop) {
  const auto config =
      read({{"conf.dfs.ha.namenodes.ns", "nn1,nn2"}, {"conf.fs.s3a.secret.key", "x=y"}});
  ASSERT_TRUE(config.has_value()) << config.error().message();
  ASSERT_EQ(config->settings.size(), 2U);
  EXPECT_EQ(config->settings[0].first, "dfs.ha.namenodes.ns");
  EXPECT_EQ(config->settings[0].second.reveal(), "nn1,nn2");
  EXPECT_TRUE(config->has_setting("fs.s3a.secret.key"));
}

TEST(Config, names_the_parameter_that_is_wrong) {
  for (const auto& [key, value] : Settings{{"uri", "namenode:8020"},
                                           {"uri", "hdfs//nn"},
                                           {"root", "relative"},
                                           {"conf", "/no/such/core-site.xml"},
                                           {"jars", "/no/such.jar"},
                                           {"jvm_options", "'open"},
                                           {"block_size", "-1"},
                                           {"replication", "two"},
                                           {"fs_instances", "many"},
                                           {"conf.fs.s3a.secret.key", "REDACTED"},
                                           {"rout", "/x"},
                                           {"dfs.replication", "2"}}) {
    const auto config = read({{key, value}});
    ASSERT_FALSE(config.has_value()) << key << "=" << value;
    EXPECT_EQ(config.error().context, key);
    EXPECT_EQ(config.error().code, ErrorCode::bad_input);
  }
  EXPECT_THAT(read({{"rout", "/x"}}).error().what, HasSubstr("root?"));
  EXPECT_THAT(read({{"dfs.replication", "2"}}).error().what, HasSubstr("conf.dfs.replication"));
}

TEST(Config, shows_no_password_of_a_uri) {
  const auto config = read({{"uri", "s3a://AK:S3CR3T@buc ket"}});
  ASSERT_FALSE(config.has_value());
  EXPECT_THAT(config.error().what, ::testing::Not(HasSubstr("S3CR3T")));
}

}  // namespace
}  // namespace loadline::targets::hadoop
