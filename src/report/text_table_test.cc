#include "report/text_table.h"

#include <gtest/gtest.h>

namespace loadline::report {
namespace {

using Align = TextTable::Align;

TEST(DisplayWidth, counts_columns_of_a_terminal) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("read"), 4U);
  EXPECT_EQ(display_width("\xc3\xa9t\xc3\xa9"), 3U);         // two e with accents
  EXPECT_EQ(display_width("\xe8\xaf\xbb\xe5\x8f\x96"), 4U);  // two Chinese characters
  EXPECT_EQ(display_width("e\xcc\x81"), 1U);                 // a combining accent
  EXPECT_EQ(display_width("\xff"), 1U);
}

TEST(Printable, replaces_what_could_move_a_cursor) {
  EXPECT_EQ(printable("a\x1b[2Jb\n"), "a?[2Jb?");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "?31m");  // C1: a one-byte escape sequence
  EXPECT_EQ(printable("\xe2\x80\xae"
                      "abc"),
            "?abc");  // right-to-left override
  EXPECT_EQ(printable("\xe8\xaf\xbb"), "\xe8\xaf\xbb");
  EXPECT_EQ(printable("\xe8\xaf"), "??");       // cut short
  EXPECT_EQ(printable("\xc0\xaf"), "??");       // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "???");  // surrogate
}

TEST(Fitted, cuts_by_columns_not_bytes) {
  EXPECT_EQ(fitted("container", 0), "container");
  EXPECT_EQ(fitted("container", 9), "container");
  EXPECT_EQ(fitted("container", 8), "contai..");
  EXPECT_EQ(fitted("\xe8\xaf\xbb\xe5\x8f\x96\xe8\xaf\xbb", 5), "\xe8\xaf\xbb..");
  EXPECT_EQ(fitted("abc", 1), "a");
}

TEST(Wrapped, breaks_at_blanks_and_keeps_long_words) {
  EXPECT_EQ(wrapped("  one two three", 0, 4), "  one two three");
  EXPECT_EQ(wrapped("  one two three", 9, 4), "  one two\n    three");
  EXPECT_EQ(wrapped("  one two three", 15, 4), "  one two three");
  EXPECT_EQ(wrapped("  one twothreefour five", 9, 4), "  one\n    twothreefour\n    five");
  EXPECT_EQ(wrapped("", 9, 4), "");
}

TEST(TextTable, lines_up_whatever_the_script) {
  TextTable table({{"name", Align::left}, {"n"}});
  table.add({"read", "1"});
  table.add({"\xe8\xaf\xbb\xe5\x8f\x96\xe5\x86\x99", "1234"});
  EXPECT_EQ(table.text(0),
            "name       n\n"
            "read       1\n"
            "\xe8\xaf\xbb\xe5\x8f\x96\xe5\x86\x99  1234\n");
}

TEST(TextTable, drops_columns_in_their_order_when_narrow) {
  TextTable table(
      {{"op", Align::left}, {"mean", Align::right, 2}, {"p50"}, {"p90", Align::right, 1}});
  table.add({"read", "1", "2", "3"});
  EXPECT_EQ(table.text(20), "op    mean  p50  p90\nread     1    2    3\n");
  EXPECT_EQ(table.text(19), "op    mean  p50\nread     1    2\n");
  EXPECT_EQ(table.text(14), "op    p50\nread    2\n");
  EXPECT_EQ(table.text(3), "op    p50\nread    2\n");
}

}  // namespace
}  // namespace loadline::report
