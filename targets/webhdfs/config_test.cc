#include "targets/webhdfs/config.h"

#include <gtest/gtest.h>

#include "targets/webhdfs/fixture_test.h"

namespace loadline::targets::webhdfs {
namespace {

Config config_of(const std::string& uri, ParameterMap more = {}) {
  auto config = read_config(parameters_for(uri, std::move(more)));
  EXPECT_TRUE(config) << config.error().message();
  return config ? std::move(*config) : Config{};
}

std::string refusal_of(const std::string& uri, ParameterMap more = {}) {
  auto config = read_config(parameters_for(uri, std::move(more)));
  EXPECT_FALSE(config);
  return config ? "" : config.error().message();
}

TEST(WebhdfsConfig, knows_the_ports_of_each_server) {
  EXPECT_EQ(config_of("webhdfs://nn").name_nodes[0].authority, "nn:9870");
  EXPECT_EQ(config_of("swebhdfs://nn/").name_nodes[0].authority, "nn:9871");
  EXPECT_EQ(config_of("webhdfs://nn", {{"httpfs", "true"}}).name_nodes[0].authority, "nn:14000");
  EXPECT_EQ(config_of("webhdfs://NN.Example.com:50070").name_nodes[0].authority,
            "nn.example.com:50070");
  const Config two = config_of("swebhdfs://[::1]:1,nn2:2");
  ASSERT_EQ(two.name_nodes.size(), 2U);
  EXPECT_EQ(two.name_nodes[0].authority, "[::1]:1");
  EXPECT_EQ(two.name_nodes[0].host, "::1");
  EXPECT_TRUE(two.name_nodes[1].tls);
}

TEST(WebhdfsConfig, has_the_defaults_that_are_documented) {
  target::Parameters bare;
  bare.set("uri", "webhdfs://nn");
  const auto config = read_config(bare);
  ASSERT_TRUE(config);
  EXPECT_EQ(config->root, "/benchmarks/loadline");
  EXPECT_FALSE(config->user.empty());
  EXPECT_TRUE(config->overwrite);
  EXPECT_EQ(config->timeout, Duration::seconds(60));
  EXPECT_EQ(config->connect_timeout, Duration::seconds(60));
  EXPECT_TRUE(config->tls.verify);
  EXPECT_FALSE(config->block_size || config->replication);
}

TEST(WebhdfsConfig, reads_where_to_connect_for_names) {
  const Config config = config_of("webhdfs://nn", {{"resolve", "dn1:9864=10.0.0.5:19864, dn2=h"}});
  ASSERT_EQ(config.resolve.size(), 2U);
  EXPECT_EQ(config.resolve[0].host, "dn1");
  EXPECT_EQ(config.resolve[0].port, 9864);
  EXPECT_EQ(config.resolve[0].to_host, "10.0.0.5");
  EXPECT_EQ(config.resolve[0].to_port, 19864);
  EXPECT_EQ(config.resolve[1].port, 0);
}

TEST(WebhdfsConfig, refuses_in_one_line_what_cannot_be_meant) {
  EXPECT_EQ(refusal_of(""), "uri: is missing: give webhdfs://host:port");
  EXPECT_EQ(refusal_of("hdfs://nn"),
            "uri: 'hdfs://nn' begins with neither webhdfs:// nor swebhdfs://");
  EXPECT_EQ(refusal_of("webhdfs://nn/data"),
            "uri: 'webhdfs://nn/data' has a path; folders go into root=");
  EXPECT_EQ(refusal_of("webhdfs://nn:99999"),
            "uri: 'webhdfs://nn:99999' is not like webhdfs://host:9870");
  EXPECT_EQ(refusal_of("webhdfs:///"), "uri: 'webhdfs:///' names no host");
  EXPECT_EQ(refusal_of("webhdfs://nn", {{"root", "bench"}}),
            "root: 'bench' is not a folder like /benchmarks/loadline");
  EXPECT_NE(refusal_of("webhdfs://nn", {{"root", "/a/../b"}}), "");
  EXPECT_NE(refusal_of("webhdfs://nn", {{"permission", "rwx"}}), "");
  EXPECT_EQ(refusal_of("webhdfs://nn", {{"resolve", "dn1"}}),
            "resolve: 'dn1' is not like dn1:9864=10.0.0.5:9864");
  EXPECT_NE(refusal_of("webhdfs://nn", {{"httpfs", "true"}, {"noredirect", "true"}}), "");
  EXPECT_NE(refusal_of("webhdfs://nn", {{"token", "t0ken"}}), "") << "user beside it";
}

TEST(WebhdfsConfig, shows_no_user_info_of_a_uri) {
  const std::string message = refusal_of("webhdfs://me:pw123@nn");
  EXPECT_EQ(message.find("pw123"), std::string::npos);
  EXPECT_NE(message.find("user="), std::string::npos);
}

}  // namespace
}  // namespace loadline::targets::webhdfs
