#include "target/parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline::target {
namespace {

using ::testing::HasSubstr;

Parameters with(std::string key, std::string value) {
  Parameters parameters;
  parameters.set(std::move(key), std::move(value));
  return parameters;
}

TEST(Parameters, a_later_value_replaces_an_earlier_one_in_its_place) {
  Parameters parameters;
  parameters.set("a", "1");
  parameters.set("b", "2");
  parameters.set("a", "3");
  EXPECT_EQ(parameters.entries(), (std::vector<Parameters::Entry>{{"a", "3"}, {"b", "2"}}));
}

TEST(Parameters, missing_keys_have_their_defaults) {
  const Parameters none;
  EXPECT_FALSE(none.has("k"));
  EXPECT_EQ(none.text("k", "d"), "d");
  EXPECT_TRUE(none.secret("k").empty());
  EXPECT_EQ(*none.boolean("k", true), true);
  EXPECT_EQ(*none.integer("k", 7, 0, 9), 7);
  EXPECT_EQ(*none.number("k", 0.5, 0, 1), 0.5);
}

TEST(Parameters, reads_booleans_in_every_spelling) {
  for (const char* yes : {"true", "True", "YES", "on", "1"}) {
    EXPECT_TRUE(*with("k", yes).boolean("k", false)) << yes;
  }
  for (const char* no : {"false", "False", "NO", "off", "0"}) {
    EXPECT_FALSE(*with("k", no).boolean("k", true)) << no;
  }
  const auto bad = with("k", "maybe").boolean("k", true);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().message(), "k: 'maybe' is not true or false");
}

TEST(Parameters, refuses_malformed_and_impossible_numbers) {
  for (const char* bad : {"", " 5", "5 ", "0x5", "5s", "1.5", "-1", "11", "99999999999999999999"}) {
    const auto refused = with("k", bad).integer("k", 0, 0, 10);
    ASSERT_FALSE(refused) << bad;
    EXPECT_EQ(refused.error().context, "k");
    EXPECT_THAT(refused.error().what, HasSubstr("is not a whole number from 0 to 10"));
  }
  EXPECT_EQ(*with("k", "10").integer("k", 0, 0, 10), 10);
}

TEST(Parameters, refuses_what_is_no_finite_number_in_bounds) {
  for (const char* bad : {"", "nan", "inf", "1.1", "-0.1", "half", "0.5x"}) {
    EXPECT_FALSE(with("k", bad).number("k", 0, 0, 1)) << bad;
  }
  EXPECT_EQ(with("k", "abc").number("k", 0, 0, 1e9).error().message(),
            "k: 'abc' is not a number from 0 to 1000000000");
  EXPECT_EQ(with("k", "2").number("k", 0, 0.5, 1).error().what,
            "'2' is not a number from 0.5 to 1");
  EXPECT_EQ(*with("k", "0.25").number("k", 0, 0, 1), 0.25);
  EXPECT_EQ(*with("k", "1e-3").number("k", 0, 0, 1), 0.001);
}

TEST(Parameters, knows_keys_whose_values_are_secret) {
  for (const char* key : {"secretkey", "SecretKey", "password", "tenant_password", "token",
                          "usertoken", "tls_key_passphrase", "credentials"}) {
    EXPECT_TRUE(is_secret_key(key)) << key;
  }
  for (const char* key : {"accesskey", "endpoint", "username", "region", "path_style_access"}) {
    EXPECT_FALSE(is_secret_key(key)) << key;
  }
}

}  // namespace
}  // namespace loadline::target
