#include "target/masking.h"

#include <algorithm>

#include "base/secret.h"
#include "target/parameters.h"

namespace loadline::target {
namespace {

constexpr std::string_view k_word =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
constexpr std::string_view k_between = "=: \t";  // key and value

// Where a key ends whose first word ends at `end`: fs.s3a.secret.key=VALUE is one key.
std::size_t dotted_end(std::string_view text, std::size_t end) {
  std::size_t at = end;
  while (at < text.size() && text[at] == '.') {
    at = std::min(text.find_first_not_of(k_word, at + 1), text.size());
  }
  return at < text.size() && text[at] == '=' ? at : end;
}

// Where the value of the first key that looks like a secret begins, or the text's end.
std::size_t secret_begins(std::string_view text) {
  std::size_t at = 0;
  while ((at = text.find_first_of(k_word, at)) != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_not_of(k_word, at), text.size());
    const std::size_t key_end = dotted_end(text, end);
    const std::size_t value = std::min(text.find_first_not_of(k_between, key_end), text.size());
    if (value > key_end && is_secret_key(text.substr(at, key_end - at))) return value;
    at = end;
  }
  return text.size();
}

std::vector<TextRange> user_infos(std::string_view text) {
  constexpr std::string_view k_slashes = "://";
  std::vector<TextRange> ranges;
  for (std::size_t at = text.find(k_slashes); at != std::string_view::npos;
       at = text.find(k_slashes, at)) {
    at += k_slashes.size();
    const std::size_t end = std::min(text.find_first_of(" \t\r\n;,\"'<>", at), text.size());
    // A password that should have been encoded may hold slashes and at signs.
    const std::size_t sign = text.substr(0, end).rfind('@');
    if (sign != std::string_view::npos && sign > at) ranges.push_back({at, sign});
    at = end;
  }
  return ranges;
}

std::string masked(std::string_view text, const std::vector<TextRange>& ranges) {
  std::string shown;
  std::size_t at = 0;
  for (const TextRange& range : ranges) {
    shown.append(text.substr(at, range.begin - at)).append(Secret::k_mask);
    at = range.end;
  }
  return shown.append(text.substr(at));
}

}  // namespace

std::vector<TextRange> secret_ranges(std::string_view text) {
  const std::size_t secret = secret_begins(text);
  std::vector<TextRange> ranges = user_infos(text.substr(0, secret));
  if (secret < text.size()) ranges.push_back({secret, text.size()});
  return ranges;
}

std::string masked(std::string_view text) { return masked(text, secret_ranges(text)); }

std::string masked_value(std::string_view key, std::string_view value) {
  if (!value.empty() && is_secret_key(key)) return std::string(Secret::k_mask);
  return masked(value, user_infos(value));
}

}  // namespace loadline::target
