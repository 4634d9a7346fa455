#include "targets/s3/config.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <initializer_list>
#include <string>
#include <utility>

namespace loadline::targets::s3 {
namespace {

using Pairs = std::initializer_list<std::pair<std::string, std::string>>;

Result<Config> read(Pairs pairs) {
  target::Parameters parameters;
  for (const auto& [key, value] : pairs) parameters.set(key, value);
  return read_config(parameters);
}

TEST(Config, has_the_documented_defaults) {
  const Config config = *read({{"accesskey", "A"}, {"secretkey", "S"}});
  EXPECT_EQ(config.endpoints.size(), 1U);
  EXPECT_EQ(config.endpoints[0].name, "http://s3.amazonaws.com");
  EXPECT_FALSE(config.endpoints[0].path_style);
  EXPECT_EQ(config.region, "us-east-1");
  EXPECT_EQ(config.timeout, Duration::seconds(30));
  EXPECT_EQ(config.connect_timeout, Duration::seconds(30));
  EXPECT_EQ(config.part_size, Bytes(5 << 20));
  EXPECT_EQ(config.signature, Signature::v4);
  EXPECT_EQ(config.payload_signing, PayloadSigning::off);
  EXPECT_TRUE(config.tls.verify);
  EXPECT_EQ(config.retry, 0);
}

TEST(Config, reads_what_a_cosbench_sample_gives) {
  const Config config = *read({{"accesskey", "A"},
                               {"secretkey", "S"},
                               {"proxyhost", ""},
                               {"proxyport", ""},
                               {"endpoint", "http://127.0.0.1:29998"},
                               {"path_style_access", "true"},
                               {"timeout", "180000"},
                               {"logging", "true"}});
  EXPECT_EQ(config.endpoints[0].port, 29'998);
  EXPECT_EQ(config.timeout, Duration::seconds(180));
  EXPECT_TRUE(config.proxy_host.empty());
}

TEST(Config, never_repeats_the_password_of_an_endpoint) {
  for (const char* text :
       {"http://bob:TOPSEC@host", "bob:TOPSEC@host:9000", "ftp://bob:TOPSEC@h"}) {
    const auto endpoint = parse_endpoint(text, false);
    ASSERT_FALSE(endpoint) << text;
    EXPECT_EQ(endpoint.error().what.find("TOPSEC"), std::string::npos) << endpoint.error().what;
    EXPECT_NE(endpoint.error().what.find("REDACTED@h"), std::string::npos);
  }
}

TEST(Config, reads_endpoints_of_every_shape) {
  const auto endpoint = [](std::string_view text) { return *parse_endpoint(text, false); };
  EXPECT_EQ(endpoint("store:9000/").name, "http://store:9000");
  EXPECT_EQ(endpoint("https://Store/").authority, "store");
  EXPECT_EQ(endpoint("https://store:443").authority, "store");
  EXPECT_EQ(endpoint("http://store:443").authority, "store:443");
  EXPECT_EQ(endpoint("http://store:39999/api/v1/s3/").base_path, "/api/v1/s3");
  EXPECT_EQ(endpoint("http://[::1]:9000").host, "::1");
  EXPECT_EQ(endpoint("http://[::1]:9000").authority, "[::1]:9000");
  for (const std::string_view numeric : {"http://10.0.0.1", "[::1]:9000", "localhost:1"}) {
    EXPECT_TRUE(endpoint(numeric).path_style) << numeric;
  }
  EXPECT_FALSE(endpoint("http://store").path_style);
  for (const std::string_view bad :
       {"ftp://x", "http://", "http://x:0", "http://x:99999", "http://x:", "http://x:y",
        "http://a b", "http://[::1", "http://u@x"}) {
    EXPECT_FALSE(parse_endpoint(bad, false)) << bad;
  }
}

TEST(Config, takes_several_endpoints) {
  EXPECT_EQ(read({{"endpoint", "http://a:1, http://b:2 ,"}})->endpoints.size(), 2U);
  EXPECT_EQ(read({{"endpoints", "http://a:1,b"}})->endpoints[1].name, "http://b");
}

TEST(Config, guesses_the_region_from_amazons_hosts) {
  EXPECT_EQ(region_of_host("s3.eu-west-1.amazonaws.com"), "eu-west-1");
  EXPECT_EQ(region_of_host("s3-us-west-2.amazonaws.com"), "us-west-2");
  EXPECT_EQ(region_of_host("s3.dualstack.ap-south-1.amazonaws.com"), "ap-south-1");
  EXPECT_EQ(region_of_host("s3.cn-north-1.amazonaws.com.cn"), "cn-north-1");
  EXPECT_EQ(region_of_host("s3.amazonaws.com"), "");
  EXPECT_EQ(region_of_host("store.example.com"), "");
  EXPECT_EQ(read({{"endpoint", "s3.eu-west-1.amazonaws.com"}})->region, "eu-west-1");
  EXPECT_EQ(read({{"endpoint", "s3.eu-west-1.amazonaws.com"}, {"aws_region", "x"}})->region, "x");
}

TEST(Config, names_the_parameter_that_is_wrong) {
  const auto wrong = [](std::string key, std::string value) {
    const auto config = read({{"accesskey", "A"}, {"secretkey", "S"}, {key, value}});
    ASSERT_FALSE(config) << key << "=" << value;
    EXPECT_EQ(config.error().context, key);
    EXPECT_EQ(config.error().code, ErrorCode::bad_input);
  };
  wrong("endpoint", "ftp://x");
  wrong("endpoint", ",");
  wrong("timeout", "-1");
  wrong("timeout", "30s");
  wrong("connect_timeout", "x");
  wrong("signature", "v5");
  wrong("payload_signing", "maybe");
  wrong("part_size", "0");
  wrong("part_size", "5MB");
  wrong("retry", "-2");
  wrong("list_page_size", "1001");
  wrong("path_style_access", "perhaps");
  wrong("no_verify_ssl", "2");
  wrong("verify_etag", "md5");
  wrong("logging", "loud");
  wrong("aws_region", "a b");
  wrong("storage_class", "A\r\nX: y");
  wrong("session_token", "a\r\nb");
  wrong("accesskey", "A B");
}

TEST(Config, asks_for_the_secret_that_an_archive_does_not_hold) {
  const auto redacted = read({{"accesskey", "A"}, {"secretkey", "REDACTED"}});
  ASSERT_FALSE(redacted);
  EXPECT_EQ(redacted.error().context, "secretkey");
  EXPECT_NE(redacted.error().what.find("--set storage.config.secretkey="), std::string::npos);
  ASSERT_FALSE(read({{"accesskey", "A"}}));
  ::setenv("LOADLINE_S3_SECRETKEY", "from the environment", 1);
  EXPECT_EQ(read({{"accesskey", "A"}})->credentials.secret_key.reveal(), "from the environment");
  EXPECT_EQ(read({{"accesskey", "A"}, {"secretkey", "S"}})->credentials.secret_key.reveal(), "S");
  ::unsetenv("LOADLINE_S3_SECRETKEY");
}

TEST(Config, is_anonymous_without_an_access_key) {
  EXPECT_EQ(read({})->signature, Signature::none);
  EXPECT_EQ(read({{"accesskey", "A"}, {"signature", "none"}})->signature, Signature::none);
  EXPECT_EQ(read({{"accesskey", "A"}, {"secretkey", "S"}, {"signature", "V2"}})->signature,
            Signature::v2);
}

}  // namespace
}  // namespace loadline::targets::s3
