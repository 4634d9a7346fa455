#include "dialects/fio/output/json_text.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "base/check.h"

namespace loadline::dialects::fio::output {

void JsonText::integer(std::string_view key, std::uint64_t value) {
  item(key);
  fmt::format_to(std::back_inserter(out_), "{}", value);
}

void JsonText::real(std::string_view key, double value) {
  item(key);
  // JSON has no other numbers.
  fmt::format_to(std::back_inserter(out_), "{:.6f}", std::isfinite(value) ? value : 0.0);
}

void JsonText::text(std::string_view key, std::string_view value) {
  item(key);
  quoted(value);
}

std::string JsonText::take() {
  CHECK(depth_ == 0);
  out_ += '\n';
  return std::move(out_);
}

void JsonText::open(std::string_view key, char bracket) {
  if (depth_ > 0) item(key);
  out_ += bracket;
  ++depth_;
  first_ = true;
}

void JsonText::close(char bracket) {
  --depth_;
  out_ += '\n';
  out_.append(2 * depth_, ' ');
  out_ += bracket;
  first_ = false;
}

void JsonText::item(std::string_view key) {
  out_ += first_ ? "\n" : ",\n";
  first_ = false;
  out_.append(2 * depth_, ' ');
  if (key.empty()) return;
  quoted(key);
  out_ += " : ";
}

void JsonText::quoted(std::string_view text) {
  out_ += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(out_), "\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out_ += c;
    }
  }
  out_ += '"';
}

}  // namespace loadline::dialects::fio::output
