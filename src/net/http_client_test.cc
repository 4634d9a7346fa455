#include "net/http_client.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "base/open_files.h"
#include "net/scripted_server.h"

namespace loadline::net {
namespace {

using Connection = ScriptedServer::Connection;

constexpr Duration k_short = Duration::milliseconds(150);

// Keeps what it is given, for every slot.
class Keeper final : public HttpHandler {
 public:
  std::span<const std::byte> request_body(std::uint32_t, std::uint64_t offset) override {
    // Runs of 1000 bytes, as a small pool would give them.
    const auto bytes = std::as_bytes(std::span(request_)).subspan(offset);
    return bytes.first(std::min<std::size_t>(bytes.size(), 1000 - offset % 1000));
  }
  BodyUse response_head(std::uint32_t slot, const ResponseHead&) override {
    bodies_[slot].clear();
    return use_;
  }
  void response_body(std::uint32_t slot, std::span<const std::byte> bytes) override {
    bodies_[slot].append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }

  BodyUse use_ = BodyUse::consume;
  std::string request_;
  std::map<std::uint32_t, std::string> bodies_;
};

class HttpClientTest : public testing::Test {
 protected:
  void open(std::uint16_t port, HttpClientOptions options = {}) {
    if (options.peers.empty()) {
      options.peers = {{.address = *parse_address("127.0.0.1", port), .name = "http://test"}};
    }
    client_ = std::move(*HttpClient::open(options, clock_, keeper_));
  }

  void start(std::uint32_t slot, std::string_view method = "GET", std::uint64_t body = 0) {
    client_->choose_peer(slot);
    std::string& head = client_->request_head(slot);
    head = std::string(method) + " / HTTP/1.1\r\nHost: test\r\n";
    if (body > 0) head += "Content-Length: " + std::to_string(body) + "\r\n";
    head += "\r\n";
    client_->start(slot, {.body_bytes = body, .to_head = method == "HEAD"});
  }

  // All results until `n` have come.
  std::vector<HttpResult> wait_for(std::size_t n) {
    std::vector<HttpResult> results;
    const Instant limit = clock_.now() + Duration::seconds(20);
    while (results.size() < n && clock_.now() < limit) {
      for (const HttpResult& result : client_->poll(limit)) results.push_back(result);
    }
    EXPECT_EQ(results.size(), n);
    return results;
  }

  HttpResult exchange(std::string_view method = "GET", std::uint64_t body = 0) {
    start(0, method, body);
    const auto results = wait_for(1);
    return results.empty() ? HttpResult{} : results[0];
  }

  SteadyClock clock_;
  Keeper keeper_;
  std::unique_ptr<HttpClient> client_;
};

TEST_F(HttpClientTest, keeps_the_connection_for_the_next_request) {
  ScriptedServer server(
      answering([](Connection& c, const std::string&) { c.answer(200, "hello"); }));
  open(server.port());
  for (int i = 0; i < 5; ++i) {
    const HttpResult result = exchange();
    EXPECT_EQ(result.failure, HttpFailure::none);
    EXPECT_EQ(result.status, 200);
    EXPECT_EQ(result.body_received, 5U);
    EXPECT_EQ(keeper_.bodies_[0], "hello");
    EXPECT_LE(result.first_byte, result.done);
  }
  EXPECT_EQ(server.connections(), 1);
  EXPECT_EQ(client_->reopened(), 0U);
}

TEST_F(HttpClientTest, goes_to_the_peer_that_it_is_told_and_leaves_the_other) {
  ScriptedServer first(answering([](Connection& c, const std::string&) { c.answer(200, "1st"); }));
  ScriptedServer second(answering([](Connection& c, const std::string&) { c.answer(200, "2nd"); }));
  open(first.port());
  exchange();
  const std::size_t peer = client_->add_peer(
      {.address = *parse_address("127.0.0.1", second.port()), .name = "http://second"});
  for (int i = 0; i < 2; ++i) {
    client_->use_peer(0, peer);
    EXPECT_EQ(exchange().failure, HttpFailure::none);
    EXPECT_EQ(keeper_.bodies_[0], "2nd");
  }
  EXPECT_EQ(second.connections(), 1) << "kept";
  client_->use_peer(0, 0);
  exchange();
  EXPECT_EQ(keeper_.bodies_[0], "1st");
  EXPECT_EQ(first.connections(), 2);
}

TEST_F(HttpClientTest, drops_unwanted_bodies_of_every_size_to_the_byte) {
  ScriptedServer server(answering([](Connection& c, const std::string& request) {
    c.answer(200, std::string(std::stoul(request.substr(5)), 'x'));
  }));
  open(server.port());
  keeper_.use_ = BodyUse::discard;
  for (const std::size_t size : {0, 1, 1000, 1023, 1024, 1025, 4096, 30'000, 32'768, 100'000,
                                 65'536, 1'000'000, 10, 5'000'000, 0, 100'000}) {
    client_->choose_peer(0);
    client_->request_head(0) = "GET /" + std::to_string(size) + " HTTP/1.1\r\n\r\n";
    client_->start(0, {});
    const auto results = wait_for(1);
    ASSERT_EQ(results.size(), 1U);
    EXPECT_EQ(results[0].failure, HttpFailure::none) << client_->explain(results[0]);
    EXPECT_EQ(results[0].body_received, size);
    EXPECT_TRUE(results[0].first_byte.stamped());
  }
  EXPECT_EQ(server.connections(), 1);
}

TEST_F(HttpClientTest, reads_chunked_and_closing_answers) {
  ScriptedServer server([](Connection& c) {
    c.read_request();
    c.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
    c.send("6\r\n world\r\n0\r\n\r\n");
    c.read_request();
    c.send("HTTP/1.1 200 OK\r\n\r\nto the end");
  });
  open(server.port());
  EXPECT_EQ(exchange().failure, HttpFailure::none);
  EXPECT_EQ(keeper_.bodies_[0], "hello world");
  keeper_.use_ = BodyUse::discard;
  const HttpResult result = exchange();
  EXPECT_EQ(result.failure, HttpFailure::none);
  EXPECT_EQ(result.body_received, 10U);
  EXPECT_EQ(server.connections(), 1);
}

TEST_F(HttpClientTest, sends_a_large_body_from_small_runs) {
  keeper_.request_.resize(3'000'017);
  for (std::size_t i = 0; i < keeper_.request_.size(); ++i) {
    keeper_.request_[i] = static_cast<char>('a' + i % 23);
  }
  std::string seen;
  ScriptedServer server(answering([&](Connection& c, const std::string& request) {
    seen = request.substr(request.find("\r\n\r\n") + 4);
    c.answer(200, "");
  }));
  open(server.port());
  const HttpResult result = exchange("PUT", keeper_.request_.size());
  EXPECT_EQ(result.failure, HttpFailure::none);
  EXPECT_EQ(result.body_sent, keeper_.request_.size());
  EXPECT_EQ(seen, keeper_.request_);
}

TEST_F(HttpClientTest, stamps_the_first_byte_when_it_comes) {
  ScriptedServer server(answering([](Connection& c, const std::string&) {
    c.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    c.send("ab");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    c.send("cd");
  }));
  open(server.port());
  const Instant begin = clock_.now();
  const HttpResult result = exchange();
  EXPECT_GE(result.first_byte - begin, Duration::milliseconds(90));
  EXPECT_GE(result.done - result.first_byte, Duration::milliseconds(90));
}

TEST_F(HttpClientTest, names_each_failure) {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n";
  struct Case {
    const char* name;
    HttpFailure failure;
    std::function<void(Connection&)> script;
  };
  const std::vector<Case> cases = {
      {"closes at once", HttpFailure::closed, [](Connection& c) { c.read_request(); }},
      {"resets", HttpFailure::reset,
       [](Connection& c) {
         c.read_request();
         c.reset();
       }},
      {"cuts the body short", HttpFailure::short_body,
       [&](Connection& c) {
         c.read_request();
         c.send(head + std::string(40'000, 'x'));
       }},
      {"stalls", HttpFailure::timeout,
       [](Connection& c) {
         c.read_request();
         c.read_request();
       }},
      {"stalls in the body", HttpFailure::timeout,
       [&](Connection& c) {
         c.read_request();
         c.send(head + std::string(40'000, 'x'));
         c.read_request();
       }},
      {"sends garbage", HttpFailure::malformed,
       [](Connection& c) {
         c.read_request();
         c.send("220 smtp.example.com ESMTP\r\n\r\n");
         c.read_request();
       }},
  };
  for (const BodyUse use : {BodyUse::consume, BodyUse::discard}) {
    keeper_.use_ = use;
    for (const Case& c : cases) {
      ScriptedServer server(c.script);
      open(server.port(), {.activity_timeout = k_short});
      const HttpResult result = exchange();
      EXPECT_EQ(result.failure, c.failure) << c.name;
      EXPECT_FALSE(client_->explain(result).empty());
      // The slot works again afterwards.
      ScriptedServer good(answering([](Connection& g, const std::string&) { g.answer(200, ""); }));
      EXPECT_FALSE(client_->is_busy(0));
    }
  }
}

TEST_F(HttpClientTest, reports_a_refused_connection) {
  std::uint16_t port = 0;
  {
    port = ScriptedServer([](Connection&) {}).port();
  }
  open(port);
  const HttpResult result = exchange();
  EXPECT_EQ(result.failure, HttpFailure::connect);
  EXPECT_EQ(result.error_number, ECONNREFUSED);
  EXPECT_NE(client_->explain(result).find("127.0.0.1"), std::string::npos);
}

TEST_F(HttpClientTest, moves_on_to_the_next_address_after_a_refusal) {
  std::uint16_t closed_port = 0;
  {
    closed_port = ScriptedServer([](Connection&) {}).port();
  }
  ScriptedServer server(answering([](Connection& c, const std::string&) { c.answer(200, ""); }));
  open(0, {.peers = {{.address = *parse_address("127.0.0.1", closed_port), .name = "closed"},
                     {.address = *parse_address("127.0.0.1", server.port()), .name = "open"}}});
  EXPECT_EQ(exchange().failure, HttpFailure::connect);
  EXPECT_EQ(client_->choose_peer(0), 1U);
  EXPECT_EQ(exchange().failure, HttpFailure::none);
}

TEST_F(HttpClientTest, reopens_where_the_server_closed_before_the_request_came) {
  std::atomic<int> may_close = 0;
  std::atomic<int> closed = 0;
  ScriptedServer server([&](Connection& c) {
    c.read_request();
    c.answer(200, "x");
    if (c.number() < 2) {
      while (may_close <= c.number()) std::this_thread::yield();
      c.close();
      ++closed;
    }
    c.read_request();
  });
  open(server.port());
  EXPECT_EQ(exchange().failure, HttpFailure::none);
  may_close = 1;
  while (closed < 1) std::this_thread::yield();
  // The close lies unread in the socket: nobody has polled since.
  EXPECT_EQ(exchange().failure, HttpFailure::none);
  EXPECT_EQ(client_->reopened(), 1U);
  may_close = 2;
  while (closed < 2) std::this_thread::yield();
  keeper_.request_.assign(10'000'000, 'x');
  const HttpResult upload = exchange("PUT", keeper_.request_.size());
  EXPECT_EQ(upload.failure, HttpFailure::none) << client_->explain(upload);
  EXPECT_EQ(client_->reopened(), 2U);
  EXPECT_EQ(server.connections(), 3);
}

TEST_F(HttpClientTest, does_not_ask_twice_where_the_server_took_the_request_and_hung_up) {
  ScriptedServer server([](Connection& c) {
    c.read_request();
    c.answer(200, "x");
    c.read_request();
  });
  open(server.port());
  EXPECT_EQ(exchange().failure, HttpFailure::none);
  EXPECT_EQ(exchange().failure, HttpFailure::closed);
  EXPECT_EQ(client_->reopened(), 0U);
  // Nor where it took a part of an upload.
  ScriptedServer half([](Connection& c) {
    c.read_request();
    c.answer(200, "x");
    c.read_head();
  });
  open(half.port());
  EXPECT_EQ(exchange().failure, HttpFailure::none);
  keeper_.request_.assign(10'000'000, 'x');
  EXPECT_NE(exchange("PUT", keeper_.request_.size()).failure, HttpFailure::none);
  EXPECT_EQ(client_->reopened(), 0U);
}

TEST_F(HttpClientTest, opens_a_new_connection_where_the_close_came_while_idle) {
  ScriptedServer server([](Connection& c) {
    c.read_request();
    c.answer(200, "x");
  });
  open(server.port());
  EXPECT_EQ(exchange().failure, HttpFailure::none);
  (void)client_->poll(clock_.now() + Duration::milliseconds(30));
  EXPECT_EQ(exchange().failure, HttpFailure::none);
  EXPECT_EQ(server.connections(), 2);
}

TEST_F(HttpClientTest, does_not_hide_a_reset_on_a_kept_connection) {
  ScriptedServer server([](Connection& c) {
    c.read_request();
    c.answer(200, "x");
    c.read_request();
    c.reset();
  });
  open(server.port());
  EXPECT_EQ(exchange().failure, HttpFailure::none);
  EXPECT_EQ(exchange().failure, HttpFailure::reset);
  EXPECT_EQ(client_->reopened(), 0U);
}

TEST_F(HttpClientTest, takes_an_early_answer_to_a_large_upload) {
  ScriptedServer server([](Connection& c) {
    c.read_head();
    c.answer(403, "<Error/>", "Connection: close\r\n");
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  });
  open(server.port());
  keeper_.request_.assign(20'000'000, 'x');
  const HttpResult result = exchange("PUT", keeper_.request_.size());
  EXPECT_EQ(result.failure, HttpFailure::none) << client_->explain(result);
  EXPECT_EQ(result.status, 403);
  EXPECT_LT(result.body_sent, keeper_.request_.size());
}

TEST_F(HttpClientTest, does_not_reuse_a_connection_that_says_too_much) {
  ScriptedServer server(answering([](Connection& c, const std::string&) {
    c.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab");
  }));
  open(server.port());
  EXPECT_EQ(exchange().failure, HttpFailure::none);
  EXPECT_EQ(exchange().failure, HttpFailure::none);
  EXPECT_EQ(server.connections(), 2);
}

TEST_F(HttpClientTest, asks_head_without_waiting_for_a_body) {
  ScriptedServer server(answering([](Connection& c, const std::string& request) {
    c.send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n");
    if (request.starts_with("GET")) c.send(std::string(500, 'x'));
  }));
  open(server.port());
  EXPECT_EQ(exchange("HEAD").body_received, 0U);
  EXPECT_EQ(exchange("GET").body_received, 500U);
  EXPECT_EQ(server.connections(), 1);
}

TEST_F(HttpClientTest, serves_a_thousand_slots) {
  constexpr std::uint32_t k_slots = 1000;
  ScriptedServer server(
      answering([](Connection& c, const std::string&) { c.answer(200, std::string(3000, 'x')); }));
  ASSERT_TRUE(allow_open_files(3000));
  open(server.port(), {.slots = k_slots, .connecting_max = 64});
  keeper_.use_ = BodyUse::discard;
  for (int round = 0; round < 3; ++round) {
    for (std::uint32_t slot = 0; slot < k_slots; ++slot) start(slot);
    std::vector<bool> seen(k_slots);
    for (const HttpResult& result : wait_for(k_slots)) {
      EXPECT_EQ(result.failure, HttpFailure::none) << client_->explain(result);
      EXPECT_EQ(result.body_received, 3000U);
      EXPECT_FALSE(seen[result.slot]);
      seen[result.slot] = true;
    }
  }
  EXPECT_EQ(server.connections(), static_cast<int>(k_slots));
}

TEST_F(HttpClientTest, gives_up_on_all_that_wait_for_a_connection) {
  // A listener whose queue is full takes no more connections; nothing answers them.
  UniqueFd listener(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  ASSERT_EQ(::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listener.get(), 0), 0);
  ASSERT_EQ(::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
  open(ntohs(address.sin_port),
       {.slots = 20, .connect_timeout = k_short, .activity_timeout = k_short, .connecting_max = 4});
  for (std::uint32_t slot = 0; slot < 20; ++slot) start(slot);
  int waited = 0;
  for (const HttpResult& result : wait_for(20)) {
    EXPECT_TRUE(result.failure == HttpFailure::connect_timeout ||
                result.failure == HttpFailure::timeout);
    waited += result.failure == HttpFailure::connect_timeout ? 1 : 0;
  }
  EXPECT_GT(waited, 10);
}

TEST_F(HttpClientTest, cancels_what_is_under_way) {
  ScriptedServer server([](Connection& c) {
    c.read_request();
    c.read_request();
  });
  open(server.port(), {.slots = 10, .connecting_max = 2});
  for (std::uint32_t slot = 0; slot < 10; ++slot) start(slot);
  (void)client_->poll(clock_.now() + Duration::milliseconds(20));
  client_->cancel_all();
  for (const HttpResult& result : wait_for(10)) EXPECT_EQ(result.failure, HttpFailure::cancelled);
  for (std::uint32_t slot = 0; slot < 10; ++slot) EXPECT_FALSE(client_->is_busy(slot));
}

TEST_F(HttpClientTest, returns_at_the_deadline) {
  ScriptedServer server([](Connection& c) {
    c.read_request();
    c.read_request();
  });
  open(server.port());
  start(0);
  const Instant deadline = clock_.now() + Duration::milliseconds(60);
  while (clock_.now() < deadline) EXPECT_TRUE(client_->poll(deadline).empty());
  EXPECT_LT(clock_.now() - deadline, Duration::seconds(2));
  client_->cancel_all();
  wait_for(1);
}

TEST(DeadlineQueue, keeps_slots_in_the_order_of_their_last_touch) {
  DeadlineQueue queue(3, Duration::nanoseconds(10));
  const auto at = [](std::int64_t ns) { return Instant::from_ns(ns); };
  EXPECT_EQ(queue.first(), DeadlineQueue::k_none);
  queue.touch(0, at(1));
  queue.touch(1, at(2));
  queue.touch(2, at(3));
  queue.touch(0, at(4));
  EXPECT_EQ(queue.first(), 1U);
  EXPECT_EQ(queue.next_deadline(), at(12));
  queue.remove(1);
  queue.remove(1);
  EXPECT_EQ(queue.first(), 2U);
  queue.remove(2);
  queue.touch(0, at(20));
  EXPECT_EQ(queue.next_deadline(), at(30));
  queue.remove(0);
  EXPECT_EQ(queue.next_deadline(), Instant::max());
}

TEST(Resolver, finds_every_address_or_says_why_not) {
  EXPECT_EQ((*resolve("127.0.0.1", 80)).front().text(), "127.0.0.1:80");
  EXPECT_EQ((*resolve("::1", 80)).front().text(), "[::1]:80");
  EXPECT_TRUE(resolve("localhost", 80));
  const auto none = resolve("no-such-host.invalid", 80);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace loadline::net
