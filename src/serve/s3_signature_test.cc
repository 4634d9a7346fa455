// Signatures over real sockets: what our signer signs is let in, anything changed is not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "aws/chunks.h"
#include "aws/signer.h"
#include "serve/s3_server.h"
#include "serve/test_client.h"

namespace loadline::serve {
namespace {

using testing::HasSubstr;

class SignatureTest : public testing::Test {
 protected:
  SignatureTest()
      : server_(start()),
        client_(server_->port()),
        signer_({"AK", Secret("sk"), Secret()}, "us-east-1") {
    EXPECT_EQ(send("PUT", "/b", "", "").status, 200);
  }

  static std::unique_ptr<S3Server> start() {
    auto server = S3Server::start({.listen = "127.0.0.1:0",
                                   .keys = {{"other", Secret("x")}, {"AK", Secret("sk")}},
                                   .memory_limit = Bytes(64 << 20)});
    EXPECT_TRUE(server);
    return std::move(*server);
  }

  std::string signed_head(std::string_view method, std::string_view path, std::string_view query,
                          std::string_view hash, std::span<const aws::Header> headers = {},
                          WallTime when = WallTime::now()) {
    std::string out(method);
    out.append(" ").append(path);
    if (!query.empty()) out.append("?").append(query);
    out.append(" HTTP/1.1\r\nHost: s3.test\r\n");
    for (const auto& field : headers) {
      out.append(field.name).append(": ").append(field.value).append("\r\n");
    }
    signer_.sign({.method = method,
                  .path = path,
                  .query = query,
                  .host = "s3.test",
                  .headers = headers,
                  .payload_hash = hash},
                 when, out);
    return out;
  }

  Reply send(std::string_view method, std::string_view path, std::string_view query,
             std::string_view body, std::string_view hash = aws::k_unsigned_payload) {
    std::string text = signed_head(method, path, query, hash);
    text.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n\r\n");
    client_.send(text.append(body));
    return client_.receive(method == "HEAD");
  }

  std::unique_ptr<S3Server> server_;
  TestClient client_;
  aws::Signer signer_;
};

TEST_F(SignatureTest, lets_signed_requests_in) {
  EXPECT_EQ(send("PUT", "/b/a%20b%2B", "", "hello").status, 200);
  EXPECT_EQ(send("GET", "/b/a%20b%2B", "", "").body, "hello");
  EXPECT_EQ(send("GET", "/b", "list-type=2&prefix=a%20", "").status, 200);
  EXPECT_EQ(send("HEAD", "/b/a%20b%2B", "", "").status, 200);
}

TEST_F(SignatureTest, refuses_strangers_by_name) {
  const Reply anonymous = client_.get("/b");
  EXPECT_EQ(anonymous.status, 403);
  EXPECT_THAT(anonymous.body, HasSubstr("<Code>AccessDenied</Code>"));
  signer_ = aws::Signer({"nobody", Secret("sk"), Secret()}, "us-east-1");
  EXPECT_THAT(send("GET", "/b", "", "").body, HasSubstr("<Code>InvalidAccessKeyId</Code>"));
  signer_ = aws::Signer({"AK", Secret("wrong"), Secret()}, "us-east-1");
  const Reply wrong = send("GET", "/b", "", "");
  EXPECT_EQ(wrong.status, 403);
  EXPECT_THAT(wrong.body, HasSubstr("<Code>SignatureDoesNotMatch</Code>"));
  const Reply garbage = client_.get("/b", "Authorization: AWS4-HMAC-SHA256 nonsense\r\n");
  EXPECT_EQ(garbage.status, 400);
  EXPECT_EQ(server_->counters().of(RequestKind::list_objects, 403), 3U);
}

TEST_F(SignatureTest, refuses_requests_that_were_changed_or_are_old) {
  std::string text = signed_head("GET", "/b/k", "", aws::k_unsigned_payload);
  text.replace(text.find("/b/k"), 4, "/b/j");
  client_.send(text + "\r\n");
  EXPECT_THAT(client_.receive().body, HasSubstr("SignatureDoesNotMatch"));
  const WallTime old = WallTime::now() + Duration::seconds(-3600);
  client_.send(signed_head("GET", "/b", "", aws::k_unsigned_payload, {}, old) + "\r\n");
  EXPECT_THAT(client_.receive().body, HasSubstr("RequestTimeTooSkewed"));
}

TEST_F(SignatureTest, checks_a_signed_payload) {
  const std::string hash = aws::to_hex(aws::sha256(std::string_view("hello")));
  EXPECT_EQ(send("PUT", "/b/k", "", "hello", hash).status, 200);
  const Reply changed = send("PUT", "/b/k", "", "hellO", hash);
  EXPECT_EQ(changed.status, 400);
  EXPECT_THAT(changed.body, HasSubstr("XAmzContentSHA256Mismatch"));
  EXPECT_THAT(send("PUT", "/b/k", "", "x", aws::k_empty_payload_hash).body,
              HasSubstr("XAmzContentSHA256Mismatch"));
  EXPECT_EQ(send("GET", "/b/k", "", "", aws::k_empty_payload_hash).body, "hello");
  const std::string large(3'000'000, 'x');
  EXPECT_EQ(send("PUT", "/b/l", "", large, aws::to_hex(aws::sha256(large))).status, 200);
}

TEST_F(SignatureTest, checks_the_signature_of_every_chunk) {
  const std::string data(200'000, 'd');
  for (const bool honest : {true, false}) {
    const std::string decoded = std::to_string(data.size());
    const aws::Header headers[] = {{"x-amz-decoded-content-length", decoded}};
    std::string text = signed_head("PUT", "/b/k", "", aws::k_streaming_payload, headers);
    aws::ChunkSigner chunks(signer_.signing_key(), signer_.timestamp(), signer_.scope(),
                            signer_.last_signature());
    text += "Content-Length: " + std::to_string(aws::chunked_length(Bytes(data.size())).count()) +
            "\r\n\r\n";
    for (std::size_t at = 0; at <= data.size(); at += aws::k_chunk_data_bytes) {
      const bool last = at + aws::k_chunk_data_bytes > data.size();
      for (const std::string& piece : last
                                          ? std::vector{data.substr(at), std::string()}
                                          : std::vector{data.substr(at, aws::k_chunk_data_bytes)}) {
        std::array<char, aws::k_chunk_header_max> line;
        const std::size_t n =
            aws::write_chunk_header(piece.size(), chunks.next(aws::sha256(piece)), line);
        text.append(line.data(), n).append(piece).append("\r\n");
      }
    }
    if (!honest) text[text.size() - 500] = 'e';
    client_.send(text);
    const Reply reply = client_.receive();
    EXPECT_EQ(reply.status, honest ? 200 : 403) << reply.body;
  }
  EXPECT_EQ(send("GET", "/b/k", "", "").body, data);
}

TEST_F(SignatureTest, needs_no_signature_for_its_own_pages) {
  EXPECT_EQ(client_.get("/_loadline/counters").status, 200);
}

}  // namespace
}  // namespace loadline::serve
