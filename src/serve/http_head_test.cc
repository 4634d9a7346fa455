#include "serve/http_head.h"

#include <gtest/gtest.h>

#include <string>

#include "serve/body_framing.h"
#include "serve/byte_range.h"

namespace loadline::serve {
namespace {

HeadResult parse(std::string_view text, HttpHead& head) { return parse_head(text, head); }

TEST(HttpHead, reads_a_request) {
  HttpHead head;
  const std::string text =
      "PUT /b/k%20x?a=1&b HTTP/1.1\r\nHost: localhost:29998\r\nContent-Length:  12 \r\n"
      "x-amz-meta-A:\tv w\t\r\nExpect: 100-continue\r\n\r\nbody";
  const HeadResult result = parse(text, head);
  ASSERT_EQ(result.state, HeadResult::State::complete);
  EXPECT_EQ(text.substr(result.used), "body");
  EXPECT_EQ(head.method, "PUT");
  EXPECT_EQ(head.raw_path, "/b/k%20x");
  EXPECT_EQ(head.raw_query, "a=1&b");
  EXPECT_EQ(head.host, "localhost");
  EXPECT_EQ(head.content_length, Bytes(12));
  EXPECT_EQ(head.header("x-amz-meta-a"), "v w");
  EXPECT_TRUE(head.expect_continue);
  EXPECT_TRUE(head.keep_alive);
  EXPECT_FALSE(head.chunked);
}

TEST(HttpHead, waits_for_the_rest_at_every_byte) {
  const std::string text = "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n";
  HttpHead head;
  for (std::size_t i = 0; i < text.size(); ++i) {
    EXPECT_EQ(parse(text.substr(0, i), head).state, HeadResult::State::incomplete) << i;
  }
  EXPECT_EQ(parse(text, head).state, HeadResult::State::complete);
}

TEST(HttpHead, knows_when_a_connection_ends) {
  HttpHead head;
  parse("GET / HTTP/1.1\r\nConnection: close\r\n\r\n", head);
  EXPECT_FALSE(head.keep_alive);
  parse("GET / HTTP/1.0\r\n\r\n", head);
  EXPECT_FALSE(head.keep_alive);
  parse("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", head);
  EXPECT_TRUE(head.keep_alive);
}

TEST(HttpHead, takes_hosts_and_absolute_targets_apart) {
  HttpHead head;
  parse("GET http://b.localhost:1/k HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", head);
  EXPECT_EQ(head.raw_path, "/k");
  EXPECT_EQ(head.host, "[::1]");
}

TEST(HttpHead, refuses_what_is_malformed) {
  const std::pair<std::string, int> cases[] = {
      {"GET /\r\n\r\n", 400},
      {"GET / HTTP/2.0\r\n\r\n", 505},
      {"G@T / HTTP/1.1\r\n\r\n", 400},
      {"GET nowhere HTTP/1.1\r\n\r\n", 400},
      {"GET /a b HTTP/1.1\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nno colon\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nspace : x\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n folded: x\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nA: x\x01y\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", 501},
      {"GET / HTTP/1.1\r\nExpect: tea\r\n\r\n", 417},
      {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
      {std::string("\x16\x03\x01 TLS", 7), 400},
      {"GET / HTTP/1.1\r\nA: " + std::string(40'000, 'x'), 431},
      {std::string(40'000, 'x'), 431},
  };
  HttpHead head;
  for (const auto& [text, status] : cases) {
    const HeadResult result = parse(text, head);
    EXPECT_EQ(result.state, HeadResult::State::bad) << text.substr(0, 60);
    EXPECT_EQ(result.status, status) << text.substr(0, 60);
  }
  std::string many = "GET / HTTP/1.1\r\n";
  for (int i = 0; i < 101; ++i) many += "a: b\r\n";
  EXPECT_EQ(parse(many + "\r\n", head).status, 431);
}

// All data of a body given in pieces of `piece` bytes, and how it ended.
std::string decode(BodyFraming framing, std::string_view input, std::size_t piece,
                   BodyFraming::Sort& ending, std::string& rest) {
  std::string data;
  ending = BodyFraming::Sort::need_more;
  while (!input.empty()) {
    const std::string_view now = input.substr(0, piece);
    input.remove_prefix(now.size());
    framing.give(std::as_bytes(std::span(now.data(), now.size())));
    while (true) {
      const auto event = framing.next();
      ending = event.sort;
      if (ending == BodyFraming::Sort::need_more) break;
      if (ending == BodyFraming::Sort::data) {
        data.append(reinterpret_cast<const char*>(event.data.data()), event.data.size());
      }
      if (ending == BodyFraming::Sort::bad) return data;
      if (ending == BodyFraming::Sort::end) {
        rest.assign(reinterpret_cast<const char*>(framing.unused().data()),
                    framing.unused().size());
        rest.append(input);
        return data;
      }
    }
  }
  return data;
}

TEST(BodyFraming, finds_the_data_whatever_the_pieces) {
  const std::string http = "5;ext=1\r\nhello\r\n6\r\n world\r\n0\r\nTrailer: x\r\n\r\nGET";
  const std::string aws = "b;chunk-signature=" + std::string(64, 'a') + "\r\nhello world\r\n" +
                          "0;chunk-signature=" + std::string(64, 'b') + "\r\n\r\n";
  std::string both;
  for (const char c : aws) both += std::string("1\r\n") + c + "\r\n";
  both += "0\r\n\r\n";
  for (std::size_t piece = 1; piece < 200; ++piece) {
    BodyFraming::Sort ending{};
    std::string rest;
    EXPECT_EQ(decode({Bytes(11), false, false}, "hello worldGET", piece, ending, rest),
              "hello world");
    EXPECT_EQ(ending, BodyFraming::Sort::end);
    EXPECT_EQ(rest, "GET");
    EXPECT_EQ(decode({std::nullopt, true, false}, http, piece, ending, rest), "hello world");
    EXPECT_EQ(ending, BodyFraming::Sort::end);
    EXPECT_EQ(rest, "GET");
    EXPECT_EQ(decode({Bytes(aws.size()), false, true}, aws + "GET", piece, ending, rest),
              "hello world");
    EXPECT_EQ(ending, BodyFraming::Sort::end);
    EXPECT_EQ(rest, "GET");
    EXPECT_EQ(decode({std::nullopt, true, true}, both, piece, ending, rest), "hello world");
    EXPECT_EQ(ending, BodyFraming::Sort::end);
  }
}

TEST(BodyFraming, refuses_what_does_not_add_up) {
  BodyFraming::Sort ending{};
  std::string rest;
  const std::string aws = "3;chunk-signature=" + std::string(64, 'a') + "\r\nabc\r\n";
  decode({Bytes(aws.size()), false, true}, aws + "x", 10, ending, rest);  // no last chunk
  EXPECT_EQ(ending, BodyFraming::Sort::bad);
  decode({std::nullopt, true, false}, "zz\r\n", 10, ending, rest);
  EXPECT_EQ(ending, BodyFraming::Sort::bad);
  decode({std::nullopt, true, false}, "3\r\nabcd\r\n", 10, ending, rest);
  EXPECT_EQ(ending, BodyFraming::Sort::bad);
  const std::string longer = "0\r\n\r\nmore";
  decode({Bytes(longer.size()), false, true}, longer, 100, ending, rest);
  EXPECT_EQ(ending, BodyFraming::Sort::bad);
}

TEST(ByteRange, follows_the_rfc) {
  const auto expect = [](std::string_view text, std::uint64_t size, RangeState state,
                         std::uint64_t begin, std::uint64_t end) {
    const RangeResult range = parse_range(text, size);
    EXPECT_EQ(range.state, state) << text;
    EXPECT_EQ(range.begin, begin) << text;
    EXPECT_EQ(range.end, end) << text;
  };
  expect("bytes=0-0", 10, RangeState::partial, 0, 1);
  expect("bytes=2-5", 10, RangeState::partial, 2, 6);
  expect("bytes=2-", 10, RangeState::partial, 2, 10);
  expect("bytes=2-99", 10, RangeState::partial, 2, 10);
  expect("bytes=-3", 10, RangeState::partial, 7, 10);
  expect("bytes=-99", 10, RangeState::partial, 0, 10);
  expect("bytes=9-9", 10, RangeState::partial, 9, 10);
  expect("bytes=10-", 10, RangeState::unsatisfiable, 0, 0);
  expect("bytes=-0", 10, RangeState::unsatisfiable, 0, 0);
  expect("bytes=0-0", 0, RangeState::unsatisfiable, 0, 0);
  expect("bytes=5-2", 10, RangeState::whole, 0, 10);
  expect("bytes=1-2,4-5", 10, RangeState::whole, 0, 10);
  expect("bytes=x-", 10, RangeState::whole, 0, 10);
  expect("lines=1-2", 10, RangeState::whole, 0, 10);
  expect("bytes=0-18446744073709551615", 10, RangeState::partial, 0, 10);
}

}  // namespace
}  // namespace loadline::serve
