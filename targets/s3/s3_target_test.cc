#include "targets/s3/s3_target.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "targets/s3/scripted_store.h"

namespace loadline::targets::s3 {
namespace {

using Connection = ScriptedStore::Connection;

std::unique_ptr<target::Target> open(const std::string& endpoint,
                                     std::map<std::string, std::string> parameters = {}) {
  target::Parameters all;
  all.set("endpoint", endpoint);
  all.set("accesskey", std::string(k_test_key));
  all.set("secretkey", std::string(k_test_secret));
  for (auto& [key, value] : parameters) all.set(key, value);
  return std::move(*s3_target().open(all));
}

// Answers a bucket's listing by the bucket's name.
ScriptedStore::Answer buckets() {
  return [](Connection& c, const SeenRequest& r) {
    if (r.method == "HEAD")
      return (void)c.send(
          "HTTP/1.1 200 x\r\nServer: Testing\r\n"
          "Content-Length: 0\r\n\r\n");
    if (r.path == "/ours") return (void)c.answer(200, "<ListBucketResult/>");
    if (r.path == "/theirs") return (void)c.answer(403, error_xml("AccessDenied", "Access Denied"));
    if (r.path == "/wrongkeys") {
      return (void)c.answer(403, error_xml("SignatureDoesNotMatch", "No match"));
    }
    if (r.path == "/busy") return (void)c.answer(503, error_xml("SlowDown", "later"));
    if (r.path == "/clock") return (void)c.answer(403, error_xml("RequestTimeTooSkewed", "late"));
    c.answer(404, error_xml("NoSuchBucket", "Not there"));
  };
}

TEST(S3Target, passes_what_can_be_used_and_touches_nothing) {
  ScriptedStore store(buckets());
  const auto target = open(store.url());
  const std::vector<std::string> containers = {"ours", "busy", "later"};
  const std::vector<std::string> created = {"later", "new"};
  const auto checked = target->preflight(containers, created);
  EXPECT_TRUE(checked) << checked.error().message();
  EXPECT_EQ(target->describe(), "Server: Testing");
  for (const SeenRequest& request : store.seen()) {
    EXPECT_TRUE(request.method == "HEAD" || request.method == "GET");
    EXPECT_EQ(request.signature, aws::VerifyStatus::ok);
  }
}

TEST(S3Target, refuses_what_cannot_be_used_in_one_clear_line) {
  ScriptedStore store(buckets());
  const auto target = open(store.url());
  const auto refusal = [&](const std::string& container, bool created = false) {
    const std::vector<std::string> names = {container};
    const std::vector<std::string> none;
    const auto checked = target->preflight(created ? none : names, created ? names : none);
    EXPECT_FALSE(checked);
    EXPECT_EQ(checked.error().context, store.url());
    return checked ? Error{} : checked.error();
  };
  EXPECT_EQ(refusal("theirs").what,
            "bucket 'theirs' is not ours (HTTP 403 AccessDenied: Access Denied)");
  EXPECT_EQ(refusal("theirs", true).code, ErrorCode::denied);
  EXPECT_TRUE(refusal("wrongkeys", true).what.starts_with("wrong keys"));
  EXPECT_EQ(refusal("clock").code, ErrorCode::denied);
  EXPECT_EQ(refusal("missing").code, ErrorCode::not_found);
  EXPECT_NE(refusal("missing").what.find("create it"), std::string::npos);
}

TEST(S3Target, names_an_endpoint_that_refuses_or_is_unknown) {
  std::string closed;
  {
    closed = ScriptedStore(buckets()).url();
  }
  const std::vector<std::string> none;
  ScriptedStore store(buckets());
  const auto refused = open(store.url() + "," + closed)->preflight(none, none);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
  EXPECT_EQ(refused.error().context, closed);
  EXPECT_NE(refused.error().what.find("Connection refused"), std::string::npos);
  const auto unknown = open("http://no-such-host.invalid")->preflight(none, none);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().context, "http://no-such-host.invalid");
}

void expect_unavailable_in_bounded_time(const std::string& endpoint) {
  const std::vector<std::string> none;
  const SteadyClock clock;
  const Instant begin = clock.now();
  const auto checked = open(endpoint, {{"connect_timeout", "100"}})->preflight(none, none);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::unavailable);
  EXPECT_LT(clock.now() - begin, Duration::seconds(5));
}

TEST(S3Target, says_in_bounded_time_that_nothing_answers) {
  net::ScriptedServer mute([](Connection& c) { c.read_request(), c.read_request(); });
  expect_unavailable_in_bounded_time(mute.url());
}

TEST(S3Target, says_in_bounded_time_that_an_answer_does_not_end) {
  net::ScriptedServer slow([](Connection& c) {
    c.read_request();
    while (c.send("HTTP/1.1 200 x\r\nx: y"))
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
  });
  expect_unavailable_in_bounded_time(slow.url());
}

TEST(S3Target, spreads_slots_over_all_endpoints) {
  ScriptedStore first([](Connection& c, const SeenRequest&) { c.answer(200, ""); });
  ScriptedStore second([](Connection& c, const SeenRequest&) { c.answer(200, ""); });
  const SteadyClock clock;
  const auto target = open(first.url() + "," + second.url());
  auto session =
      *target->open_session({.worker = WorkerId{0}, .slots = 6, .clock = &clock, .seed = 1});
  for (std::uint32_t slot = 0; slot < 6; ++slot) {
    ASSERT_EQ(session->submit(
                  {.kind = target::OpKind::head, .slot = slot, .container = "b", .object = "o"}),
              target::Submitted::accepted);
  }
  std::vector<target::Completion> done(6);
  for (std::size_t n = 0; n < 6;) n += session->reap(done, Instant::max());
  EXPECT_EQ(first.connections(), 3);
  EXPECT_EQ(second.connections(), 3);
  EXPECT_EQ(second.seen()[0].signature, aws::VerifyStatus::ok);
}

// Begins an upload, cancels it once its first part hangs, and returns what became of it.
target::Outcome cancel_upload(const ScriptedStore& store) {
  const std::string bytes(5000, 'x');
  const SteadyClock clock;
  const auto target = open(store.url(), {{"part_size", "1000"}});
  const auto session =
      *target->open_session({.worker = WorkerId{0}, .slots = 1, .clock = &clock, .seed = 1});
  EXPECT_EQ(session->submit({.kind = target::OpKind::multipart_write,
                             .container = "b",
                             .object = "o",
                             .payload = {Bytes(5000), std::as_bytes(std::span(bytes)), 0}}),
            target::Submitted::accepted);
  std::vector<target::Completion> done(1);
  EXPECT_EQ(session->reap(done, clock.now() + Duration::milliseconds(100)), 0U);
  session->cancel();
  while (session->reap(done, Instant::max()) == 0) continue;
  return done[0].outcome;
}

TEST(S3Target, aborts_an_upload_that_is_cancelled) {
  const ScriptedStore store([&](Connection& c, const SeenRequest& r) {
    if (r.query == "uploads=") return (void)c.answer(200, "<X><UploadId>u</UploadId></X>");
    if (r.method == "DELETE") return (void)c.answer(204, "");
  });
  EXPECT_EQ(cancel_upload(store), target::Outcome::cancelled);
  EXPECT_EQ(store.seen().back().method, "DELETE");
  EXPECT_EQ(store.seen().back().query, "uploadId=u");
}

TEST(S3Target, leaves_a_cancelled_upload_behind_where_the_store_stalls) {
  const ScriptedStore store([&](Connection& c, const SeenRequest& r) {
    if (r.query == "uploads=") return (void)c.answer(200, "<X><UploadId>u</UploadId></X>");
  });
  EXPECT_EQ(cancel_upload(store), target::Outcome::cancelled);
}

TEST(S3Target, declares_all_operations_and_its_parameters) {
  const target::TargetType type = s3_target();
  EXPECT_EQ(type.name, "s3");
  for (const target::ParameterSpec& parameter : type.parameters) {
    EXPECT_FALSE(parameter.meaning.empty());
    EXPECT_EQ(parameter.secret, target::is_secret_key(parameter.key)) << parameter.key;
  }
  const auto can = open("http://127.0.0.1:1")->capabilities();
  EXPECT_TRUE(can.can(target::OpKind::multipart_write));
  EXPECT_TRUE(can.range_reads);
  EXPECT_FALSE(can.blocking);
}

}  // namespace
}  // namespace loadline::targets::s3
