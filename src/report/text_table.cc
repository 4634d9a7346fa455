#include "report/text_table.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "report/utf8.h"

namespace loadline::report {
namespace {

// The wide ranges of Unicode Standard Annex 11 (coarse), and combining marks.
std::size_t width_of(char32_t c) {
  if ((c >= 0x300 && c <= 0x36f) || (c >= 0x200b && c <= 0x200f) || (c >= 0xfe00 && c <= 0xfe0f)) {
    return 0;
  }
  const bool wide = (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf) ||
                    (c >= 0xac00 && c <= 0xd7a3) || (c >= 0xf900 && c <= 0xfaff) ||
                    (c >= 0xfe30 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff60) ||
                    (c >= 0xffe0 && c <= 0xffe6) || (c >= 0x1f300 && c <= 0x1faff) ||
                    (c >= 0x20000 && c <= 0x3fffd);
  return wide ? 2 : 1;
}

std::string padded(const std::string& cell, std::size_t width, TextTable::Align align) {
  const std::string blanks(width - std::min(width, display_width(cell)), ' ');
  return align == TextTable::Align::left ? cell + blanks : blanks + cell;
}

constexpr std::size_t k_gap = 2;

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Character next = first_character(text);
    width += next.valid ? width_of(next.code) : 1;
    text.remove_prefix(next.bytes);
  }
  return width;
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Character next = first_character(text);
    if (next.valid && !next.control()) {
      out.append(text.substr(0, next.bytes));
    } else {
      out += '?';
    }
    text.remove_prefix(next.bytes);
  }
  return out;
}

std::string fitted(std::string_view text, std::size_t width) {
  if (width == 0 || display_width(text) <= width) return std::string(text);
  const std::size_t room = width > 2 ? width - 2 : width;
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    const Character next = first_character(text);
    const std::size_t columns = next.valid ? width_of(next.code) : 1;
    if (used + columns > room) break;
    out.append(text.substr(0, next.bytes));
    used += columns;
    text.remove_prefix(next.bytes);
  }
  if (width > 2) out += "..";
  return out;
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  if (width == 0) return std::string(text);
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    // A word with the blanks before it.
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    std::string_view word = text.substr(0, end);
    if (used > indent && used + display_width(word) > width) {
      out += '\n' + std::string(indent, ' ');
      used = indent;
      word.remove_prefix(begin);
    }
    out += word;
    used += display_width(word);
    text.remove_prefix(end);
  }
  return out;
}

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

void TextTable::add(std::vector<std::string> cells) {
  CHECK(cells.size() == columns_.size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::text(std::size_t width) const {
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) widths.push_back(display_width(column.title));
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  std::vector<std::size_t> kept(columns_.size());
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  const auto total = [&] {
    std::size_t sum = 0;
    for (const std::size_t i : kept) sum += widths[i] + k_gap;
    return sum - k_gap;
  };
  while (width != 0 && total() > width) {
    // The lowest rank that may go; no such column: the lines are longer than asked for.
    auto next = kept.end();
    for (auto it = kept.begin(); it != kept.end(); ++it) {
      if (columns_[*it].drop == 0) continue;
      if (next == kept.end() || columns_[*it].drop < columns_[*next].drop) next = it;
    }
    if (next == kept.end()) break;
    kept.erase(next);
  }
  std::string out;
  const auto line = [&](const auto& cell_of) {
    std::string text;
    for (const std::size_t i : kept) {
      if (!text.empty()) text.append(k_gap, ' ');
      text += padded(cell_of(i), widths[i], columns_[i].align);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + '\n';
  };
  line([&](std::size_t i) -> const std::string& { return columns_[i].title; });
  for (const auto& row : rows_) {
    line([&](std::size_t i) -> const std::string& { return row[i]; });
  }
  return out;
}

}  // namespace loadline::report
