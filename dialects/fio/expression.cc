#include "dialects/fio/expression.h"

#include <fmt/format.h>

namespace loadline::dialects::fio {
namespace {

using std::string_view;
using Number = Result<std::int64_t>;
using NumberOf = std::function<Result<std::uint64_t>(string_view)>;

constexpr int k_depth_max = 50;

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.';
}

class Evaluator {
 public:
  Evaluator(string_view text, const NumberOf& number_of) : text_(text), number_of_(number_of) {}

  Number whole() {
    auto value = sum(0);
    if (value && peek() != '\0') return wrong("something follows the expression");
    return value;
  }

 private:
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  Number wrong(string_view why) const {
    return fail(ErrorCode::bad_input, fmt::format("'{}': {}", text_, why));
  }

  Number sum(int depth) {
    auto left = product(depth);
    while (left && (peek() == '+' || peek() == '-')) {
      const char sign = text_[at_++];
      auto right = product(depth);
      if (!right) return right;
      std::int64_t out = 0;
      const bool over = sign == '+' ? __builtin_add_overflow(*left, *right, &out)
                                    : __builtin_sub_overflow(*left, *right, &out);
      if (over) return wrong("the result is too large");
      left = out;
    }
    return left;
  }

  Number product(int depth) {
    auto left = power(depth);
    while (left && (peek() == '*' || peek() == '/' || peek() == '%')) {
      const char sign = text_[at_++];
      auto right = power(depth);
      if (!right) return right;
      if (sign == '*') {
        std::int64_t out = 0;
        if (__builtin_mul_overflow(*left, *right, &out)) return wrong("the result is too large");
        left = out;
        continue;
      }
      if (*right == 0) return wrong("division by zero");
      if (*left == INT64_MIN && *right == -1) return wrong("the result is too large");
      left = sign == '/' ? *left / *right : *left % *right;
    }
    return left;
  }

  Number power(int depth) {
    auto base = unit(depth);
    if (!base || peek() != '^') return base;
    ++at_;
    if (depth >= k_depth_max) return wrong("the expression is nested too deeply");
    auto exponent = power(depth + 1);
    if (!exponent) return exponent;
    if (*exponent < 0 || *exponent > 63) return wrong("an exponent is 0 to 63");
    std::int64_t out = 1;
    for (std::int64_t i = 0; i < *exponent; ++i) {
      if (__builtin_mul_overflow(out, *base, &out)) return wrong("the result is too large");
    }
    return out;
  }

  Number unit(int depth) {
    if (depth >= k_depth_max) return wrong("the expression is nested too deeply");
    if (peek() == '-') {
      ++at_;
      auto value = unit(depth + 1);
      if (!value) return value;
      std::int64_t out = 0;
      if (__builtin_sub_overflow(std::int64_t{0}, *value, &out)) {
        return wrong("the result is too large");
      }
      return out;
    }
    if (peek() == '(') {
      ++at_;
      auto value = sum(depth + 1);
      if (!value) return value;
      if (peek() != ')') return wrong("a ')' is missing");
      ++at_;
      return value;
    }
    const std::size_t start = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    if (start == at_) return wrong("a number is missing");
    const auto value = number_of_(text_.substr(start, at_ - start));
    if (!value) return std::unexpected(value.error());
    if (*value > static_cast<std::uint64_t>(INT64_MAX)) return wrong("a number is too large");
    return static_cast<std::int64_t>(*value);
  }

  string_view text_;
  const NumberOf& number_of_;
  std::size_t at_ = 0;
};

}  // namespace

Result<std::int64_t> evaluate(string_view text, const NumberOf& number_of) {
  return Evaluator(text, number_of).whole();
}

}  // namespace loadline::dialects::fio
