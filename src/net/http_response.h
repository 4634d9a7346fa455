// Takes HTTP/1.1 responses apart (RFC 9112): bytes in, events out, whatever the pieces are. Pure:
// no socket, no clock; a fuzzer feeds it.
//
// Understood: Content-Length, chunked, bodies that end with the connection, interim 1xx answers
// (skipped), answers without a body (to HEAD, 204, 304). Refused: folded header lines, lines that
// do not end in CRLF, malformed names, versions other than 1.0 and 1.1, contradicting lengths,
// unknown transfer codings, heads over k_response_head_max, 101.
//
// Threads: belongs to one. Memory: about a hundred bytes, and the head where it came in pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace loadline::net {

inline constexpr std::size_t k_response_head_max = 64 * 1024;
inline constexpr std::size_t k_chunk_line_max = 4 * 1024;

struct ResponseHead {
  std::uint16_t status = 0;
  bool keep_alive = false;  // the connection may carry another request afterwards
  std::optional<std::uint64_t> content_length;
  std::string_view fields;  // the header lines, each ended by CRLF

  // The first value of a header, trimmed, or "". `name` in lower case.
  std::string_view find(std::string_view name) const;
};

class HttpResponseParser {
 public:
  enum class Event : std::uint8_t {
    need_more,  // all input used
    head,       // head() is valid until the next feed()
    body,       // `body` holds a piece; it points into the input
    end,        // the response is complete; what is left of the input is not part of it
    bad,        // malformed, for good; problem() says how
  };
  struct Step {
    Event event = Event::need_more;
    std::size_t used = 0;  // bytes of the input taken; feed the rest next
    std::span<const std::byte> body = {};
  };

  // Before each response. `to_head`: it answers a HEAD request.
  void start(bool to_head);
  Step feed(std::span<const std::byte> input);
  // The connection has ended in order: end where that ends the body, else bad.
  Event finish();

  // Body bytes that come next and need no look: up to this many may be dropped unseen and told to
  // dropped(); 0 while the framing must be read.
  std::uint64_t droppable() const;
  // The response is complete where this returns true.
  bool dropped(std::uint64_t bytes);

  const ResponseHead& head() const { return head_; }
  bool in_body() const { return state_ >= State::length_body && state_ != State::bad; }
  std::string_view problem() const { return problem_; }

 private:
  enum class State : std::uint8_t {
    head,
    ended,
    bad,
    length_body,
    close_body,
    chunk_size,
    chunk_data,
    chunk_data_end,
    trailer,
  };

  Step feed_head(std::span<const std::byte> input);
  Step feed_line(std::span<const std::byte> input);
  Step feed_counted(std::span<const std::byte> input);
  std::size_t parse_head(std::string_view text);
  void finish_head();
  bool parse_status_line(std::string_view line);
  bool parse_field(std::string_view name, std::string_view value);
  bool end_line();
  void choose_framing();
  bool refuse(std::string_view problem);

  State state_ = State::head;
  bool to_head_ = false;
  bool chunked_ = false;
  bool http_1_0_ = false;
  bool close_asked_ = false;
  bool keep_alive_asked_ = false;
  std::uint8_t interims_ = 0;
  std::uint64_t left_ = 0;  // of the body or chunk; of the trailer's allowance
  std::string kept_;        // a head or line that came in pieces
  std::string_view problem_;
  ResponseHead head_;
};

}  // namespace loadline::net
