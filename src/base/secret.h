// A text that must not be seen: a key, a password, a token. It cannot be printed, formatted or
// compared by accident; reveal() is the one way to it, and easy to search for.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace loadline {

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string text) : text_(std::move(text)) {}

  std::string_view reveal() const { return text_; }
  bool empty() const { return text_.empty(); }
  bool operator==(const Secret&) const = default;

  // What stands in its place in every log, result and page.
  static constexpr std::string_view k_mask = "REDACTED";

 private:
  std::string text_;
};

}  // namespace loadline
