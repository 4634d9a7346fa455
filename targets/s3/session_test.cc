#include "targets/s3/session.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "targets/s3/s3_target.h"
#include "targets/s3/scripted_store.h"

namespace loadline::targets::s3 {
namespace {

using Connection = ScriptedStore::Connection;
using target::Completion;
using target::Op;
using target::OpKind;
using target::Outcome;

// A completion whose detail outlives the next reap.
struct Ended {
  Completion completion;
  std::string detail;
};

class TextSink final : public target::BodySink {
 public:
  void consume(std::span<const std::byte> bytes) override {
    text_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  void restart() override { text_.clear(); }
  std::string text_;
};

class SessionTest : public testing::Test {
 protected:
  SessionTest() : pool_(10'007, 'x') {
    for (std::size_t i = 0; i < pool_.size(); ++i) pool_[i] = static_cast<char>('a' + i % 23);
  }

  void open(const ScriptedStore& store, std::map<std::string, std::string> parameters = {},
            std::uint32_t slots = 1) {
    target::Parameters all;
    all.set("endpoint", store.url());
    all.set("accesskey", std::string(k_test_key));
    all.set("secretkey", std::string(k_test_secret));
    for (auto& [key, value] : parameters) all.set(key, value);
    auto target = s3_target().open(all);
    ASSERT_TRUE(target) << target.error().message();
    target_ = std::move(*target);
    auto session =
        target_->open_session({.worker = WorkerId{0}, .slots = slots, .clock = &clock_, .seed = 7});
    ASSERT_TRUE(session) << session.error().message();
    session_ = std::move(*session);
  }

  Ended run(Op op) {
    EXPECT_EQ(session_->submit(op), target::Submitted::accepted);
    const auto all = reap(1);
    return all.empty() ? Ended{} : all[0];
  }

  std::vector<Ended> reap(std::size_t n) {
    std::vector<Ended> all;
    std::vector<Completion> some(64);
    const Instant limit = clock_.now() + Duration::seconds(20);
    while (all.size() < n && clock_.now() < limit) {
      const std::size_t got = session_->reap(some, limit);
      for (std::size_t i = 0; i < got; ++i) {
        all.push_back({some[i], std::string(some[i].detail)});
      }
    }
    EXPECT_EQ(all.size(), n);
    return all;
  }

  target::Payload payload(std::uint64_t size, std::size_t start = 3) const {
    return target::Payload(Bytes(size), std::as_bytes(std::span(pool_)), start);
  }
  std::string text_of(const target::Payload& payload) const {
    std::string text;
    while (text.size() < payload.size().count()) {
      const auto run = payload.at(Bytes(text.size()));
      text.append(reinterpret_cast<const char*>(run.data()), run.size());
    }
    return text;
  }

  SteadyClock clock_;
  std::string pool_;
  std::unique_ptr<target::Target> target_;
  std::unique_ptr<target::Session> session_;
};

TEST_F(SessionTest, writes_and_reads_with_good_signatures_whatever_the_key) {
  std::map<std::string, std::string> objects;
  ScriptedStore store([&](Connection& c, const SeenRequest& r) {
    if (r.method == "PUT") objects[r.path] = r.body;
    if (r.method == "PUT") c.answer(200, "");
    if (r.method == "GET") c.answer(200, objects[r.path]);
  });
  open(store);
  for (const std::string key : {"plain", "with space", "a+b", "100%", "%41", "日本/ü", "//double//",
                                "a&b=c?d#e", "~'()*!"}) {
    TextSink sink;
    const target::Payload body = payload(1'000'003);
    const Ended written =
        run({.kind = OpKind::write, .container = "bucket", .object = key, .payload = body});
    EXPECT_EQ(written.completion.outcome, Outcome::ok) << written.detail;
    EXPECT_EQ(written.completion.bytes, Bytes(1'000'003));
    const Ended read =
        run({.kind = OpKind::read, .container = "bucket", .object = key, .sink = &sink});
    EXPECT_EQ(read.completion.outcome, Outcome::ok) << read.detail;
    EXPECT_EQ(read.completion.bytes, Bytes(1'000'003));
    EXPECT_TRUE(read.completion.first_byte.stamped());
    EXPECT_GE(read.completion.done, read.completion.first_byte);
    EXPECT_EQ(sink.text_, text_of(body));
  }
  for (const SeenRequest& request : store.seen()) {
    EXPECT_EQ(request.signature, aws::VerifyStatus::ok) << request.path;
    EXPECT_EQ(request.header("x-amz-content-sha256"), "UNSIGNED-PAYLOAD");
    EXPECT_EQ(request.header("User-Agent").substr(0, 9), "loadline/");
  }
  EXPECT_EQ(store.connections(), 1);
}

TEST_F(SessionTest, signs_in_every_way_there_is) {
  ScriptedStore store([](Connection& c, const SeenRequest&) { c.answer(200, ""); });
  const target::Payload body = payload(200'000);
  for (const std::string signing : {"unsigned", "signed", "streaming"}) {
    open(store, {{"payload_signing", signing}, {"storage_class", "COLD"}});
    EXPECT_EQ(run({.kind = OpKind::write, .container = "b", .object = "o", .payload = body})
                  .completion.outcome,
              Outcome::ok);
    const SeenRequest seen = store.seen().back();
    EXPECT_EQ(seen.signature, aws::VerifyStatus::ok) << signing;
    EXPECT_EQ(seen.header("x-amz-storage-class"), "COLD");
    if (signing == "signed") {
      EXPECT_EQ(seen.header("x-amz-content-sha256"), aws::to_hex(aws::sha256(text_of(body))));
    }
    if (signing != "streaming") {
      EXPECT_EQ(seen.body, text_of(body));
      continue;
    }
    EXPECT_EQ(seen.header("x-amz-decoded-content-length"), "200000");
    aws::ChunkDecoder decoder;
    std::string decoded;
    auto input = std::as_bytes(std::span(seen.body));
    for (;;) {
      const auto step = decoder.step(input);
      input = input.subspan(step.used);
      decoded.append(reinterpret_cast<const char*>(step.data.data()), step.data.size());
      ASSERT_NE(step.event, aws::ChunkDecoder::Event::bad);
      if (step.event == aws::ChunkDecoder::Event::end) break;
    }
    EXPECT_EQ(decoded, text_of(body));
    EXPECT_TRUE(input.empty());
  }
  open(store, {{"signature", "v2"}});
  run({.kind = OpKind::write, .container = "b", .object = "o o", .payload = body});
  EXPECT_EQ(store.seen().back().signature, aws::VerifyStatus::ok);
  EXPECT_TRUE(store.seen().back().header("Authorization").starts_with("AWS TESTKEY:"));
  open(store, {{"accesskey", ""}});
  run({.kind = OpKind::read, .container = "b", .object = "o"});
  EXPECT_EQ(store.seen().back().signature, aws::VerifyStatus::anonymous);
}

TEST_F(SessionTest, writes_nothing_without_chunks) {
  ScriptedStore store([](Connection& c, const SeenRequest&) { c.answer(200, ""); });
  open(store, {{"payload_signing", "streaming"}});
  EXPECT_EQ(run({.kind = OpKind::write, .container = "b", .object = "o"}).completion.outcome,
            Outcome::ok);
  const SeenRequest seen = store.seen().back();
  EXPECT_EQ(seen.signature, aws::VerifyStatus::ok);
  EXPECT_EQ(seen.header("x-amz-content-sha256"), aws::k_empty_payload_hash);
  EXPECT_EQ(seen.header("Content-Length"), "0");
}

TEST_F(SessionTest, gives_a_proxy_the_whole_url) {
  std::string line;
  const net::ScriptedServer proxy([&](Connection& c) {
    const std::string request = c.read_request();
    line = request.substr(0, request.find("\r\nUser-Agent"));
    c.answer(200, "");
    c.read_request();
  });
  target::Parameters parameters;
  parameters.set("endpoint", "http://store.example:9000");
  parameters.set("proxyhost", "127.0.0.1");
  parameters.set("proxyport", std::to_string(proxy.port()));
  target_ = *s3_target().open(parameters);
  session_ = *target_->open_session({.worker = WorkerId{0}, .slots = 1, .clock = &clock_});
  EXPECT_EQ(run({.kind = OpKind::head, .container = "bucket", .object = "a b"}).completion.outcome,
            Outcome::ok);
  EXPECT_EQ(line,
            "HEAD http://bucket.store.example:9000/a%20b HTTP/1.1\r\n"
            "Host: bucket.store.example:9000");
}

TEST_F(SessionTest, asks_each_operation_as_s3_has_it) {
  ScriptedStore store([](Connection& c, const SeenRequest& r) {
    if (r.method == "HEAD") {
      c.send("HTTP/1.1 200 x\r\nContent-Length: 12345\r\n\r\n");
    } else if (!r.header("Range").empty()) {
      c.answer(206, "xyz");
    } else {
      c.answer(r.method == "DELETE" ? 204 : 200, "");
    }
  });
  open(store);
  const auto asked = [&](const Op& op) {
    const Ended ended = run(op);
    EXPECT_EQ(ended.completion.outcome, Outcome::ok) << ended.detail;
    const SeenRequest seen = store.seen().back();
    EXPECT_EQ(seen.signature, aws::VerifyStatus::ok);
    return seen.method + " " + seen.path + (seen.query.empty() ? "" : "?" + seen.query);
  };
  EXPECT_EQ(asked({.kind = OpKind::head, .container = "b", .object = "o"}), "HEAD /b/o");
  EXPECT_EQ(asked({.kind = OpKind::remove, .container = "b", .object = "o"}), "DELETE /b/o");
  EXPECT_EQ(asked({.kind = OpKind::create_container, .container = "b"}), "PUT /b");
  EXPECT_EQ(asked({.kind = OpKind::head_container, .container = "b"}), "HEAD /b");
  EXPECT_EQ(asked({.kind = OpKind::remove_container, .container = "b"}), "DELETE /b");
  EXPECT_EQ(asked({.kind = OpKind::restore, .container = "b", .object = "o", .restore_days = 3}),
            "POST /b/o?restore=");
  EXPECT_NE(store.seen().back().body.find("<Days>3</Days>"), std::string::npos);
  EXPECT_EQ(asked({.kind = OpKind::read,
                   .container = "b",
                   .object = "o",
                   .range = target::ByteRange{Bytes(100), Bytes(3)}}),
            "GET /b/o");
  EXPECT_EQ(store.seen().back().header("Range"), "bytes=100-102");
  open(store, {{"aws_region", "eu-west-1"}});
  EXPECT_EQ(asked({.kind = OpKind::create_container, .container = "b"}), "PUT /b");
  EXPECT_NE(store.seen().back().body.find("<LocationConstraint>eu-west-1</LocationConstraint>"),
            std::string::npos);
}

TEST_F(SessionTest, puts_the_bucket_into_the_host_name_where_it_may) {
  const std::string port = ":9000";
  const Config config = *read_config([&] {
    target::Parameters p;
    p.set("endpoint", "http://s3.example.com" + port + "/base/");
    p.set("accesskey", std::string(k_test_key));
    p.set("secretkey", std::string(k_test_secret));
    return p;
  }());
  RequestWriter writer(config);
  std::string head;
  const auto line_and_host = [&](std::string_view bucket, std::string_view key) {
    writer.write({.method = "GET", .bucket = bucket, .key = key}, config.endpoints[0],
                 WallTime::now(), head);
    return head.substr(0, head.find("\r\nUser-Agent"));
  };
  EXPECT_EQ(line_and_host("photos", "a b"),
            "GET /base/a%20b HTTP/1.1\r\nHost: photos.s3.example.com" + port);
  EXPECT_EQ(line_and_host("Not_DNS", "k"),
            "GET /base/Not_DNS/k HTTP/1.1\r\nHost: s3.example.com" + port);
  EXPECT_EQ(line_and_host("", ""), "GET /base HTTP/1.1\r\nHost: s3.example.com" + port);
}

TEST_F(SessionTest, turns_answers_into_outcomes_with_the_stores_words) {
  int status = 0;
  std::string code;
  ScriptedStore store(
      [&](Connection& c, const SeenRequest&) { c.answer(status, error_xml(code, "Some words")); });
  open(store);
  const auto outcome = [&](int s, const std::string& c, OpKind kind) {
    status = s;
    code = c;
    const Ended ended =
        run({.kind = kind, .container = "b", .object = "o", .payload = payload(10)});
    EXPECT_EQ(ended.completion.status, s);
    if (ended.completion.outcome != Outcome::ok) {
      EXPECT_EQ(ended.detail, "HTTP " + std::to_string(s) + " " + c + ": Some words");
    }
    return ended.completion.outcome;
  };
  EXPECT_EQ(outcome(404, "NoSuchKey", OpKind::read), Outcome::not_found);
  EXPECT_EQ(outcome(404, "NoSuchKey", OpKind::remove), Outcome::ok);
  EXPECT_EQ(outcome(404, "NoSuchBucket", OpKind::write), Outcome::not_found);
  EXPECT_EQ(outcome(403, "AccessDenied", OpKind::write), Outcome::denied);
  EXPECT_EQ(outcome(503, "SlowDown", OpKind::read), Outcome::throttled);
  EXPECT_EQ(outcome(500, "InternalError", OpKind::read), Outcome::server_error);
  EXPECT_EQ(outcome(409, "BucketAlreadyOwnedByYou", OpKind::create_container), Outcome::exists);
  EXPECT_EQ(outcome(409, "BucketNotEmpty", OpKind::remove_container), Outcome::not_empty);
  EXPECT_EQ(outcome(400, "InvalidArgument", OpKind::restore), Outcome::invalid);
}

TEST_F(SessionTest, never_repeats_a_secret_that_the_store_echoes) {
  ScriptedStore store([](Connection& c, const SeenRequest&) {
    c.answer(403, error_xml("Odd", "you said " + std::string(k_test_secret) + " twice\n"));
  });
  open(store);
  EXPECT_EQ(run({.kind = OpKind::read, .container = "b", .object = "o"}).detail,
            "HTTP 403 Odd: you said REDACTED twice ");
}

TEST_F(SessionTest, tells_the_region_of_a_redirect) {
  ScriptedStore store([](Connection& c, const SeenRequest&) {
    c.answer(301, "", "x-amz-bucket-region: eu-central-1\r\n");
  });
  open(store);
  const Ended ended = run({.kind = OpKind::read, .container = "b", .object = "o"});
  EXPECT_EQ(ended.completion.outcome, Outcome::invalid);
  EXPECT_EQ(ended.detail, "HTTP 301 (set aws_region=eu-central-1)");
}

TEST_F(SessionTest, uploads_in_parts_and_completes) {
  std::string object;
  ScriptedStore store([&](Connection& c, const SeenRequest& r) {
    if (r.query == "uploads=") {
      c.answer(200,
               "<InitiateMultipartUploadResult xmlns=\"x\"><UploadId>id/+1</UploadId>"
               "</InitiateMultipartUploadResult>");
    } else if (r.method == "PUT") {
      object += r.body;
      c.answer(200, "", "ETag: \"e" + std::to_string(object.size()) + "\"\r\n");
    } else {
      c.answer(200, "<CompleteMultipartUploadResult/>");
    }
  });
  open(store, {{"part_size", "100000"}});
  const target::Payload body = payload(250'000);
  const Ended ended =
      run({.kind = OpKind::multipart_write, .container = "b", .object = "o", .payload = body});
  EXPECT_EQ(ended.completion.outcome, Outcome::ok) << ended.detail;
  EXPECT_EQ(ended.completion.bytes, Bytes(250'000));
  EXPECT_EQ(object, text_of(body));
  const auto seen = store.seen();
  ASSERT_EQ(seen.size(), 5U);
  EXPECT_EQ(seen[1].query, "partNumber=1&uploadId=id%2F%2B1");
  EXPECT_EQ(seen[3].query, "partNumber=3&uploadId=id%2F%2B1");
  EXPECT_EQ(seen[3].body.size(), 50'000U);
  EXPECT_NE(seen[4].body.find("<Part><PartNumber>2</PartNumber><ETag>\"e200000\"</ETag></Part>"),
            std::string::npos);
  for (const SeenRequest& request : seen) EXPECT_EQ(request.signature, aws::VerifyStatus::ok);
}

TEST_F(SessionTest, aborts_an_upload_that_fails) {
  ScriptedStore store([&](Connection& c, const SeenRequest& r) {
    if (r.query == "uploads=") return (void)c.answer(200, "<X><UploadId>u</UploadId></X>");
    if (r.method == "DELETE") return (void)c.answer(204, "");
    if (r.query.starts_with("partNumber=2")) {
      return (void)c.answer(503, error_xml("SlowDown", "easy"));
    }
    c.answer(200, "", "ETag: \"e\"\r\n");
  });
  open(store, {{"part_size", "1000"}});
  const Ended ended = run(
      {.kind = OpKind::multipart_write, .container = "b", .object = "o", .payload = payload(5000)});
  EXPECT_EQ(ended.completion.outcome, Outcome::throttled);
  EXPECT_EQ(ended.detail, "HTTP 503 SlowDown: easy");
  EXPECT_EQ(store.seen().back().method, "DELETE");
  EXPECT_EQ(store.seen().back().query, "uploadId=u");
}

TEST_F(SessionTest, takes_an_error_in_a_good_answer_for_an_error) {
  ScriptedStore store([&](Connection& c, const SeenRequest& r) {
    if (r.query == "uploads=") return (void)c.answer(200, "<X><UploadId>u</UploadId></X>");
    if (r.method == "POST") return (void)c.answer(200, error_xml("InternalError", "late"));
    c.answer(200, "", "ETag: \"e\"\r\n");
  });
  open(store);
  const Ended ended = run(
      {.kind = OpKind::multipart_write, .container = "b", .object = "o", .payload = payload(10)});
  EXPECT_EQ(ended.completion.outcome, Outcome::server_error);
}

TEST_F(SessionTest, refuses_an_upload_of_too_many_parts) {
  ScriptedStore store([](Connection& c, const SeenRequest&) { c.answer(200, ""); });
  open(store, {{"part_size", "1"}});
  const Ended ended = run({.kind = OpKind::multipart_write,
                           .container = "b",
                           .object = "o",
                           .payload = payload(10'001)});
  EXPECT_EQ(ended.completion.outcome, Outcome::invalid);
  EXPECT_TRUE(store.seen().empty());
}

TEST_F(SessionTest, lists_page_by_page) {
  ScriptedStore store([](Connection& c, const SeenRequest& r) {
    const bool second = r.query.starts_with("continuation-token=a%2F%26&");
    std::string xml = "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">";
    for (int i = 0; i < (second ? 3 : 2); ++i) xml += "<Contents><Key>k</Key></Contents>";
    xml += second ? "<IsTruncated>false</IsTruncated>"
                  : "<IsTruncated>true</IsTruncated><NextContinuationToken>a/&amp;"
                    "</NextContinuationToken>";
    c.answer(200, xml + "</ListBucketResult>");
  });
  open(store, {{"list_page_size", "2"}});
  const Ended ended = run({.kind = OpKind::list, .container = "b", .object = "my/prefix"});
  EXPECT_EQ(ended.completion.outcome, Outcome::ok) << ended.detail;
  EXPECT_EQ(ended.completion.items, 5U);
  EXPECT_GT(ended.completion.bytes, Bytes(200));
  const auto seen = store.seen();
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].query, "list-type=2&max-keys=2&prefix=my%2Fprefix");
  for (const SeenRequest& request : seen) EXPECT_EQ(request.signature, aws::VerifyStatus::ok);
}

TEST_F(SessionTest, removes_many_in_batches_and_counts_what_failed) {
  std::size_t keys = 0;
  ScriptedStore store([&](Connection& c, const SeenRequest& r) {
    std::size_t here = 0;
    for (std::size_t at = 0; (at = r.body.find("<Key>", at)) != std::string::npos; ++at) ++here;
    keys += here;
    aws::Md5 md5;
    md5.update(std::string_view(r.body));
    EXPECT_EQ(r.header("Content-MD5"), aws::to_base64(md5.finish()));
    EXPECT_EQ(r.query, "delete=");
    c.answer(200, here == 1000 ? "<DeleteResult><Error><Key>x</Key><Code>AccessDenied</Code>"
                                 "<Message>no</Message></Error></DeleteResult>"
                               : "<DeleteResult/>");
  });
  open(store);
  std::vector<std::string_view> names(1500, "a<&>b");
  const Ended ended = run({.kind = OpKind::remove_many, .container = "b", .objects = names});
  EXPECT_EQ(keys, 1500U);
  EXPECT_EQ(ended.completion.outcome, Outcome::denied);
  EXPECT_EQ(ended.completion.items, 1499U);
  EXPECT_EQ(ended.detail, "1 of 1500 keys not removed, first AccessDenied: no");
  EXPECT_NE(store.seen()[0].body.find("a&lt;&amp;&gt;b"), std::string::npos);
  EXPECT_EQ(
      run({.kind = OpKind::remove_many, .container = "b", .objects = std::span(names).first(10)})
          .completion.outcome,
      Outcome::ok);
}

TEST_F(SessionTest, tries_again_only_where_told_to_and_counts_it) {
  int failures = 2;
  ScriptedStore store([&](Connection& c, const SeenRequest&) {
    if (failures-- > 0) return (void)c.answer(503, error_xml("SlowDown", "easy"));
    c.answer(200, "body");
  });
  open(store);
  EXPECT_EQ(run({.kind = OpKind::read, .container = "b", .object = "o"}).completion.outcome,
            Outcome::throttled);
  failures = 2;
  open(store, {{"retry", "3"}});
  TextSink sink;
  const Ended ended = run({.kind = OpKind::read, .container = "b", .object = "o", .sink = &sink});
  EXPECT_EQ(ended.completion.outcome, Outcome::ok);
  EXPECT_EQ(ended.completion.retries, 2);
  EXPECT_EQ(sink.text_, "body");
  failures = 100;
  EXPECT_EQ(run({.kind = OpKind::read, .container = "b", .object = "o"}).completion.retries, 3);
}

TEST_F(SessionTest, compares_bodies_with_etags_where_asked) {
  aws::Md5 md5;
  md5.update(std::string_view("good body"));
  const std::string etag = aws::to_hex(md5.finish());
  std::string body;
  ScriptedStore store([&](Connection& c, const SeenRequest& r) {
    c.answer(200, r.method == "GET" ? body : "", "ETag: \"" + etag + "\"\r\n");
  });
  const Op read{.kind = OpKind::read, .container = "b", .object = "o"};
  body = "bad body!";
  open(store);
  EXPECT_EQ(run(read).completion.outcome, Outcome::ok);
  open(store, {{"verify_etag", "true"}});
  EXPECT_EQ(run(read).completion.outcome, Outcome::corrupt);
  body = "good body";
  EXPECT_EQ(run(read).completion.outcome, Outcome::ok);
  const std::string pool = "good bodybad body!";
  Op write{.kind = OpKind::write, .container = "b", .object = "o"};
  write.payload = target::Payload(Bytes(9), std::as_bytes(std::span(pool)), 0);
  EXPECT_EQ(run(write).completion.outcome, Outcome::ok);
  write.payload = target::Payload(Bytes(9), std::as_bytes(std::span(pool)), 9);
  EXPECT_EQ(run(write).completion.outcome, Outcome::corrupt);
}

TEST_F(SessionTest, names_network_failures) {
  const auto outcome = [this](net::ScriptedServer::Script script) {
    const net::ScriptedServer server(std::move(script));
    target::Parameters parameters;
    parameters.set("endpoint", server.url());
    parameters.set("timeout", "150");
    target_ = *s3_target().open(parameters);
    session_ = *target_->open_session({.worker = WorkerId{0}, .slots = 1, .clock = &clock_});
    const Ended ended = run({.kind = OpKind::read,
                             .container = "b",
                             .object = "o",
                             .range = target::ByteRange{Bytes(0), Bytes(3)}});
    EXPECT_EQ(ended.detail.empty(), ended.completion.outcome == Outcome::ok);
    return ended.completion.outcome;
  };
  EXPECT_EQ(outcome([](Connection& c) {
              c.read_request();
              c.reset();
            }),
            Outcome::connection);
  EXPECT_EQ(outcome([](Connection& c) {
              c.read_request();
              c.send("HTTP/1.1 206 x\r\nContent-Length: 99\r\n\r\nabc");
            }),
            Outcome::short_transfer);
  EXPECT_EQ(outcome([](Connection& c) {
              c.read_request();
              c.read_request();
            }),
            Outcome::timeout);
  EXPECT_EQ(outcome([](Connection& c) {
              c.read_request();
              c.answer(200, "the whole object");
            }),
            Outcome::unsupported);
}

TEST_F(SessionTest, cancels_everything_at_once) {
  ScriptedStore store([](Connection&, const SeenRequest&) {});
  open(store, {}, 8);
  for (std::uint32_t slot = 0; slot < 8; ++slot) {
    ASSERT_EQ(
        session_->submit({.kind = OpKind::read, .slot = slot, .container = "b", .object = "o"}),
        target::Submitted::accepted);
  }
  std::vector<Completion> none(8);
  EXPECT_EQ(session_->reap(none, clock_.now() + Duration::milliseconds(50)), 0U);
  session_->cancel();
  for (const Ended& ended : reap(8)) EXPECT_EQ(ended.completion.outcome, Outcome::cancelled);
  EXPECT_EQ(run({.kind = OpKind::read, .container = "b", .object = "o"}).completion.outcome,
            Outcome::cancelled);
}

}  // namespace
}  // namespace loadline::targets::s3
