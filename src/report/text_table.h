// Plain text for terminals: columns that line up whatever script the names are in, and names that
// cannot smuggle control characters into somebody's terminal.
//
// Threads: pure functions and plain values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace loadline::report {

// Columns that `text` takes on a terminal: wide (East Asian) characters take two, combining marks
// none. Escape sequences are not understood.
std::size_t display_width(std::string_view text);

// `text` with control characters and bytes that are no UTF-8 replaced by '?'.
std::string printable(std::string_view text);

// The first columns of `text`, with ".." at the end where something is missing. `width` of 0: all.
std::string fitted(std::string_view text, std::size_t width);

// `text` broken at blanks into lines of at most `width` columns, all but the first indented; a
// longer word stays whole. `width` of 0: as it is.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

class TextTable {
 public:
  enum class Align : unsigned char { left, right };
  struct Column {
    std::string title;
    Align align = Align::right;
    // Where the table is too wide, columns go in rising order of this; 0 stays.
    unsigned drop = 0;
  };
  explicit TextTable(std::vector<Column> columns);

  // One cell a column.
  void add(std::vector<std::string> cells);
  // The table, each line ending in '\n' and no blanks before it. `width` of 0 has no limit.
  std::string text(std::size_t width) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace loadline::report
