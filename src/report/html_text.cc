#include "report/html_text.h"

#include <fmt/format.h>

#include "report/figures.h"
#include "report/utf8.h"

namespace loadline::report {
namespace {

constexpr std::string_view k_replacement = "\xef\xbf\xbd";

std::string_view reference_of(char32_t code) {
  switch (code) {
    case U'&': return "&amp;";
    case U'<': return "&lt;";
    case U'>': return "&gt;";
    case U'"': return "&quot;";
    case U'\'': return "&#39;";
    default: return {};
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character next = first_character(text);
    if (!next.valid) {
      out += k_replacement;
    } else if (const std::string_view reference = reference_of(next.code); !reference.empty()) {
      out += reference;
    } else if (!next.control() || next.code == U'\n' || next.code == U'\t') {
      out += text.substr(0, next.bytes);
    }
    text.remove_prefix(next.bytes);
  }
  return out;
}

std::string json_in_script(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

std::string milliseconds_text(Duration d) {
  const double ms = d.as_milliseconds();
  if (d.ns() == 0) return "0";
  if (ms < 0.00995) return fmt::format("{:.5f}", ms);
  if (ms < 0.0995) return fmt::format("{:.4f}", ms);
  if (ms < 0.9995) return fmt::format("{:.3f}", ms);
  if (ms < 9.995) return fmt::format("{:.2f}", ms);
  if (ms < 99.95) return fmt::format("{:.1f}", ms);
  return fmt::format("{:.0f}", ms);
}

std::string count_html(std::uint64_t n) { return grouped(n, "\xe2\x80\xaf"); }

}  // namespace loadline::report
