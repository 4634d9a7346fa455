#include "dialects/cosbench/number_format.h"

#include <gtest/gtest.h>

namespace loadline::dialects::cosbench {
namespace {

TEST(NumberFormat, writes_at_most_two_decimals_and_no_zeros_at_the_end) {
  EXPECT_EQ(number(548.33), "548.33");
  EXPECT_EQ(number(18626810.1), "18626810.1");
  EXPECT_EQ(number(2), "2");
  EXPECT_EQ(number(0), "0");
  EXPECT_EQ(number(-0.001), "0");
  EXPECT_EQ(number(100), "100");
  EXPECT_EQ(number(0.276), "0.28");
  EXPECT_EQ(number(40287103821.594), "40287103821.59");
}

TEST(NumberFormat, never_says_all_where_something_is_missing) {
  EXPECT_EQ(success_ratio(21975, 22449), "97.89%");
  EXPECT_EQ(success_ratio(5, 5), "100%");
  EXPECT_EQ(success_ratio(999'999, 1'000'000), "99.99%");
  EXPECT_EQ(success_ratio(99, 100), "99%");
  EXPECT_EQ(success_ratio(0, 5), "N/A");
  EXPECT_EQ(success_ratio(0, 0), "N/A");
  EXPECT_EQ(share(0, 0), "0%");
  EXPECT_EQ(share(21968, 21975), "99.97%");
}

TEST(NumberFormat, writes_means_below_a_millisecond) {
  EXPECT_EQ(mean_ms(280'000 * 3, 3), "0.28");
  EXPECT_EQ(mean_ms(0, 0), "N/A");
  EXPECT_EQ(milliseconds(Duration::microseconds(2010)), "2.01");
  EXPECT_EQ(per_second(100, Duration::seconds(8)), "12.5");
  EXPECT_EQ(per_second(100, Duration()), "0");
}

TEST(NumberFormat, makes_one_cell_of_a_name) { EXPECT_EQ(cell("a,b\nc;d"), "a-b c;d"); }

}  // namespace
}  // namespace loadline::dialects::cosbench
