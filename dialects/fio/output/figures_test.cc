#include "dialects/fio/output/figures.h"

#include <gtest/gtest.h>

namespace loadline::dialects::fio::output {
namespace {

std::string binary(std::uint64_t value, unsigned digits = 4) {
  return short_number(value, {.digits = digits, .binary = true, .unit = Unit::byte});
}

// What fio 3.33 prints.
TEST(Figures, are_as_long_as_asked_for) {
  EXPECT_EQ(short_number(9056, {}), "9056");
  EXPECT_EQ(short_number(4'517'800, {.digits = 6}), "4517.8k");
  EXPECT_EQ(short_number(518'123, {}), "518k");
  EXPECT_EQ(short_number(76'800, {}), "76.8k");
  EXPECT_EQ(short_number(1'600'000, {}), "1600k");
  EXPECT_EQ(binary(4096), "4096B");
  EXPECT_EQ(binary(16384), "16.0KiB");
  EXPECT_EQ(binary(65536), "64.0KiB");
  EXPECT_EQ(binary(4U << 20U), "4096KiB");
  EXPECT_EQ(binary(32U << 20U), "32.0MiB");
  EXPECT_EQ(short_number(28'939'648, {.unit = Unit::byte_per_second}), "28.9MB/s");
  EXPECT_EQ(short_number(UINT64_MAX, {.unit = Unit::byte}), "18.4EB");
}

TEST(Figures, in_bits_are_eight_times_as_many) {
  EXPECT_EQ(short_number(1000, {.unit = Unit::bit_per_second}), "8000bit/s");
}

// Where fio drops the carry and prints 27.0.
TEST(Figures, round_up_into_the_whole_part) { EXPECT_EQ(short_number(27'999, {}), "28.0k"); }

TEST(Figures, have_the_unit_that_fits_the_line) {
  EXPECT_EQ(unit_for_line(1574, 4'517'800, 37154).name, "nsec");
  EXPECT_EQ(unit_for_line(13000, 28'234'000, 2'175'560).name, "usec");
  EXPECT_EQ(unit_for_line(13'000'000, 280'000'000, 20'000'000).name, "msec");
  EXPECT_EQ(unit_for_line(13'000'000, 280'000'000, 900).name, "nsec");
  EXPECT_EQ(unit_for_percentiles(75'000, 27'919'000).name, "usec");
}

}  // namespace
}  // namespace loadline::dialects::fio::output
