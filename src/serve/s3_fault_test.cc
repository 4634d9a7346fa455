// Faults over real sockets: what the client sees, and that it is what the store has counted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "serve/s3_server.h"
#include "serve/test_client.h"

namespace loadline::serve {
namespace {

using testing::HasSubstr;

class FaultTest : public testing::Test {
 protected:
  FaultTest() {
    auto server = S3Server::start({.listen = "127.0.0.1:0", .memory_limit = Bytes(64 << 20)});
    EXPECT_TRUE(server);
    server_ = std::move(*server);
    TestClient client(server_->port());
    client.put("/b");
    EXPECT_EQ(client.put("/b/k", bytes_).status, 200);
    EXPECT_EQ(client.put("/b/empty", "").status, 200);
    server_->reset_counters();
  }

  void set(std::string_view rules) {
    const auto set = server_->set_faults(rules);
    EXPECT_TRUE(set) << (set ? "" : set.error().message());
  }
  TestClient client(int timeout_seconds = 10) {
    return TestClient(server_->port(), timeout_seconds);
  }
  // How one request over a connection of its own ends.
  Reply get(std::string_view target = "/b/k") { return client().get(target); }
  std::uint64_t injected() { return server_->counters().injected(); }
  Instant now() const { return clock_.now(); }

  const std::string bytes_ = std::string(100'000, 'x');
  SteadyClock clock_;
  std::unique_ptr<S3Server> server_;
};

TEST_F(FaultTest, errors_leave_the_connection_usable) {
  set("kind=get_object;fault=error;every=2\nkind=put_object;fault=slowdown");
  TestClient one = client();
  EXPECT_EQ(one.get("/b/k").status, 200);
  const Reply error = one.get("/b/k");
  EXPECT_EQ(error.status, 500);
  EXPECT_THAT(error.body, HasSubstr("<Code>InternalError</Code>"));
  const Reply slow = one.put("/b/new", bytes_);
  EXPECT_EQ(slow.status, 503);
  EXPECT_THAT(slow.body, HasSubstr("<Code>SlowDown</Code>"));
  EXPECT_EQ(one.get("/b/new").status, 404);
  EXPECT_EQ(server_->counters().of(RequestKind::get_object, 500), 1U);
  EXPECT_EQ(injected(), 2U);
}

TEST_F(FaultTest, resets_in_the_middle_of_an_answer) {
  set("kind=get_object;fault=reset");
  const Reply reply = get();
  EXPECT_FALSE(reply.whole);
  EXPECT_TRUE(reply.reset);
  EXPECT_TRUE(get("/b/empty").reset);
  EXPECT_EQ(server_->counters().of(RequestKind::get_object, 0), 2U);
  EXPECT_EQ(injected(), 2U);
}

TEST_F(FaultTest, resets_in_the_middle_of_a_request_and_stores_nothing) {
  set("kind=put_object;fault=reset;at=30");
  TestClient one = client();
  std::string large(20'000'000, 'y');
  const Reply reply = one.put("/b/new", large);
  EXPECT_EQ(reply.status, 0);
  EXPECT_TRUE(reply.reset || reply.closed);
  EXPECT_EQ(get("/b/new").status, 404);
  EXPECT_EQ(server_->counters().by_kind.at(RequestKind::put_object).bytes_in, 6'000'000U);
  EXPECT_EQ(server_->counters().of(RequestKind::put_object, 0), 1U);
}

TEST_F(FaultTest, cuts_after_the_share_it_was_told) {
  set("kind=get_object;fault=cut;at=25");
  const Reply reply = get();
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.field("Content-Length"), "100000");
  EXPECT_EQ(reply.body.size(), 25'000U);
  EXPECT_TRUE(reply.closed);
  set("kind=get_object;fault=cut;at=100");
  EXPECT_EQ(get().body.size(), 99'999U);
  set("kind=put_object;fault=cut");
  TestClient one = client();
  const Reply put = one.put("/b/new", bytes_);
  EXPECT_EQ(put.status, 0);
  EXPECT_TRUE(put.closed);
  set("fault=cut");
  EXPECT_EQ(client().request("DELETE", "/b/k").status, 0);
}

TEST_F(FaultTest, stalls_for_a_while_or_for_ever) {
  set("kind=get_object;fault=stall;ms=150;limit=1");
  const Instant before = now();
  EXPECT_EQ(get().status, 200);
  EXPECT_GE(now() - before, Duration::milliseconds(150));
  set("kind=get_object;fault=stall;limit=1");
  EXPECT_TRUE(client(1).get("/b/k").timeout);
  EXPECT_EQ(get().status, 200);
  EXPECT_EQ(injected(), 1U);
}

TEST_F(FaultTest, delays_the_first_byte_of_the_body_alone) {
  set("kind=get_object;fault=slow_first_byte;ms=200");
  TestClient one = client();
  const Instant before = now();
  one.send("GET /b/k HTTP/1.1\r\n\r\n");
  char head[8];
  ASSERT_GT(::recv(one.fd(), head, sizeof head, MSG_PEEK), 0);
  EXPECT_LT(now() - before, Duration::milliseconds(190));
  EXPECT_EQ(one.receive().body, bytes_);
  EXPECT_GE(now() - before, Duration::milliseconds(200));
}

TEST_F(FaultTest, slows_bodies_both_ways) {
  set("fault=slow;rate=400000");
  Instant before = now();
  EXPECT_EQ(get().body, bytes_);
  EXPECT_GE(now() - before, Duration::milliseconds(200));
  before = now();
  EXPECT_EQ(client().put("/b/new", bytes_).status, 200);
  EXPECT_GE(now() - before, Duration::milliseconds(200));
  EXPECT_EQ(injected(), 2U);
  client().request("DELETE", "/b/new");  // nothing to slow down
  EXPECT_EQ(injected(), 2U);
}

TEST_F(FaultTest, changes_one_bit_and_not_the_etag) {
  const std::string etag = get().field("ETag");
  set("kind=get_object;fault=wrong_bytes");
  const Reply reply = get();
  EXPECT_TRUE(reply.whole);
  EXPECT_EQ(reply.field("ETag"), etag);
  std::size_t different = 0;
  for (std::size_t i = 0; i < bytes_.size(); ++i) different += reply.body[i] != bytes_[i] ? 1 : 0;
  EXPECT_EQ(different, 1U);
  get("/b/empty");
  get("/b/none");
  EXPECT_EQ(injected(), 1U);
  client().put("/b/small", "abc");
  EXPECT_NE(get("/b/small").body, "abc");
  set("");
  EXPECT_EQ(get().body, bytes_);
}

TEST_F(FaultTest, refuses_connections) {
  set("fault=refuse;every=2");
  TestClient good = client();
  EXPECT_EQ(good.get("/b/k").status, 200);
  const Reply refused = client(2).get("/b/k");
  EXPECT_EQ(refused.status, 0);
  EXPECT_TRUE(refused.reset || refused.closed);
  EXPECT_EQ(good.get("/b/k").status, 200);
  EXPECT_EQ(injected(), 1U);
}

TEST_F(FaultTest, closes_the_port_for_a_while) {
  set("fault=refuse;ms=300;limit=1");
  EXPECT_EQ(client(2).get("/b/k").status, 0);
  EXPECT_FALSE(client(2).connected());
  const Instant before = now();
  while (!client(2).connected() && now() - before < Duration::seconds(5)) {
    clock_.sleep_until(now() + Duration::milliseconds(20));
  }
  EXPECT_EQ(get().status, 200);
  EXPECT_EQ(injected(), 1U);
}

TEST_F(FaultTest, pauses_everything_once) {
  TestClient one = client();
  EXPECT_EQ(one.get("/b/k").status, 200);
  const Instant before = now();
  set("fault=pause_all;from=50;for=300");
  Duration longest;
  Instant longest_ended;
  while (now() - before < Duration::milliseconds(450)) {
    const Instant issued = now();
    EXPECT_EQ(one.get("/b/k").status, 200);
    if (now() - issued > longest) {
      longest = now() - issued;
      longest_ended = now();
    }
  }
  // When the request that the pause caught was issued depends on how this thread was scheduled;
  // when it was answered does not.
  EXPECT_GE(longest_ended - before, Duration::milliseconds(350));
  EXPECT_LT(longest_ended - before, Duration::milliseconds(650));
  EXPECT_EQ(injected(), 1U);
}

TEST_F(FaultTest, changes_rules_by_request_and_says_what_is_wrong) {
  TestClient one = client();
  EXPECT_EQ(one.request("POST", "/_loadline/faults", "fault=error;kind=get_object\n").status, 200);
  EXPECT_EQ(one.get("/b/k").status, 500);
  EXPECT_EQ(one.get("/_loadline/faults").body, "fault=error;kind=get_object\n");
  const Reply wrong = one.request("POST", "/_loadline/faults", "fault=eror");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_THAT(wrong.body, HasSubstr("unknown fault \"eror\""));
  EXPECT_EQ(one.get("/b/k").status, 500);
  EXPECT_EQ(one.request("POST", "/_loadline/faults", "").status, 200);
  EXPECT_EQ(one.get("/b/k").status, 200);
}

TEST_F(FaultTest, counts_exactly_what_a_client_sees) {
  set("kind=get_object;fault=error;probability=0.1\nkind=get_object;fault=cut;probability=0.1\n"
      "kind=get_object;fault=reset;every=17");
  int errors = 0;
  int cuts = 0;
  int resets = 0;
  int good = 0;
  auto one = std::make_unique<TestClient>(server_->port());
  for (int i = 0; i < 1000; ++i) {
    const Reply reply = one->get("/b/k");
    if (reply.status == 500) ++errors;
    if (reply.closed) ++cuts;
    if (reply.reset) ++resets;
    if (reply.status == 200 && reply.whole) ++good;
    if (reply.closed || reply.reset) one = std::make_unique<TestClient>(server_->port());
  }
  const ServeCounters counters = server_->counters();
  EXPECT_EQ(counters.faults[0].injected, static_cast<std::uint64_t>(errors));
  EXPECT_EQ(counters.faults[1].injected, static_cast<std::uint64_t>(cuts));
  EXPECT_EQ(counters.faults[2].injected, static_cast<std::uint64_t>(resets));
  EXPECT_EQ(counters.of(RequestKind::get_object, 200), static_cast<std::uint64_t>(good));
  EXPECT_EQ(counters.of(RequestKind::get_object), 1000U);
}

}  // namespace
}  // namespace loadline::serve
