#include "dialects/cosbench/config_text.h"

#include <gtest/gtest.h>

namespace loadline::dialects::cosbench {
namespace {

TEST(ConfigText, splits_at_semicolons_and_at_the_first_equals_sign) {
  const ConfigText config = ConfigText::parse("a=1; b = x=y ;;c=;\n d=e,f;");
  ASSERT_EQ(config.entries().size(), 4U);
  EXPECT_EQ(config.find("a")->value, "1");
  EXPECT_EQ(config.find("b")->value, "x=y");
  EXPECT_EQ(config.find("c")->value, "");
  EXPECT_EQ(config.find("d")->value, "e,f");
  EXPECT_EQ(config.text(), "a=1;b=x=y;c=;d=e,f");
}

TEST(ConfigText, later_value_of_a_key_wins_and_keys_are_case_sensitive) {
  const ConfigText config = ConfigText::parse("a=1;A=2;a=3");
  EXPECT_EQ(config.text(), "a=3;A=2");
}

TEST(ConfigText, reports_parts_that_are_no_pair) {
  std::vector<std::string> refused;
  EXPECT_EQ(ConfigText::parse("a=1;junk;=5", &refused).text(), "a=1");
  EXPECT_EQ(refused, (std::vector<std::string>{"junk", "=5"}));
}

TEST(ConfigText, inner_values_win_when_joined) {
  ConfigText outer = ConfigText::parse("a=1;b=2");
  outer.join(ConfigText::parse("b=3;c=4"));
  EXPECT_EQ(outer.text(), "a=1;b=3;c=4");
}

TEST(ConfigText, masks_secret_keys) {
  EXPECT_EQ(ConfigText::parse("accesskey=A;secretkey=S;password=").masked_text(),
            "accesskey=A;secretkey=REDACTED;password=");
}

}  // namespace
}  // namespace loadline::dialects::cosbench
