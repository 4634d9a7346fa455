// The protocol over real sockets.
#include "serve/s3_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "aws/digest.h"
#include "serve/test_bytes.h"
#include "serve/test_client.h"

namespace loadline::serve {
namespace {

using testing::HasSubstr;
using testing::Not;

std::unique_ptr<S3Server> started(ServeOptions options = {}) {
  options.listen = "127.0.0.1:0";
  if (options.memory_limit == Bytes()) options.memory_limit = Bytes(256 << 20);
  auto server = S3Server::start(std::move(options));
  EXPECT_TRUE(server) << (server ? "" : server.error().message());
  return std::move(*server);
}

std::string random_bytes(std::size_t size) { return serve::random_bytes(size, size); }

class S3ServerTest : public testing::Test {
 protected:
  S3ServerTest() : server_(started()), client_(server_->port()) {
    EXPECT_EQ(client_.put("/b").status, 200);
  }
  std::string between(const std::string& text, std::string_view open, std::string_view close) {
    const std::size_t begin = text.find(open) + open.size();
    return text.substr(begin, text.find(close, begin) - begin);
  }

  std::unique_ptr<S3Server> server_;
  TestClient client_;
};

TEST_F(S3ServerTest, gives_back_every_size_over_one_connection) {
  for (const std::size_t size :
       {0UL, 1UL, 4096UL, 16384UL, 16385UL, 102400UL, 1048576UL, 5000000UL}) {
    const std::string bytes = random_bytes(size);
    const Reply put = client_.put("/b/k", bytes);
    EXPECT_EQ(put.status, 200);
    const Reply got = client_.get("/b/k");
    EXPECT_EQ(got.status, 200);
    EXPECT_EQ(got.body, bytes) << size;
    EXPECT_EQ(got.field("ETag"), put.field("ETag"));
    EXPECT_THAT(got.field("ETag"), HasSubstr("-1\""));
    const Reply head = client_.request("HEAD", "/b/k");
    EXPECT_EQ(head.field("Content-Length"), std::to_string(size));
    EXPECT_EQ(head.body, "");
  }
  EXPECT_EQ(client_.request("DELETE", "/b/k").status, 204);
  EXPECT_EQ(client_.request("DELETE", "/b/k").status, 204);
  const Reply gone = client_.get("/b/k");
  EXPECT_EQ(gone.status, 404);
  EXPECT_THAT(gone.body, HasSubstr("<Code>NoSuchKey</Code>"));
  EXPECT_THAT(gone.body, HasSubstr("<RequestId>" + gone.field("x-amz-request-id")));
}

TEST_F(S3ServerTest, keeps_unusual_names_apart) {
  const char* const keys[] = {"a%20b", "a+b", "a%2Bb%2f", "/lead", "x//y", "%C3%A9", "a%25b", "~."};
  for (const char* key : keys) {
    EXPECT_EQ(client_.put(std::string("/b/") + key, key).status, 200);
  }
  for (const char* key : keys) EXPECT_EQ(client_.get(std::string("/b/") + key).body, key);
  EXPECT_EQ(client_.get("/b/a%2bb").body, "a+b");
  const Reply listed = client_.get("/b?list-type=2");
  EXPECT_THAT(listed.body, HasSubstr("<Key>a b</Key>"));
  EXPECT_THAT(listed.body, HasSubstr("<Key>/lead</Key>"));
  EXPECT_THAT(client_.get("/b?encoding-type=url").body, HasSubstr("<Key>a%20b</Key>"));
  EXPECT_EQ(client_.put("/b/%FF", "x").status, 400);
  EXPECT_EQ(client_.put("/b/%0", "x").status, 400);
  EXPECT_THAT(client_.put("/b/" + std::string(1025, 'k'), "x").body, HasSubstr("KeyTooLongError"));
}

TEST_F(S3ServerTest, reads_ranges) {
  const std::string bytes = random_bytes(300'000);
  client_.put("/b/k", bytes);
  const Reply part = client_.get("/b/k", "Range: bytes=100000-249999\r\n");
  EXPECT_EQ(part.status, 206);
  EXPECT_EQ(part.body, bytes.substr(100'000, 150'000));
  EXPECT_EQ(part.field("Content-Range"), "bytes 100000-249999/300000");
  EXPECT_EQ(client_.get("/b/k", "Range: bytes=-5\r\n").body, bytes.substr(299'995));
  const Reply beyond = client_.get("/b/k", "Range: bytes=300000-\r\n");
  EXPECT_EQ(beyond.status, 416);
  EXPECT_EQ(beyond.field("Content-Range"), "bytes */300000");
}

TEST_F(S3ServerTest, heeds_conditions) {
  const std::string etag = client_.put("/b/k", "x").field("ETag");
  EXPECT_EQ(client_.get("/b/k", "If-None-Match: " + etag + "\r\n").status, 304);
  EXPECT_EQ(client_.get("/b/k", "If-Match: \"other\"\r\n").status, 412);
  EXPECT_EQ(client_.get("/b/k", "If-Match: " + etag + "\r\n").status, 200);
  EXPECT_EQ(client_.put("/b/k", "y", "If-None-Match: *\r\n").status, 412);
  EXPECT_EQ(client_.get("/b/k").body, "x");
}

TEST_F(S3ServerTest, keeps_what_the_client_says_of_an_object) {
  client_.put("/b/k", "x",
              "Content-Type: text/x\r\nx-amz-meta-who: me\r\n"
              "x-amz-storage-class: GLACIER\r\n");
  const Reply got = client_.get("/b/k");
  EXPECT_EQ(got.field("Content-Type"), "text/x");
  EXPECT_EQ(got.field("x-amz-meta-who"), "me");
  EXPECT_EQ(got.field("x-amz-storage-class"), "GLACIER");
  EXPECT_EQ(client_.put("/b/copy", "", "x-amz-copy-source: /b/k\r\n").status, 200);
  EXPECT_EQ(client_.get("/b/copy").field("x-amz-meta-who"), "me");
  EXPECT_EQ(client_.request("POST", "/b/k?restore", "<RestoreRequest/>").status, 202);
  EXPECT_EQ(client_.request("POST", "/b/no?restore").status, 404);
}

TEST_F(S3ServerTest, lists_in_pages_of_both_versions) {
  for (int i = 0; i < 25; ++i) client_.put("/b/k" + std::to_string(100 + i), "x");
  std::string target = "/b?list-type=2&max-keys=10";
  int pages = 0;
  std::size_t names = 0;
  while (!target.empty()) {
    const Reply page = client_.get(target);
    ASSERT_EQ(page.status, 200);
    ++pages;
    for (std::size_t at = 0; (at = page.body.find("<Key>", at)) != std::string::npos; ++at) ++names;
    target.clear();
    if (page.body.find("<IsTruncated>true") != std::string::npos) {
      target = "/b?list-type=2&max-keys=10&continuation-token=" +
               between(page.body, "<NextContinuationToken>", "<");
    }
  }
  EXPECT_EQ(pages, 3);
  EXPECT_EQ(names, 25U);
  const Reply first = client_.get("/b?max-keys=24");
  EXPECT_THAT(first.body, HasSubstr("<NextMarker>k123</NextMarker>"));
  const Reply rest = client_.get("/b?marker=k123");
  EXPECT_THAT(rest.body, HasSubstr("<Key>k124</Key>"));
  EXPECT_THAT(rest.body, Not(HasSubstr("<Key>k123<")));
  EXPECT_THAT(client_.get("/b?list-type=2&start-after=k123").body, HasSubstr("<KeyCount>1<"));
  EXPECT_THAT(client_.get("/b?delimiter=1&prefix=k").body, HasSubstr("<Prefix>k1</Prefix>"));
  EXPECT_EQ(client_.get("/b?max-keys=x").status, 400);
  EXPECT_EQ(client_.get("/b?list-type=2&continuation-token=zz").status, 400);
  EXPECT_EQ(client_.get("/none?list-type=2").status, 404);
}

TEST_F(S3ServerTest, manages_buckets_as_s3_does) {
  EXPECT_THAT(client_.put("/b").body, HasSubstr("BucketAlreadyOwnedByYou"));
  EXPECT_EQ(client_.request("HEAD", "/b").status, 200);
  EXPECT_EQ(client_.request("HEAD", "/none").status, 404);
  EXPECT_THAT(client_.get("/").body, HasSubstr("<Name>b</Name>"));
  EXPECT_THAT(client_.get("/b?location").body, HasSubstr("LocationConstraint"));
  EXPECT_THAT(client_.put("/none/k", "x").body, HasSubstr("NoSuchBucket"));
  EXPECT_EQ(client_.put("/_bad/k", "x").status, 400);
  client_.put("/b/k", "x");
  const Reply full = client_.request("DELETE", "/b");
  EXPECT_EQ(full.status, 409);
  EXPECT_THAT(full.body, HasSubstr("BucketNotEmpty"));
  client_.request("DELETE", "/b/k");
  EXPECT_EQ(client_.request("DELETE", "/b").status, 204);
  EXPECT_EQ(client_.request("DELETE", "/b").status, 404);
  EXPECT_EQ(client_.put("/c").status, 200);
  EXPECT_EQ(client_.get("/c?acl").status, 501);
  EXPECT_EQ(client_.request("PATCH", "/c").status, 405);
}

TEST_F(S3ServerTest, deletes_many_names) {
  for (const char* key : {"x", "y", "z"}) client_.put(std::string("/b/") + key, key);
  const std::string xml =
      "<Delete><Object><Key>x</Key></Object><Object><Key>none</Key></Object>"
      "<Object><Key>z</Key></Object></Delete>";
  aws::Md5 md5;
  md5.update(std::string_view(xml));
  const std::string digest = "Content-MD5: " + aws::to_base64(md5.finish()) + "\r\n";
  const Reply reply = client_.request("POST", "/b?delete", xml, digest);
  EXPECT_EQ(reply.status, 200);
  EXPECT_THAT(reply.body, HasSubstr("<Deleted><Key>none</Key></Deleted>"));
  EXPECT_EQ(client_.get("/b/x").status, 404);
  EXPECT_EQ(client_.get("/b/y").status, 200);
  EXPECT_THAT(client_.request("POST", "/b?delete", "<Delete>").body, HasSubstr("MalformedXML"));
  const ServeCounters counters = server_->counters();
  EXPECT_EQ(counters.by_kind.at(RequestKind::delete_objects).items, 3U);
}

TEST_F(S3ServerTest, assembles_multipart_uploads) {
  const Reply begun = client_.request("POST", "/b/big?uploads");
  const std::string id = between(begun.body, "<UploadId>", "<");
  const std::string one = random_bytes(600'000);
  const std::string two = random_bytes(70'000);
  const std::string target = "/b/big?uploadId=" + id + "&partNumber=";
  EXPECT_EQ(client_.put(target + "2", two).status, 200);
  const std::string etag = client_.put(target + "1", one).field("ETag");
  EXPECT_THAT(client_.get("/b?uploads").body, HasSubstr(id));
  EXPECT_THAT(client_.get("/b/big?uploadId=" + id).body, HasSubstr("<Size>600000</Size>"));
  EXPECT_EQ(client_.get("/b/big").status, 404);
  const std::string xml =
      "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>" + etag +
      "</ETag></Part><Part><PartNumber>2</PartNumber></Part></CompleteMultipartUpload>";
  const Reply done = client_.request("POST", "/b/big?uploadId=" + id, xml);
  EXPECT_EQ(done.status, 200);
  EXPECT_THAT(done.body, HasSubstr("-2&quot;</ETag>"));
  EXPECT_EQ(client_.get("/b/big").body, one + two);
  EXPECT_EQ(client_.get("/b/big", "Range: bytes=599990-600009\r\n").body,
            one.substr(599'990) + two.substr(0, 10));
  EXPECT_THAT(client_.put(target + "3", "x").body, HasSubstr("NoSuchUpload"));
  EXPECT_EQ(client_.put("/b/big?uploadId=x&partNumber=0", "x").status, 400);
  const std::string other =
      between(client_.request("POST", "/b/o?uploads").body, "<UploadId>", "<");
  EXPECT_EQ(client_.request("DELETE", "/b/o?uploadId=" + other).status, 204);
  EXPECT_EQ(client_.request("DELETE", "/b/o?uploadId=" + other).status, 404);
}

TEST_F(S3ServerTest, decodes_chunked_bodies) {
  client_.send(
      "PUT /b/k HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
      "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\nGET /b/k HTTP/1.1\r\n\r\n");
  EXPECT_EQ(client_.receive().status, 200);
  EXPECT_EQ(client_.receive().body, "hello world");
  const std::string body = "5\r\nhello\r\n0\r\nx-amz-checksum-crc32: AAAAAA==\r\n\r\n";
  EXPECT_EQ(client_
                .put("/b/k", body,
                     "x-amz-content-sha256: STREAMING-UNSIGNED-PAYLOAD-TRAILER\r\n"
                     "x-amz-decoded-content-length: 5\r\n")
                .status,
            200);
  EXPECT_EQ(client_.get("/b/k").body, "hello");
  EXPECT_THAT(client_
                  .put("/b/k", body,
                       "x-amz-content-sha256: STREAMING-UNSIGNED-PAYLOAD-TRAILER\r\n"
                       "x-amz-decoded-content-length: 6\r\n")
                  .body,
              HasSubstr("IncompleteBody"));
  EXPECT_EQ(client_.get("/b/k").body, "hello");
  const Reply bad =
      client_.put("/b/k", "zz\r\n", "x-amz-content-sha256: STREAMING-UNSIGNED-PAYLOAD-TRAILER\r\n");
  EXPECT_EQ(bad.status, 400);
  EXPECT_EQ(bad.field("Connection"), "close");
}

TEST_F(S3ServerTest, answers_expect_continue) {
  client_.send("PUT /b/k HTTP/1.1\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client_.receive().status, 100);
  client_.send("hello");
  EXPECT_EQ(client_.receive().status, 200);
  client_.send("PUT /none/k HTTP/1.1\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
  const Reply refused = client_.receive();
  EXPECT_EQ(refused.status, 404);
  EXPECT_EQ(refused.field("Connection"), "close");
}

TEST_F(S3ServerTest, checks_content_md5) {
  aws::Md5 md5;
  md5.update(std::string_view("hello"));
  const std::string digest = aws::to_base64(md5.finish());
  EXPECT_EQ(client_.put("/b/k", "hello", "Content-MD5: " + digest + "\r\n").status, 200);
  EXPECT_THAT(client_.put("/b/k", "hellO", "Content-MD5: " + digest + "\r\n").body,
              HasSubstr("BadDigest"));
  EXPECT_THAT(client_.put("/b/k", "hello", "Content-MD5: xyz\r\n").body,
              HasSubstr("InvalidDigest"));
  EXPECT_EQ(client_.get("/b/k").body, "hello");
}

TEST_F(S3ServerTest, finds_the_bucket_in_the_host) {
  client_.send("PUT /k HTTP/1.1\r\nHost: b.localhost:80\r\nContent-Length: 1\r\n\r\nx");
  EXPECT_EQ(client_.receive().status, 200);
  EXPECT_EQ(client_.get("/b/k").body, "x");
  client_.send("GET /?list-type=2 HTTP/1.1\r\nHost: b.localhost\r\n\r\n");
  EXPECT_THAT(client_.receive().body, HasSubstr("<Key>k</Key>"));
}

TEST_F(S3ServerTest, refuses_a_put_without_length_and_one_that_is_too_large) {
  client_.send("PUT /b/k HTTP/1.1\r\n\r\n");
  EXPECT_EQ(client_.receive().status, 411);
  client_.send("PUT /b/k HTTP/1.1\r\nContent-Length: 6000000000000000\r\n\r\n");
  const Reply large = client_.receive();
  EXPECT_EQ(large.status, 413);
  EXPECT_EQ(large.field("Connection"), "close");
}

TEST_F(S3ServerTest, pipelined_requests_are_answered_in_order) {
  client_.put("/b/1", "one");
  client_.put("/b/2", random_bytes(200'000));
  std::string requests;
  for (int i = 0; i < 50; ++i) {
    requests += "GET /b/1 HTTP/1.1\r\n\r\nGET /b/2 HTTP/1.1\r\n\r\nHEAD /b/2 HTTP/1.1\r\n\r\n";
  }
  ASSERT_TRUE(client_.send(requests));
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(client_.receive().body, "one");
    EXPECT_EQ(client_.receive().body.size(), 200'000U);
    EXPECT_EQ(client_.receive(true).status, 200);
  }
}

TEST_F(S3ServerTest, keeps_an_answer_under_way_when_its_object_is_replaced) {
  const std::string old_bytes = random_bytes(16 << 20);
  client_.put("/b/k", old_bytes);
  TestClient slow(server_->port());
  slow.send("GET /b/k HTTP/1.1\r\n\r\n");  // more than the sockets hold
  char begun = 0;
  ASSERT_EQ(::recv(slow.fd(), &begun, 1, MSG_PEEK), 1);
  for (int i = 0; i < 10; ++i)
    client_.put("/b/k", random_bytes(1'000'000 + static_cast<unsigned>(i)));
  EXPECT_EQ(client_.request("DELETE", "/b/k").status, 204);
  for (int i = 0; i < 10; ++i) client_.put("/b/new" + std::to_string(i), random_bytes(1 << 20));
  EXPECT_TRUE(slow.receive().body == old_bytes);
}

TEST_F(S3ServerTest, counts_what_it_did) {
  client_.put("/b/k", "12345");
  client_.get("/b/k");
  client_.get("/b/none");
  EXPECT_EQ(client_.get("/_loadline/nothing").status, 404);
  const std::string json = client_.get("/_loadline/counters").body;
  EXPECT_THAT(json, HasSubstr("\"get_object\":{\"requests\":2,\"status\":{\"200\":1,\"404\":1}"));
  EXPECT_THAT(json, HasSubstr("\"put_object\":{\"requests\":1,\"status\":{\"200\":1},\"items\":0,"
                              "\"bytes_in\":5,"));
  EXPECT_EQ(server_->counters().of(RequestKind::create_bucket, 200), 1U);
  EXPECT_EQ(client_.request("POST", "/_loadline/reset").status, 200);
  EXPECT_EQ(server_->counters().of(RequestKind::get_object), 0U);
  client_.get("/b/k");
  EXPECT_EQ(server_->counters().of(RequestKind::get_object, 200), 1U);
  EXPECT_EQ(server_->counters().by_kind.at(RequestKind::get_object).bytes_out, 5U);
  EXPECT_THAT(counters_text(server_->counters()), HasSubstr("get_object"));
}

TEST(S3Server, says_507_when_memory_has_run_out) {
  const auto server = started({.memory_limit = Bytes(8 << 20)});
  TestClient client(server->port());
  client.put("/b");
  EXPECT_EQ(client.put("/b/small", random_bytes(3 << 20)).status, 200);
  const Reply full = client.put("/b/large", random_bytes(9 << 20));
  EXPECT_EQ(full.status, 507);
  EXPECT_THAT(full.body, HasSubstr("<Code>InsufficientStorage</Code>"));
  EXPECT_EQ(client.get("/b/large").status, 404);
  EXPECT_EQ(client.request("DELETE", "/b/small").status, 204);
  EXPECT_EQ(client.put("/b/large", random_bytes(7 << 20)).status, 200);
}

TEST(S3Server, keeps_lengths_only_when_told) {
  const auto server = started({.memory_limit = Bytes(4 << 20), .retain = Retain::length});
  TestClient client(server->port());
  client.put("/b");
  EXPECT_EQ(client.put("/b/k", random_bytes(9 << 20)).status, 200);
  const Reply got = client.get("/b/k");
  EXPECT_TRUE(got.whole);
  EXPECT_EQ(got.body.size(), 9U << 20);
}

TEST(S3Server, answers_md5_etags_when_told) {
  const auto server = started({.etag = EtagKind::md5});
  TestClient client(server->port());
  client.put("/b");
  EXPECT_EQ(client.put("/b/k", "hello").field("ETag"), "\"5d41402abc4b2a76b9719d911017c592\"");
  const std::string large = random_bytes(3'000'000);
  aws::Md5 md5;
  md5.update(std::string_view(large));
  EXPECT_EQ(client.put("/b/l", large).field("ETag"), "\"" + aws::to_hex(md5.finish()) + "\"");
  client.put("/b/copy", "", "x-amz-copy-source: b/k\r\n");
  EXPECT_EQ(client.get("/b/copy").field("ETag"), "\"5d41402abc4b2a76b9719d911017c592\"");
}

TEST(S3Server, delays_answers_by_the_model) {
  const auto server = started({.delay = *DelayModel::parse("fixed:30")});
  const SteadyClock clock;
  TestClient client(server->port());
  const Instant before = clock.now();
  client.put("/b");
  client.get("/b");
  const Duration took = clock.now() - before;
  EXPECT_GE(took, Duration::milliseconds(60));
  EXPECT_LT(took, Duration::milliseconds(600));
}

TEST(S3Server, refuses_options_that_make_no_sense) {
  const auto error_of = [](ServeOptions options) {
    const auto server = S3Server::start(std::move(options));
    return server ? std::string("started") : server.error().message();
  };
  EXPECT_THAT(error_of({.listen = "0.0.0.0:0"}), HasSubstr("not a loopback address"));
  EXPECT_THAT(error_of({.listen = "here"}), HasSubstr("not ADDRESS:PORT"));
  EXPECT_THAT(error_of({.listen = "127.0.0.1:99999"}), HasSubstr("not ADDRESS:PORT"));
  EXPECT_THAT(error_of({.listen = "127.0.0.1:0", .threads = 0}), HasSubstr("threads"));
  EXPECT_THAT(error_of({.listen = "127.0.0.1:0", .keys = {{"", Secret("s")}}}), HasSubstr("key"));
  const auto server = started();
  const std::string taken = "127.0.0.1:" + std::to_string(server->port());
  EXPECT_THAT(error_of({.listen = taken}), HasSubstr("port is in use"));
  EXPECT_EQ(error_of({.listen = "[::1]:0", .memory_limit = Bytes(1 << 20)}), "started");
}

}  // namespace
}  // namespace loadline::serve
