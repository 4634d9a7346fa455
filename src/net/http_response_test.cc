#include "net/http_response.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace loadline::net {
namespace {

using Event = HttpResponseParser::Event;

struct Parsed {
  Event last = Event::need_more;
  int status = 0;
  bool keep_alive = false;
  std::string body;
  std::string etag;
  std::string problem;
  std::size_t used = 0;
};

// Feeds `text` in pieces of `piece` bytes; `closed` then ends the connection.
Parsed parse(std::string_view text, std::size_t piece, bool to_head = false, bool closed = false) {
  HttpResponseParser parser;
  parser.start(to_head);
  Parsed parsed;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    // Copied to its own memory, so that a sanitizer sees views that outlive their piece.
    const std::string part(text.substr(at, piece));
    auto input = std::as_bytes(std::span(part));
    for (;;) {
      const auto step = parser.feed(input);
      input = input.subspan(step.used);
      parsed.used += step.used;
      parsed.last = step.event;
      parsed.body.append(reinterpret_cast<const char*>(step.body.data()), step.body.size());
      if (step.event == Event::head) {
        parsed.status = parser.head().status;
        parsed.keep_alive = parser.head().keep_alive;
        parsed.etag = parser.head().find("etag");
      }
      if (step.event != Event::head && step.event != Event::body) break;
    }
    if (parsed.last == Event::end || parsed.last == Event::bad) break;
  }
  if (closed && parsed.last == Event::need_more) parsed.last = parser.finish();
  parsed.problem = parser.problem();
  return parsed;
}

class Pieces : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(HttpResponse, Pieces, testing::Values(1, 2, 3, 7, 64, 100'000));

TEST_P(Pieces, reads_a_body_of_known_length) {
  const Parsed p =
      parse("HTTP/1.1 200 OK\r\nETag:  \"abc\" \r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 404",
            GetParam());
  EXPECT_EQ(p.last, Event::end);
  EXPECT_EQ(p.status, 200);
  EXPECT_EQ(p.body, "hello");
  EXPECT_EQ(p.etag, "\"abc\"");
  EXPECT_TRUE(p.keep_alive);
  EXPECT_EQ(p.used, 58U);
}

TEST_P(Pieces, reads_a_chunked_body_with_extensions_and_trailers) {
  const Parsed p = parse(
      "HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n"
      "5;name=value\r\nhello\r\n00006\r\n world\r\n0\r\nX-Sum: 1\r\n\r\nnext",
      GetParam());
  EXPECT_EQ(p.last, Event::end);
  EXPECT_EQ(p.body, "hello world");
  EXPECT_TRUE(p.keep_alive);
}

TEST_P(Pieces, reads_a_body_that_ends_with_the_connection) {
  const std::string_view text = "HTTP/1.1 200 OK\r\nServer: x\r\n\r\nuntil the end";
  const Parsed p = parse(text, GetParam(), false, true);
  EXPECT_EQ(p.last, Event::end);
  EXPECT_EQ(p.body, "until the end");
  EXPECT_FALSE(p.keep_alive);
}

TEST_P(Pieces, skips_interim_answers) {
  const Parsed p = parse(
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\nX: y\r\n\r\n"
      "HTTP/1.1 204 No Content\r\n\r\n",
      GetParam());
  EXPECT_EQ(p.last, Event::end);
  EXPECT_EQ(p.status, 204);
}

TEST_P(Pieces, knows_the_answers_without_a_body) {
  EXPECT_EQ(parse("HTTP/1.1 200 OK\r\nContent-Length: 77\r\n\r\n", GetParam(), true).last,
            Event::end);
  EXPECT_EQ(parse("HTTP/1.1 304 x\r\nContent-Length: 77\r\n\r\n", GetParam()).last, Event::end);
  EXPECT_EQ(parse("HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n", GetParam()).last, Event::end);
  EXPECT_EQ(parse("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", GetParam()).last, Event::end);
}

TEST_P(Pieces, refuses_what_is_not_a_response) {
  for (const std::string_view bad : {
           "HTTP/2 200 OK\r\n\r\n",
           "HTTP/1.2 200 OK\r\n\r\n",
           "HTTP/1.1 20 OK\r\n\r\n",
           "HTTP/1.1 099 OK\r\n\r\n",
           "HTTP/1.1 2000 OK\r\n\r\n",
           "garbage\r\n\r\n",
           "HTTP/1.1 200 OK\r\n folded: x\r\n\r\n",
           "HTTP/1.1 200 OK\r\nA: b\r\n\tc\r\n\r\n",
           "HTTP/1.1 200 OK\r\nA : b\r\n\r\n",
           "HTTP/1.1 200 OK\r\n: b\r\n\r\n",
           "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
           "HTTP/1.1 200 OK\r\nA: b\nC: d\r\n\r\n",
           "HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 5x\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
           "HTTP/1.1 101 Switching\r\n\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n11111111111111111\r\n",
       }) {
    const Parsed p = parse(bad, GetParam());
    EXPECT_EQ(p.last, Event::bad) << bad;
    EXPECT_FALSE(p.problem.empty()) << bad;
  }
}

TEST(HttpResponse, bounds_head_chunk_lines_and_interims) {
  const std::string head = "HTTP/1.1 200 OK\r\nX: " + std::string(k_response_head_max, 'x');
  EXPECT_EQ(parse(head, 1000).last, Event::bad);
  EXPECT_EQ(parse(head + "\r\n\r\n", 1U << 20).last, Event::bad);
  const std::string line = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;" +
                           std::string(k_chunk_line_max, 'x');
  EXPECT_EQ(parse(line, 1000).last, Event::bad);
  std::string interims;
  for (int i = 0; i < 100; ++i) interims += "HTTP/1.1 100 Continue\r\n\r\n";
  EXPECT_EQ(parse(interims, 50).last, Event::bad);
}

TEST(HttpResponse, says_what_was_cut_off) {
  EXPECT_EQ(parse("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", 100, false, true).last,
            Event::bad);
  EXPECT_EQ(
      parse("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel", 100, false, true).last,
      Event::bad);
  EXPECT_EQ(parse("HTTP/1.1 200", 100, false, true).last, Event::bad);
}

TEST(HttpResponse, decides_about_the_connection) {
  const auto keeps = [](std::string_view head) {
    return parse(std::string(head) + "Content-Length: 0\r\n\r\n", 1000).keep_alive;
  };
  EXPECT_TRUE(keeps("HTTP/1.1 200 OK\r\n"));
  EXPECT_FALSE(keeps("HTTP/1.1 200 OK\r\nConnection: Close\r\n"));
  EXPECT_FALSE(keeps("HTTP/1.1 200 OK\r\nConnection: a, close\r\n"));
  EXPECT_FALSE(keeps("HTTP/1.0 200 OK\r\n"));
  EXPECT_TRUE(keeps("HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\n"));
  EXPECT_FALSE(parse("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n"
                     "1\r\nx\r\n0\r\n\r\n",
                     1000)
                   .keep_alive);
}

TEST(HttpResponse, lets_known_lengths_be_dropped_unseen) {
  HttpResponseParser parser;
  parser.start(false);
  const std::string_view head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n";
  EXPECT_EQ(parser.feed(std::as_bytes(std::span(head))).event, Event::head);
  EXPECT_EQ(parser.droppable(), 100U);
  EXPECT_FALSE(parser.dropped(99));
  EXPECT_EQ(parser.droppable(), 1U);
  EXPECT_TRUE(parser.dropped(1));
  EXPECT_EQ(parser.feed({}).event, Event::end);
}

}  // namespace
}  // namespace loadline::net
