#include "targets/hadoop/utf16.h"

#include <gtest/gtest.h>

namespace loadline::targets::hadoop {
namespace {

TEST(Utf16, carries_every_letter_both_ways) {
  for (const std::string_view text :
       {std::string_view(""), std::string_view("plain"), std::string_view("ümlaut"),
        std::string_view("對象"), std::string_view("\xf0\x9f\x93\xa6 box"),
        std::string_view("a\0b", 3)}) {
    EXPECT_EQ(to_utf8(to_utf16(text)), text);
  }
  EXPECT_EQ(to_utf16("\xf0\x9f\x93\xa6"), (std::vector<std::uint16_t>{0xd83d, 0xdce6}));
}

TEST(Utf16, replaces_what_is_no_letter) {
  for (const std::string_view bad : {"\xff", "\xc3", "\xe5\xb0", "\xc0\x80", "\xed\xa0\x80"}) {
    EXPECT_EQ(to_utf16(bad)[0], 0xfffd) << bad;
  }
  EXPECT_EQ(to_utf8(std::vector<std::uint16_t>{0xd83d, 'x'}), "\xef\xbf\xbdx");
}

}  // namespace
}  // namespace loadline::targets::hadoop
