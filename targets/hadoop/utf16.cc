#include "targets/hadoop/utf16.h"

namespace loadline::targets::hadoop {
namespace {

constexpr std::uint32_t k_unknown = 0xfffd;
constexpr std::uint32_t k_beyond = 0x10000;  // the first letter that takes two units

struct Letter {
  std::uint32_t code = k_unknown;
  std::size_t bytes = 1;
};

Letter letter_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])) : 0U;
  };
  const std::uint32_t first = byte(at);
  if (first < 0x80) return {first, 1};
  std::size_t length = 0;
  std::uint32_t code = 0;
  std::uint32_t least = 0;
  if ((first & 0xe0) == 0xc0) {
    length = 2, code = first & 0x1f, least = 0x80;
  } else if ((first & 0xf0) == 0xe0) {
    length = 3, code = first & 0x0f, least = 0x800;
  } else if ((first & 0xf8) == 0xf0) {
    length = 4, code = first & 0x07, least = k_beyond;
  } else {
    return {};
  }
  for (std::size_t i = 1; i < length; ++i) {
    const std::uint32_t next = byte(at + i);
    if ((next & 0xc0) != 0x80) return {};
    code = (code << 6) | (next & 0x3f);
  }
  const bool half = code >= 0xd800 && code < 0xe000;
  if (code < least || code > 0x10ffff || half) return {};
  return {code, length};
}

void append(std::string& text, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | (code >> 6));
    put(0x80 | (code & 0x3f));
  } else if (code < k_beyond) {
    put(0xe0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3f));
    put(0x80 | ((code >> 6) & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

}  // namespace

std::vector<std::uint16_t> to_utf16(std::string_view text) {
  std::vector<std::uint16_t> units;
  units.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Letter letter = letter_at(text, at);
    at += letter.bytes;
    if (letter.code < k_beyond) {
      units.push_back(static_cast<std::uint16_t>(letter.code));
    } else {
      const std::uint32_t rest = letter.code - k_beyond;
      units.push_back(static_cast<std::uint16_t>(0xd800 + (rest >> 10)));
      units.push_back(static_cast<std::uint16_t>(0xdc00 + (rest & 0x3ff)));
    }
  }
  return units;
}

std::string to_utf8(std::span<const std::uint16_t> units) {
  std::string text;
  text.reserve(units.size());
  for (std::size_t i = 0; i < units.size(); ++i) {
    const std::uint32_t unit = units[i];
    if (unit < 0xd800 || unit >= 0xe000) {
      append(text, unit);
      continue;
    }
    const std::uint32_t next = i + 1 < units.size() ? units[i + 1] : 0;
    if (unit < 0xdc00 && next >= 0xdc00 && next < 0xe000) {
      append(text, k_beyond + ((unit - 0xd800) << 10) + (next - 0xdc00));
      ++i;
    } else {
      append(text, k_unknown);
    }
  }
  return text;
}

}  // namespace loadline::targets::hadoop
