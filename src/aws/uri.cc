#include "aws/uri.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace loadline::aws {
namespace {

constexpr std::string_view k_hex = "0123456789ABCDEF";

constexpr std::array<bool, 256> make_plain(bool slash) {
  std::array<bool, 256> plain{};
  for (unsigned c = 0; c < 256; ++c) {
    plain[c] = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '.' || c == '_' || c == '~' || (slash && c == '/');
  }
  return plain;
}

constexpr std::array<bool, 256> k_plain_in_path = make_plain(true);
constexpr std::array<bool, 256> k_plain_in_component = make_plain(false);

void append_encoded(std::string& out, std::string_view text, const std::array<bool, 256>& plain) {
  std::size_t from = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (plain[c]) continue;
    out.append(text, from, i - from);
    const char escape[3] = {'%', k_hex[c >> 4], k_hex[c & 15]};
    out.append(escape, 3);
    from = i + 1;
  }
  out.append(text, from, text.size() - from);
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decode(std::string_view encoded, bool plus_is_space) {
  std::string out;
  out.reserve(encoded.size());
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    const char c = encoded[i];
    if (c == '%') {
      if (encoded.size() - i < 3) return std::nullopt;
      const int high = hex_value(encoded[i + 1]);
      const int low = hex_value(encoded[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      out.push_back(static_cast<char>(high * 16 + low));
      i += 2;
    } else {
      out.push_back(plus_is_space && c == '+' ? ' ' : c);
    }
  }
  return out;
}

std::string recode_component(std::string_view raw) {
  const auto decoded = decode_query_component(raw);
  return encode_component(decoded ? std::string_view(*decoded) : raw);
}

}  // namespace

void append_encoded_path(std::string& out, std::string_view path) {
  append_encoded(out, path, k_plain_in_path);
}

void append_encoded_component(std::string& out, std::string_view text) {
  append_encoded(out, text, k_plain_in_component);
}

std::string encode_path(std::string_view path) {
  std::string out;
  append_encoded_path(out, path);
  return out;
}

std::string encode_component(std::string_view text) {
  std::string out;
  append_encoded_component(out, text);
  return out;
}

std::optional<std::string> decode_path(std::string_view encoded) { return decode(encoded, false); }

std::optional<std::string> decode_query_component(std::string_view encoded) {
  return decode(encoded, true);
}

std::string canonical_query(std::string_view raw_query) {
  std::vector<std::pair<std::string, std::string>> pairs;
  while (!raw_query.empty()) {
    const std::size_t end = std::min(raw_query.find('&'), raw_query.size());
    const std::string_view item = raw_query.substr(0, end);
    raw_query.remove_prefix(std::min(end + 1, raw_query.size()));
    if (item.empty()) continue;
    const std::size_t equals = std::min(item.find('='), item.size());
    pairs.emplace_back(recode_component(item.substr(0, equals)),
                       recode_component(item.substr(std::min(equals + 1, item.size()))));
  }
  std::ranges::sort(pairs);
  std::string out;
  for (const auto& [key, value] : pairs) {
    if (!out.empty()) out.push_back('&');
    out.append(key).append("=").append(value);
  }
  return out;
}

}  // namespace loadline::aws
