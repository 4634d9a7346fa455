// The head of an HTTP/1.1 request: request line and header fields (RFC 9112). Strict where leniency
// has made holes elsewhere: no folded lines, no space before a colon, CRLF only, never both
// Content-Length and Transfer-Encoding.
//
// Threads: pure functions on borrowed bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "aws/signer.h"
#include "base/units.h"

namespace loadline::serve {

inline constexpr std::size_t k_head_most = 32 * 1024;  // bytes; above: 431
inline constexpr std::size_t k_headers_most = 100;

// All views point into the parsed bytes.
struct HttpHead {
  std::string_view method;
  std::string_view raw_path;   // still encoded, from the first /
  std::string_view raw_query;  // without the ?
  std::string_view host;       // without the port; empty where there is none
  std::optional<Bytes> content_length;
  bool chunked = false;
  bool keep_alive = true;
  bool http_1_0 = false;
  bool expect_continue = false;

  std::span<const aws::Header> headers() const { return {header_array.data(), header_count}; }
  // The first value of a field, trimmed; `name` in lower case. Empty where there is none.
  std::string_view header(std::string_view name) const;
  bool has(std::string_view name) const;

  std::array<aws::Header, k_headers_most> header_array;
  std::size_t header_count = 0;
};

struct HeadResult {
  enum class State : std::uint8_t { complete, incomplete, bad };
  State state = State::incomplete;
  std::size_t used = 0;        // complete: bytes of the head, with the empty line
  int status = 0;              // bad: what to answer
  std::string_view complaint;  // bad: one sentence
};

// Parses the head at the front of `bytes` into `head`, whose fields are meaningful when complete.
HeadResult parse_head(std::string_view bytes, HttpHead& head);

// Whether two texts are equal but for the case of ASCII letters; `lower` is in lower case.
bool equal_ignoring_case(std::string_view text, std::string_view lower);
// Digits only, no sign, fits 64 bits.
std::optional<std::uint64_t> parse_decimal(std::string_view text);

}  // namespace loadline::serve
