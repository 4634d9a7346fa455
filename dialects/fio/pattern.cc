#include "dialects/fio/pattern.h"

#include <fmt/format.h>

#include <charconv>

namespace loadline::dialects::fio {
namespace {

using std::string_view;

constexpr std::size_t k_pattern_max = 64U << 10U;

std::unexpected<Error> bad(std::string what) { return fail(ErrorCode::bad_input, std::move(what)); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

class PatternReader {
 public:
  PatternReader(string_view text, PatternOffsets offsets, const Surroundings& world)
      : rest_(text), offsets_(offsets), world_(world) {}

  Result<Pattern> whole() {
    while (!rest_.empty()) {
      const auto piece = next();
      if (!piece) return std::unexpected(piece.error());
      if (out_.bytes.size() > k_pattern_max) return bad("a pattern is at most 64 KiB");
    }
    if (out_.bytes.empty()) return bad("the pattern is empty");
    return out_;
  }

 private:
  Result<void> next() {
    const char c = rest_.front();
    if (c == '"' || c == '\'') return quoted(c);
    if (rest_.starts_with("%o")) return offset();
    if (rest_.starts_with("0x") || rest_.starts_with("0X")) return hex();
    if (is_digit(c) || c == '-') return decimal();
    return bad(fmt::format("'{}': a pattern is made of \"text\", 0x12ab, 123, 'file'{}", rest_,
                           offsets_ == PatternOffsets::allowed ? " and %o" : ""));
  }

  Result<void> quoted(char quote) {
    const std::size_t end = rest_.find(quote, 1);
    if (end == rest_.npos) return bad(fmt::format("{}: the closing quote is missing", rest_));
    const std::string inside(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    if (quote == '"') {
      out_.bytes += inside;
      return {};
    }
    const auto content = world_.read_file(inside);
    if (!content) return std::unexpected(content.error());
    out_.bytes += content->substr(0, k_pattern_max + 1);
    return {};
  }

  Result<void> offset() {
    if (offsets_ == PatternOffsets::refused) return bad("%o has no meaning in this pattern");
    rest_.remove_prefix(2);
    out_.offsets.push_back(out_.bytes.size());
    out_.bytes.append(8, '\0');
    return {};
  }

  Result<void> hex() {
    rest_.remove_prefix(2);
    std::size_t digits = 0;
    while (digits < rest_.size() && hex_value(rest_[digits]) >= 0) ++digits;
    if (digits == 0) return bad("0x without digits");
    std::size_t at = 0;
    if (digits % 2 == 1) out_.bytes += static_cast<char>(hex_value(rest_[at++]));
    for (; at < digits; at += 2) {
      out_.bytes += static_cast<char>(hex_value(rest_[at]) * 16 + hex_value(rest_[at + 1]));
    }
    rest_.remove_prefix(digits);
    return {};
  }

  Result<void> decimal() {
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (problem != std::errc() || number > UINT32_MAX || number < INT32_MIN) {
      return bad(fmt::format("'{}' is no 32-bit number; write longer ones as 0x...", rest_));
    }
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    auto bits = static_cast<std::uint32_t>(number);
    do {
      out_.bytes += static_cast<char>(bits & 0xffU);
      bits >>= 8U;
    } while (bits != 0);
    return {};
  }

  string_view rest_;
  PatternOffsets offsets_;
  const Surroundings& world_;
  Pattern out_;
};

}  // namespace

Result<Pattern> parse_pattern(string_view text, PatternOffsets offsets, const Surroundings& world) {
  return PatternReader(text, offsets, world).whole();
}

}  // namespace loadline::dialects::fio
