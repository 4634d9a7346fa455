#include "dialects/cosbench/selector_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace loadline::dialects::cosbench {
namespace {

using plan::Selector;

std::string print(const Selector& selector) {
  if (selector.kind != Selector::Kind::histogram) {
    return fmt::format("{} {}..{}", plan::to_string(selector.kind), selector.lower, selector.upper);
  }
  std::string text = "histogram";
  for (const auto& bucket : selector.buckets) {
    text += fmt::format(" {}..{}*{}", bucket.lower, bucket.upper, bucket.weight);
  }
  return text;
}

std::string selector(std::string_view text) {
  const auto parsed = parse_selector(text);
  if (!parsed) return parsed.error().what;
  return print(parsed->selector) +
         (parsed->ignored.empty() ? "" : " (ignored: " + parsed->ignored + ")");
}

std::string range(std::string_view text) {
  const auto parsed = parse_range(text);
  if (!parsed) return parsed.error().what;
  return parsed->range ? print(*parsed->range) : "nothing";
}

std::string size(std::string_view text) {
  const auto parsed = parse_size(text);
  if (!parsed) return parsed.error().what;
  return fmt::format("{} times {}", print(parsed->value), parsed->unit.count());
}

struct Row {
  const char* text;
  const char* expected;
};

TEST(SelectorText, reads_every_form) {
  const Row rows[] = {
      {"c(0)", "constant 0..0"},
      {"c(5)", "constant 5..5"},
      {"c(5,9)", "constant 5..5 (ignored: the second argument)"},
      {"u(1,100)", "uniform 1..100"},
      {"u(7)", "uniform 7..2147483647"},
      {"r(1,10)", "range 1..10"},
      {"1-10", "range 1..10"},
      {"s(3,3)", "sequence 3..3"},
      {"s(1,3000000000)", "sequence 1..3000000000"},
      {"u(1,4)KB", "uniform 1..4 (ignored: KB)"},
      {"h(1|10|20,11|50|80)", "histogram 1..10*20 11..50*80"},
      {"h(11|50|0.5,1|10|2)", "histogram 1..10*2 11..50*0.5"},
      {"h(5||3)", "histogram 5..2147483647*3"},
      {"h(1|2|0,3|4|1)", "histogram 3..4*1"},
  };
  for (const Row& row : rows) EXPECT_EQ(selector(row.text), row.expected) << row.text;
}

TEST(SelectorText, refuses_in_the_words_of_cosbench) {
  const Row rows[] = {
      {"u(0,5)",
       "illegal uniform distribution pattern: u(0,5); u(a,b) has whole numbers with "
       "1 <= a <= b"},
      {"u(1, 5)",
       "illegal uniform distribution pattern: u(1, 5); no spaces inside the parentheses: "
       "u(a,b) has whole numbers with 1 <= a <= b"},
      {"u(5,1)",
       "illegal uniform distribution pattern: u(5,1); u(a,b) has whole numbers with "
       "1 <= a <= b"},
      {"c(-1)", "illegal constant distribution pattern: c(-1); c(n) has a whole number from 0 up"},
      {"u(1,9223372036854775807)",
       "illegal uniform distribution pattern: u(1,9223372036854775807); numbers go up to "
       "1000000000000000"},
      {"c(", "illegal constant distribution pattern: c(; c(n) has a whole number from 0 up"},
      {"r(1)", "illegal iteration pattern: r(1); r(a,b) has whole numbers with 1 <= a <= b"},
      {"s(0,4)", "illegal iteration pattern: s(0,4); s(a,b) has whole numbers with 1 <= a <= b"},
      {"0-4", "illegal iteration pattern: 0-4; a-b has whole numbers with 1 <= a <= b"},
      {"h(1|2)",
       "illegal histogram distribution pattern: h(1|2); h(1|10|20,11|50|80) is 1..10 with "
       "weight 20 and 11..50 with weight 80, 1||5 has no top"},
      {"h(1|2|0)",
       "illegal histogram distribution pattern: h(1|2|0); at least one weight is above "
       "zero"},
      {"z(10,0.9)",
       "unrecognized distribution: z(10,0.9); there are c(5), u(1,100), r(1,100), "
       "s(1,100) and h(1|10|20,11|50|80)"},
      {"",
       "unrecognized distribution: ; there are c(5), u(1,100), r(1,100), s(1,100) and "
       "h(1|10|20,11|50|80)"},
  };
  for (const Row& row : rows) EXPECT_EQ(selector(row.text), row.expected) << row.text;
  EXPECT_FALSE(parse_selector("c(99999999999999999999)"));
  EXPECT_FALSE(parse_selector("h(1|2|nan)"));
  EXPECT_FALSE(parse_selector("h(1|2|-1)"));
}

TEST(SelectorText, enumerating_works_take_ranges_only) {
  const Row rows[] = {
      {"r(1,32)", "range 1..32"},
      {"5-8", "range 5..8"},
      {"r(0,0)", "nothing"},
      {"0-0", "nothing"},
      {"c(3)", "range 3..3"},
      {"s(2,9)", "range 2..9"},
      {"u(1,4)",
       "unrecognized range expression: u(1,4); this kind of work counts through r(a,b), "
       "s(a,b) or c(n)"},
      {"r(1, 4)",
       "unrecognized range expression: r(1, 4); no spaces inside the parentheses: this "
       "kind of work counts through r(a,b), s(a,b) or c(n)"},
      {"r(0,4)",
       "unrecognized range expression: r(0,4); only r(0,0), which is nothing, begins at "
       "0"},
  };
  for (const Row& row : rows) EXPECT_EQ(range(row.text), row.expected) << row.text;
}

TEST(SelectorText, sizes_count_by_1000_and_ib_units_by_1024) {
  const Row rows[] = {
      {"c(64)KB", "constant 64..64 times 1000"},
      {"c(64) KB", "constant 64..64 times 1000"},
      {"u(4,64)MB", "uniform 4..64 times 1000000"},
      {"c(10)GB", "constant 10..10 times 1000000000"},
      {"c(0)B", "constant 0..0 times 1"},
      {"c(0)MB", "constant 0..0 times 1000000"},
      {"c(64)KiB", "constant 64..64 times 1024"},
      {"c(1)MiB", "constant 1..1 times 1048576"},
      {"c(1)GiB", "constant 1..1 times 1073741824"},
      {"1-5KB", "range 1..5 times 1000"},
      {"r(1,64)MB", "range 1..64 times 1000000"},
      {"h(1|100|604,101|200|80)KB", "histogram 1..100*604 101..200*80 times 1000"},
      {"c(64)Kb",
       "unrecognized size unit: c(64)Kb; write c(64)KB; units are B, KB, MB, GB (by 1000) "
       "and KiB, MiB, GiB (by 1024)"},
      {"c(64)",
       "unrecognized size unit: c(64); write c(64)KB; units are B, KB, MB, GB (by 1000) and "
       "KiB, MiB, GiB (by 1024)"},
      {"64KB",
       "unrecognized size unit: 64KB; write c(64)KB; units are B, KB, MB, GB (by 1000) and "
       "KiB, MiB, GiB (by 1024)"},
      {"u(0,5)KB",
       "illegal uniform distribution pattern: u(0,5)KB; u(a,b) has whole numbers with "
       "1 <= a <= b"},
      {"c(99999999999)GB",
       "illegal size: c(99999999999)GB; the largest size is 9223372036854775807 "
       "bytes"},
  };
  for (const Row& row : rows) EXPECT_EQ(size(row.text), row.expected) << row.text;
  EXPECT_TRUE(parse_size("c(9)GB"));
}

}  // namespace
}  // namespace loadline::dialects::cosbench
