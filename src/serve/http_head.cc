#include "serve/http_head.h"

#include <algorithm>
#include <charconv>

namespace loadline::serve {

namespace {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// RFC 9110, 5.6.2: tchar
constexpr bool is_token_char(char c) {
  if ((c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z')) return true;
  return std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_token_char);
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

HeadResult bad(int status, std::string_view complaint) {
  return {.state = HeadResult::State::bad, .status = status, .complaint = complaint};
}

HeadResult parse_request_line(std::string_view line, HttpHead& head) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return bad(400, "malformed request line");
  head.method = line.substr(0, first);
  std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (!is_token(head.method)) return bad(400, "malformed method");
  if (version == "HTTP/1.0") {
    head.http_1_0 = true;
    head.keep_alive = false;
  } else if (version != "HTTP/1.1") {
    if (version.starts_with("HTTP/")) return bad(505, "only HTTP/1.0 and HTTP/1.1 are spoken");
    return bad(400, "malformed request line");
  }
  for (const char c : target) {
    if (c <= ' ' || c == 0x7f) return bad(400, "control character or space in the request target");
  }
  if (target.starts_with("http://") || target.starts_with("https://")) {  // as to a proxy
    const std::size_t path = target.find('/', target.find("//") + 2);
    if (path == std::string_view::npos) return bad(400, "request target without a path");
    target.remove_prefix(path);
  }
  if (!target.starts_with('/')) return bad(400, "request target does not begin with /");
  const std::size_t query = std::min(target.find('?'), target.size());
  head.raw_path = target.substr(0, query);
  head.raw_query = target.substr(std::min(query + 1, target.size()));
  return {.state = HeadResult::State::complete};
}

HeadResult parse_field(std::string_view line, HttpHead& head) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return bad(400, "header line without a colon");
  const std::string_view name = line.substr(0, colon);
  if (!is_token(name)) return bad(400, "malformed header name");
  const std::string_view value = trimmed(line.substr(colon + 1));
  for (const char c : value) {
    if ((c >= 0 && c < ' ' && c != '\t') || c == 0x7f) {
      return bad(400, "control character in a header value");
    }
  }
  if (head.header_count == k_headers_most) return bad(431, "too many headers");
  head.header_array[head.header_count++] = {name, value};
  return {.state = HeadResult::State::complete};
}

// The fields that say how the message is framed.
HeadResult interpret(HttpHead& head) {
  bool host_seen = false;
  for (const aws::Header& field : head.headers()) {
    if (equal_ignoring_case(field.name, "content-length")) {
      const auto length = parse_decimal(field.value);
      if (!length || (head.content_length && *head.content_length != Bytes(*length))) {
        return bad(400, "malformed Content-Length");
      }
      head.content_length = Bytes(*length);
    } else if (equal_ignoring_case(field.name, "transfer-encoding")) {
      if (!equal_ignoring_case(field.value, "chunked")) {
        return bad(501, "only the transfer encoding chunked is known");
      }
      if (head.chunked) return bad(400, "Transfer-Encoding twice");
      head.chunked = true;
    } else if (equal_ignoring_case(field.name, "connection")) {
      if (equal_ignoring_case(field.value, "close")) head.keep_alive = false;
      if (equal_ignoring_case(field.value, "keep-alive")) head.keep_alive = true;
    } else if (equal_ignoring_case(field.name, "expect")) {
      if (!equal_ignoring_case(field.value, "100-continue")) return bad(417, "unknown Expect");
      head.expect_continue = true;
    } else if (equal_ignoring_case(field.name, "host")) {
      if (host_seen) return bad(400, "Host twice");
      host_seen = true;
      head.host = field.value.substr(0, field.value.find(':', field.value.find(']') + 1));
    }
  }
  if (head.chunked && head.content_length) {
    return bad(400, "both Content-Length and Transfer-Encoding");
  }
  return {.state = HeadResult::State::complete};
}

}  // namespace

bool equal_ignoring_case(std::string_view text, std::string_view lower_text) {
  return std::ranges::equal(text, lower_text, [](char a, char b) { return lower(a) == b; });
}

std::optional<std::uint64_t> parse_decimal(std::string_view text) {
  std::uint64_t value = 0;
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string_view HttpHead::header(std::string_view name) const {
  for (const aws::Header& field : headers()) {
    if (equal_ignoring_case(field.name, name)) return field.value;
  }
  return {};
}

bool HttpHead::has(std::string_view name) const {
  return std::ranges::any_of(headers(), [name](const aws::Header& field) {
    return equal_ignoring_case(field.name, name);
  });
}

HeadResult parse_head(std::string_view bytes, HttpHead& head) {
  // RFC 9112, 2.2: empty lines before a request line are skipped.
  std::size_t skipped = 0;
  while (bytes.substr(skipped).starts_with("\r\n")) skipped += 2;
  const std::string_view rest = bytes.substr(skipped);
  const std::size_t end = rest.find("\r\n\r\n");
  if (std::min(end, rest.size()) + skipped > k_head_most) {
    return bad(431, "the request's head is longer than 32 KiB");
  }
  if (end == std::string_view::npos) {
    // What cannot become a request is refused at once, not when 32 KiB of it have come.
    if (rest.size() > 1 && !is_token_char(rest.front())) return bad(400, "this is no HTTP request");
    return {};
  }
  head.method = head.raw_path = head.raw_query = head.host = {};
  head.content_length.reset();
  head.chunked = head.expect_continue = head.http_1_0 = false;
  head.keep_alive = true;
  head.header_count = 0;
  std::string_view lines = rest.substr(0, end + 2);
  bool first = true;
  while (!lines.empty()) {
    const std::size_t line_end = lines.find("\r\n");
    const std::string_view line = lines.substr(0, line_end);
    lines.remove_prefix(line_end + 2);
    const HeadResult parsed = first ? parse_request_line(line, head) : parse_field(line, head);
    if (parsed.state == HeadResult::State::bad) return parsed;
    first = false;
  }
  HeadResult result = interpret(head);
  result.used = skipped + end + 4;
  return result;
}

}  // namespace loadline::serve
