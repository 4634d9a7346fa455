#include "dialects/fio/value_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline::dialects::fio {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(SizeText, keeps_the_meaning_of_old_units) {
  const struct {
    const char* text;
    std::uint64_t of_1024;
    std::uint64_t of_1000;
  } k_rows[] = {{"0", 0, 0},
                {"8b", 8, 8},
                {"4k", 4096, 4000},
                {"4K", 4096, 4000},
                {"4kb", 4096, 4000},
                {"4ki", 4096, 4000},
                {"4KiB", 4000, 4096},
                {"2MiB", 2'000'000, 2097152},
                {"1g", 1U << 30U, 1'000'000'000},
                {"0x1000", 4096, 4096},
                {"0x10k", 16384, 16000},
                {"(4k*2)", 8192, 8000},
                {"(1+2*3)", 7, 7},
                {"((1+2)*3-1)", 8, 8},
                {"(2^10)", 1024, 1024},
                {"(7%4)", 3, 3}};
  for (const auto& row : k_rows) {
    const auto binary = parse_number(row.text, {.kb_base = 1024});
    const auto decimal = parse_number(row.text, {.kb_base = 1000});
    ASSERT_TRUE(binary.has_value()) << row.text;
    ASSERT_TRUE(decimal.has_value()) << row.text;
    EXPECT_EQ(*binary, row.of_1024) << row.text;
    EXPECT_EQ(*decimal, row.of_1000) << row.text;
  }
}

TEST(SizeText, warns_that_kib_is_1000_bytes) {
  std::vector<std::string> warnings;
  EXPECT_EQ(parse_number("4KiB", {.warnings = &warnings}), 4000U);
  EXPECT_THAT(warnings, ElementsAre("4KiB = 4000 bytes here (kb_base=1024 swaps the bases); "
                                    "did you mean 4k?"));
}

TEST(SizeText, refuses_junk_and_says_what_is_right) {
  const struct {
    const char* text;
    const char* what;
  } k_rows[] = {{"4q", "'4q' has the unknown unit 'q' (fio would read 4)"},
                {"1.5k", "'1.5k' is not a whole number (fio would read 1)"},
                {"1e3", "'1e3' has the unknown unit 'e3' (fio would read 1)"},
                {"4 k", "has a blank before the unit (fio would read 4); write 4k"},
                {"4kk", "unknown unit 'kk'"},
                {"50%", "a percentage has no meaning here"},
                {"1k*4", "put an expression in parentheses: (1k*4)"},
                {"-4k", "is negative"},
                {"k", "'k' is no number"},
                {"", "is no number"},
                {"99999999999999999999", "too large"},
                {"99999999999999p", "too large"},
                {"(1/0)", "division by zero"},
                {"(4k", "a ')' is missing"},
                {"(2^64)", "an exponent is 0 to 63"},
                {"(4q)", "unknown unit 'q'"}};
  for (const auto& row : k_rows) {
    const auto value = parse_number(row.text, {});
    ASSERT_FALSE(value.has_value()) << row.text;
    EXPECT_THAT(value.error().what, HasSubstr(row.what)) << row.text;
  }
}

TEST(SizeText, reads_percent_and_zones) {
  EXPECT_EQ(parse_size("20%", {}), (Size{Size::Unit::percent, 20}));
  EXPECT_EQ(parse_size("3z", {}), (Size{Size::Unit::zones, 3}));
  EXPECT_EQ(parse_size("1m", {}), (Size{Size::Unit::bytes, 1048576}));
  EXPECT_FALSE(parse_size("101%", {}).has_value());
  EXPECT_FALSE(parse_size("1.5%", {}).has_value());
  EXPECT_FALSE(parse_size("", {}).has_value());
}

TEST(TimeText, reads_units_in_any_case) {
  EXPECT_EQ(parse_time("10", TimeUnit::seconds), Duration::seconds(10));
  EXPECT_EQ(parse_time("10", TimeUnit::microseconds), Duration::microseconds(10));
  EXPECT_EQ(parse_time("10", TimeUnit::milliseconds), Duration::milliseconds(10));
  EXPECT_EQ(parse_time("5us", TimeUnit::seconds), Duration::microseconds(5));
  EXPECT_EQ(parse_time("5MSEC", TimeUnit::seconds), Duration::milliseconds(5));
  EXPECT_EQ(parse_time("1M", TimeUnit::seconds), Duration::seconds(60));
  EXPECT_EQ(parse_time("2h", TimeUnit::seconds), Duration::seconds(7200));
  EXPECT_EQ(parse_time("1d", TimeUnit::seconds), Duration::seconds(86400));
}

TEST(TimeText, refuses_what_fio_reads_as_microseconds) {
  const struct {
    const char* text;
    const char* what;
  } k_rows[] = {{"1sec", "(fio would read 1 us); write 1s"},
                {"1min", "(fio would read 1 us); write 1m"},
                {"10x", "has the unknown unit 'x' (fio would read 10 us)"},
                {"1.5", "is not a whole number"},
                {"10m30s", "has the unknown unit 'm30s'"},
                {"-5", "cannot be negative"},
                {"99999999999d", "too long"}};
  for (const auto& row : k_rows) {
    const auto value = parse_time(row.text, TimeUnit::seconds);
    ASSERT_FALSE(value.has_value()) << row.text;
    EXPECT_THAT(value.error().what, HasSubstr(row.what)) << row.text;
  }
}

TEST(FlagText, takes_0_and_1_alone) {
  EXPECT_EQ(parse_flag("1"), true);
  EXPECT_EQ(parse_flag("0x0"), false);
  EXPECT_EQ(parse_flag("2").error().what, "max value out of range: 2 (1 max)");
  EXPECT_FALSE(parse_flag("true").has_value());
  EXPECT_FALSE(parse_flag("1k").has_value());
}

TEST(DirectionText, fills_in_as_fio_does) {
  const struct {
    const char* text;
    PerDirection<std::string_view> parts;
  } k_rows[] = {{"4k", {"4k", "4k", "4k"}},    {"4k,8k", {"4k", "8k", "8k"}},
                {",8k", {"", "8k", "8k"}},     {"8k,", {"8k", "", ""}},
                {"4k,8k,", {"4k", "8k", ""}},  {"4k,,16k", {"4k", "", "16k"}},
                {"4k-8k", {"4k", "8k", "8k"}}, {"4k:8k", {"4k", "8k", "8k"}}};
  for (const auto& row : k_rows) {
    EXPECT_EQ(split_directions(row.text, true, {}), row.parts) << row.text;
  }
  EXPECT_FALSE(split_directions("1,2,3,4", true, {}).has_value());
  EXPECT_FALSE(split_directions("", true, {}).has_value());
}

TEST(DirectionText, warns_of_the_range_that_is_none) {
  std::vector<std::string> warnings;
  ASSERT_TRUE(split_directions("4k-8k", true, {.warnings = &warnings}).has_value());
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("sets 4k for reads and 8k for writes")));
  warnings.clear();
  ASSERT_TRUE(split_directions("(8k-4k)", true, {.warnings = &warnings}).has_value());
  EXPECT_THAT(warnings, IsEmpty());
}

TEST(RangeText, swaps_reversed_ends) {
  const auto range = parse_byte_range("8k-4k", {});
  ASSERT_TRUE(range.has_value());
  EXPECT_EQ(*range, (ByteRange{Bytes(4096), Bytes(8192)}));
  EXPECT_EQ(parse_byte_range("4k:8k", {}), (ByteRange{Bytes(4096), Bytes(8192)}));
  EXPECT_EQ(parse_byte_range("4k", {}), (ByteRange{Bytes(4096), Bytes(4096)}));
  EXPECT_EQ(parse_time_range("1-3", TimeUnit::seconds),
            (DurationRange{Duration::seconds(1), Duration::seconds(3)}));
}

TEST(ListText, reads_decimals_and_indices) {
  EXPECT_THAT(*parse_decimals("50:99.9", 20), ElementsAre(50, 99.9));
  EXPECT_THAT(parse_decimals("50,99", 20).error().what, HasSubstr("separate the numbers by ':'"));
  EXPECT_FALSE(parse_decimals("1:2:3", 2).has_value());
  EXPECT_FALSE(parse_decimals("nan", 2).has_value());
  EXPECT_THAT(*parse_index_list("2-4,0,3", 7, "CPU"), ElementsAre(0, 2, 3, 4));
  EXPECT_EQ(parse_index_list("0,9", 7, "CPU").error().what, "CPU 9 too large (max=7)");
  EXPECT_FALSE(parse_index_list("3-1", 7, "CPU").has_value());
  EXPECT_FALSE(parse_index_list("1x", 7, "CPU").has_value());
}

}  // namespace
}  // namespace loadline::dialects::fio
