#include "dialects/testdfsio/java_text.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <limits>

namespace loadline::dialects::testdfsio {
namespace {

TEST(JavaText, float_is_shortest_with_a_decimal) {
  EXPECT_EQ(java_text(1.0F), "1.0");
  EXPECT_EQ(java_text(0.0F), "0.0");
  EXPECT_EQ(java_text(2048000.0F), "2048000.0");
  EXPECT_EQ(java_text(76.92308F), "76.92308");
  EXPECT_EQ(java_text(61.234F), "61.234");
  EXPECT_EQ(java_text(-1.5F), "-1.5");
}

TEST(JavaText, exponents_begin_at_ten_million_and_below_a_thousandth) {
  EXPECT_EQ(java_text(1.2288E7F), "1.2288E7");
  EXPECT_EQ(java_text(1.0E7F), "1.0E7");
  EXPECT_EQ(java_text(9999999.0F), "9999999.0");
  EXPECT_EQ(java_text(0.001), "0.001");
  EXPECT_EQ(java_text(0.0123), "0.0123");
  EXPECT_EQ(java_text(0.00012), "1.2E-4");
  EXPECT_EQ(java_text(1e100), "1.0E100");
}

TEST(JavaText, double_keeps_its_digits) {
  EXPECT_EQ(java_text(1000.0 / 13), "76.92307692307692");
  EXPECT_EQ(java_text(static_cast<double>(76.92308F)), "76.92308044433594");
  EXPECT_EQ(java_text(51.2), "51.2");
}

TEST(JavaText, what_is_no_number_has_its_word) {
  EXPECT_EQ(java_text(std::numeric_limits<double>::infinity()), "Infinity");
  EXPECT_EQ(java_text(-std::numeric_limits<float>::infinity()), "-Infinity");
  EXPECT_EQ(java_text(std::numeric_limits<float>::quiet_NaN()), "NaN");
  EXPECT_EQ(two_decimals(std::numeric_limits<double>::infinity()), "∞");
  EXPECT_EQ(two_decimals(std::numeric_limits<double>::quiet_NaN()), "NaN");
}

TEST(JavaText, two_decimals_round_the_exact_value_half_to_even) {
  EXPECT_EQ(two_decimals(0.125), "0.12");
  EXPECT_EQ(two_decimals(0.135), "0.14");
  EXPECT_EQ(two_decimals(0.015), "0.01");
  EXPECT_EQ(two_decimals(2.675), "2.67");
  EXPECT_EQ(two_decimals(0.005), "0.01");
}

TEST(JavaText, two_decimals_drop_zeros_and_group_nothing) {
  EXPECT_EQ(two_decimals(0), "0");
  EXPECT_EQ(two_decimals(145.1), "145.1");
  EXPECT_EQ(two_decimals(12288000), "12288000");
}

class Zone : public ::testing::Test {
 protected:
  ~Zone() override { set("UTC"); }
  static void set(const char* name) {
    setenv("TZ", name, 1);
    tzset();
  }
};

TEST_F(Zone, date_is_english_with_the_letters_of_the_zone) {
  set("CST-8");
  EXPECT_EQ(java_date(WallTime::from_ns(1566910130'000'000'000)), "Tue Aug 27 20:48:50 CST 2019");
  set("UTC");
  EXPECT_EQ(java_date(WallTime::from_ns(0)), "Thu Jan 01 00:00:00 UTC 1970");
}

TEST_F(Zone, zone_without_letters_is_an_offset) {
  set("<+0530>-5:30");
  EXPECT_EQ(java_date(WallTime::from_ns(0)), "Thu Jan 01 05:30:00 GMT+05:30 1970");
}

}  // namespace
}  // namespace loadline::dialects::testdfsio
