#include "serve/etag.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/rng.h"

namespace loadline::serve {

namespace {

// The 16 bytes of 32 hexadecimal digits; empty where it is anything else.
std::string digest_bytes(std::string_view hex) {
  const auto value = [](char c) -> int {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
  };
  std::string bytes;
  if (hex.size() != 32) return bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = value(hex[i]);
    const int low = value(hex[i + 1]);
    if (high < 0 || low < 0) return {};
    bytes.push_back(static_cast<char>(high * 16 + low));
  }
  return bytes;
}

}  // namespace

std::string md5_etag(const aws::Md5Digest& digest) {
  return fmt::format("\"{}\"", aws::to_hex(digest));
}

std::string fast_etag(std::uint64_t seed, std::uint64_t number) {
  Rng rng = Rng::split(seed, number);
  return fmt::format("\"{:016x}{:016x}-1\"", rng.next(), number);
}

std::string multipart_etag(std::span<const NamedPart> parts) {
  aws::Md5 md5;
  for (const NamedPart& part : parts) {
    std::string text = part.etag;
    std::erase(text, '"');
    const std::string bytes = digest_bytes(text);
    md5.update(bytes.empty() ? std::string_view(text) : std::string_view(bytes));
  }
  return fmt::format("\"{}-{}\"", aws::to_hex(md5.finish()), parts.size());
}

}  // namespace loadline::serve
