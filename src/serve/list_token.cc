#include "serve/list_token.h"

#include <charconv>
#include <cstdint>
#include <span>

#include "aws/digest.h"

namespace loadline::serve {

std::string encode_list_token(std::string_view last) {
  return aws::to_hex(std::span(reinterpret_cast<const std::uint8_t*>(last.data()), last.size()));
}

std::optional<std::string> decode_list_token(std::string_view token) {
  if (token.empty() || token.size() % 2 != 0) return std::nullopt;
  std::string last;
  for (std::size_t i = 0; i < token.size(); i += 2) {
    std::uint8_t byte = 0;
    const char* const end = token.data() + i + 2;
    const auto parsed = std::from_chars(token.data() + i, end, byte, 16);
    if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
    last.push_back(static_cast<char>(byte));
  }
  return last;
}

}  // namespace loadline::serve
