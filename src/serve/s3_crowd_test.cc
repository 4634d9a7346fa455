// Many clients, slow clients, and clients that send anything.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/rng.h"
#include "serve/s3_server.h"
#include "serve/test_client.h"

namespace loadline::serve {
namespace {

std::unique_ptr<S3Server> started(unsigned threads) {
  auto server = S3Server::start(
      {.listen = "127.0.0.1:0", .threads = threads, .memory_limit = Bytes(256 << 20)});
  EXPECT_TRUE(server) << (server ? "" : server.error().message());
  return std::move(*server);
}

TEST(S3Crowd, serves_a_thousand_connections) {
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  limit.rlim_cur = limit.rlim_max;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  if (limit.rlim_cur < 2200) GTEST_SKIP() << "too few file descriptors";
  const auto server = started(2);
  std::vector<std::unique_ptr<TestClient>> clients;
  for (int i = 0; i < 1000; ++i) clients.push_back(std::make_unique<TestClient>(server->port()));
  clients[0]->put("/b");
  for (int i = 0; i < 1000; ++i) {
    const std::string key = "/b/" + std::to_string(i);
    clients[static_cast<std::size_t>(i)]->send("PUT " + key + " HTTP/1.1\r\nContent-Length: " +
                                               std::to_string(key.size()) + "\r\n\r\n" + key);
  }
  for (const auto& client : clients) EXPECT_EQ(client->receive().status, 200);
  for (int i = 0; i < 1000; ++i) {
    const std::string key = "/b/" + std::to_string(999 - i);
    clients[static_cast<std::size_t>(i)]->send("GET " + key + " HTTP/1.1\r\n\r\n");
  }
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(clients[static_cast<std::size_t>(i)]->receive().body,
              "/b/" + std::to_string(999 - i));
  }
  EXPECT_EQ(server->counters().connections_open, 1000U);
  EXPECT_EQ(server->counters().of(RequestKind::get_object, 200), 1000U);
}

TEST(S3Crowd, threads_write_and_read_the_same_names) {
  const auto server = started(3);
  TestClient(server->port()).put("/b");
  std::vector<std::jthread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&server, t] {
      TestClient client(server->port());
      Rng rng(t);
      for (int i = 0; i < 300; ++i) {
        const std::string key = "/b/" + std::to_string(rng.below(8));
        const std::size_t size = 1 + rng.below(60'000);
        // All bytes of an object are the same, so that a mixture of two would show.
        switch (rng.below(4)) {
          case 0: client.request("DELETE", key); break;
          case 1: client.put(key, std::string(size, static_cast<char>('a' + rng.below(26)))); break;
          default: {
            const Reply reply = client.get(key);
            if (reply.status == 200) {
              EXPECT_EQ(reply.body.find_first_not_of(reply.body[0]), std::string::npos);
            }
          }
        }
      }
    });
  }
}

TEST(S3Crowd, slow_clients_hold_nobody_up) {
  const auto server = started(1);
  TestClient good(server->port());
  good.put("/b");
  good.put("/b/large", std::string(16 << 20, 'x'));
  TestClient unfinished(server->port());
  unfinished.send("GET /b/lar");
  TestClient sender(server->port());
  sender.send("PUT /b/k HTTP/1.1\r\nContent-Length: 100000\r\n\r\nsome");
  TestClient reader(server->port());
  reader.send("GET /b/large HTTP/1.1\r\n\r\n");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(good.put("/b/k" + std::to_string(i), "x").status, 200);
  unfinished.send("ge HTTP/1.1\r\n\r\n");
  EXPECT_EQ(unfinished.receive().body.size(), 16U << 20);
  EXPECT_EQ(reader.receive().body.size(), 16U << 20);
  sender.send(std::string(99'996, 'y'));
  EXPECT_EQ(sender.receive().status, 200);
}

TEST(S3Crowd, clients_may_vanish_at_any_moment) {
  const auto server = started(1);
  TestClient good(server->port());
  good.put("/b");
  good.put("/b/k", std::string(1 << 20, 'x'));
  const std::string put =
      "PUT /b/new HTTP/1.1\r\nContent-Length: 500000\r\n\r\n" + std::string(500'000, 'y');
  for (std::size_t cut = 1; cut < put.size(); cut = cut * 2 + 1) {
    TestClient client(server->port());
    client.send(put.substr(0, cut));
  }
  for (int i = 0; i < 20; ++i) {
    TestClient client(server->port());
    client.send("GET /b/k HTTP/1.1\r\n\r\n");
  }
  EXPECT_EQ(good.get("/b/new").status, 404);
  EXPECT_EQ(good.get("/b/k").body.size(), 1U << 20);
}

TEST(S3Crowd, answers_a_client_that_has_ended_its_side) {
  const auto server = started(1);
  TestClient client(server->port());
  client.send("GET / HTTP/1.1\r\n\r\n");
  client.end_sending();
  EXPECT_EQ(client.receive().status, 200);
  EXPECT_TRUE(client.receive().closed);
}

TEST(S3Crowd, survives_garbage) {
  const auto server = started(1);
  const std::string seeds[] = {
      "PUT /b/k HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
      "PUT /b/k HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
      "POST /b?delete HTTP/1.1\r\nContent-Length: 20\r\n\r\n<Delete></Delete>   ",
      "GET /b?list-type=2&prefix=%41&max-keys=3 HTTP/1.1\r\nRange: bytes=1-2\r\n\r\n",
  };
  Rng rng(4);
  for (int i = 0; i < 600; ++i) {
    std::string text = seeds[rng.below(4)];
    for (std::uint64_t edits = 1 + rng.below(6); edits > 0; --edits) {
      text[rng.below(text.size())] = static_cast<char>(rng.next());
    }
    TestClient client(server->port());
    client.send(text);
    client.end_sending();
    client.receive();
  }
  TestClient client(server->port());
  EXPECT_EQ(client.get("/").status, 200);
}

TEST(S3Crowd, says_431_to_an_endless_head) {
  const auto server = started(1);
  TestClient client(server->port());
  client.send("GET / HTTP/1.1\r\nX: " + std::string(33 * 1024, 'x'));
  const Reply reply = client.receive();
  EXPECT_EQ(reply.status, 431);
  EXPECT_EQ(server->counters().malformed, 1U);
}

}  // namespace
}  // namespace loadline::serve
