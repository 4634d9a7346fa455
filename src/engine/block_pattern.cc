#include "engine/block_pattern.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace loadline::engine {
namespace {

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::optional<BlockPattern> BlockPattern::parse(std::string_view text) {
  BlockPattern pattern;
  while (!text.empty()) {
    if (text.starts_with("%o")) {
      pattern.holes_.push_back(pattern.bytes_.size());
      pattern.bytes_.resize(pattern.bytes_.size() + sizeof(std::uint64_t));
    } else {
      if (text.size() < 2 || digit_of(text[0]) < 0 || digit_of(text[1]) < 0) return std::nullopt;
      pattern.bytes_.push_back(static_cast<std::byte>(digit_of(text[0]) * 16 + digit_of(text[1])));
    }
    text.remove_prefix(2);
  }
  if (pattern.bytes_.empty()) pattern.bytes_.push_back(std::byte{0});
  return pattern;
}

void BlockPattern::fill(std::span<std::byte> into, std::uint64_t offset) const {
  if (into.empty()) return;
  // One copy, then what is there is doubled.
  std::size_t filled = std::min(bytes_.size(), into.size());
  std::memcpy(into.data(), bytes_.data(), filled);
  std::array<std::byte, sizeof offset> number{};
  for (std::size_t i = 0; i < number.size(); ++i) {
    number[i] = static_cast<std::byte>(offset >> (8 * i));
  }
  for (const std::size_t hole : holes_) {
    if (hole >= filled) continue;
    std::memcpy(into.data() + hole, number.data(), std::min(number.size(), filled - hole));
  }
  while (filled < into.size()) {
    const std::size_t more = std::min(filled, into.size() - filled);
    std::memcpy(into.data() + filled, into.data(), more);
    filled += more;
  }
}

}  // namespace loadline::engine
