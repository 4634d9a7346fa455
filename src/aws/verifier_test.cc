#include "aws/verifier.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "aws/chunks.h"
#include "aws/uri.h"

namespace loadline::aws {
namespace {

const WallTime k_now = WallTime::from_ns(1'700'000'000'123'456'789);

class VerifierTest : public testing::Test {
 protected:
  VerifierTest() { keys_["AK/1"] = Secret("very+secret/"); }

  Verifier make_verifier(Duration max_skew = {}) {
    return Verifier(
        [this](std::string_view key) -> const Secret* {
          const auto it = keys_.find(std::string(key));
          return it == keys_.end() ? nullptr : &it->second;
        },
        max_skew);
  }

  static Credentials credentials() {
    return {.access_key = "AK/1", .secret_key = Secret("very+secret/"), .session_token = {}};
  }

  // Parses the signer's lines into headers; the views point into `lines`.
  static std::vector<Header> headers_of(const std::string& lines) {
    std::vector<Header> headers;
    std::string_view rest = lines;
    while (!rest.empty()) {
      const std::size_t colon = rest.find(": ");
      const std::size_t end = rest.find("\r\n");
      headers.push_back({rest.substr(0, colon), rest.substr(colon + 2, end - colon - 2)});
      rest.remove_prefix(end + 2);
    }
    return headers;
  }

  std::map<std::string, Secret> keys_;
};

const std::vector<std::string> k_nasty_keys = {"plain",
                                               "with space",
                                               "a+b",
                                               "100%",
                                               "%41",
                                               "ünïcode/日本",
                                               "//double//",
                                               "../up/./here",
                                               "semi;colon,comma=equals&amp?query#hash",
                                               "tilde~star*quote'(paren)!",
                                               std::string("\x01\x7f\xff", 3)};

TEST_F(VerifierTest, accepts_what_the_signer_signs_for_nasty_keys) {
  Signer signer(credentials(), "us-east-1");
  Verifier verifier = make_verifier();
  for (const std::string& key : k_nasty_keys) {
    const std::string path = "/bucket/" + encode_path(key);
    const std::string query = "list-type=2&prefix=" + encode_component(key);
    std::string lines = "Host: localhost:1234\r\n";
    signer.sign(
        {.method = "GET", .path = path, .query = query, .host = "localhost:1234", .headers = {}},
        k_now, lines);
    auto headers = headers_of(lines);
    ReceivedRequest received{
        .method = "GET", .raw_path = path, .raw_query = query, .headers = headers, .bucket = ""};
    const Verified verified = verifier.verify(received, k_now);
    EXPECT_EQ(verified.status, VerifyStatus::ok) << key;
    EXPECT_EQ(verified.access_key, "AK/1");
    EXPECT_EQ(verified.payload_hash, k_unsigned_payload);
    received.method = "PUT";
    EXPECT_EQ(verifier.verify(received, k_now).status, VerifyStatus::mismatch);
  }
}

TEST_F(VerifierTest, accepts_a_path_that_the_client_left_less_encoded) {
  Signer signer(credentials(), "r");
  std::string lines = "host: h\r\n";
  signer.sign(
      {.method = "GET", .path = "/b/a%2B%28x%29", .query = "a=&b=%20", .host = "h", .headers = {}},
      k_now, lines);
  const auto headers = headers_of(lines);
  Verifier verifier = make_verifier();
  EXPECT_EQ(verifier
                .verify({.method = "GET",
                         .raw_path = "/b/a+(x)",
                         .raw_query = "b=+&a",
                         .headers = headers,
                         .bucket = ""},
                        k_now)
                .status,
            VerifyStatus::ok);
}

TEST_F(VerifierTest, accepts_sigv2_in_path_and_virtual_host_style) {
  SignerV2 signer(credentials());
  Verifier verifier = make_verifier();
  for (const std::string_view bucket : {"", "photos"}) {
    for (const std::string& key : k_nasty_keys) {
      const std::string path = "/" + encode_path(key);
      const std::vector<Header> amz = {{"x-amz-storage-class", "STANDARD"}};
      std::string lines =
          "X-Amz-Storage-Class: STANDARD\r\nContent-Type: a/b\r\nContent-MD5: aaaa\r\n";
      signer.sign({.method = "PUT",
                   .path = path,
                   .query = "uploadId=a%2Bb&partNumber=1&other=2",
                   .bucket = bucket,
                   .content_md5 = "aaaa",
                   .content_type = "a/b",
                   .date = "",
                   .headers = amz},
                  k_now, lines);
      const auto headers = headers_of(lines);
      ReceivedRequest received{.method = "PUT",
                               .raw_path = path,
                               .raw_query = "uploadId=a%2Bb&partNumber=1&other=2",
                               .headers = headers,
                               .bucket = bucket};
      EXPECT_EQ(verifier.verify(received, k_now).status, VerifyStatus::ok) << key;
      received.raw_query = "uploadId=a%2Bb&partNumber=2";
      EXPECT_EQ(verifier.verify(received, k_now).status, VerifyStatus::mismatch);
    }
  }
}

TEST_F(VerifierTest, tells_the_ways_of_being_wrong_apart) {
  Verifier verifier = make_verifier(Duration::seconds(900));
  Signer signer(credentials(), "us-east-1");
  std::string lines = "host: h\r\n";
  signer.sign({.method = "GET", .path = "/", .query = "", .host = "h", .headers = {}}, k_now,
              lines);
  auto headers = headers_of(lines);
  const auto status = [&](std::span<const Header> h, WallTime now) {
    return verifier
        .verify({.method = "GET", .raw_path = "/", .raw_query = "", .headers = h, .bucket = ""},
                now)
        .status;
  };
  EXPECT_EQ(status(headers, k_now), VerifyStatus::ok);
  EXPECT_EQ(status(headers, k_now + Duration::seconds(901)), VerifyStatus::skewed);
  EXPECT_EQ(status({}, k_now), VerifyStatus::anonymous);
  const std::vector<Header> odd = {{"authorization", "Bearer x"}};
  EXPECT_EQ(status(odd, k_now), VerifyStatus::malformed);
  const std::vector<Header> cut = {{"authorization", "AWS4-HMAC-SHA256 Credential=a/b"}};
  EXPECT_EQ(status(cut, k_now), VerifyStatus::malformed);
  keys_["AK/1"] = Secret("another");
  EXPECT_EQ(status(headers, k_now), VerifyStatus::mismatch);
  keys_.clear();
  EXPECT_EQ(status(headers, k_now), VerifyStatus::unknown_key);
  EXPECT_EQ(s3_error_code(VerifyStatus::unknown_key), "InvalidAccessKeyId");
}

TEST(ChunkDecoder, takes_a_body_apart_whatever_the_pieces) {
  const HmacSha256 key = derive_signing_key("s", "20240101", "r", "s3");
  ChunkSigner signer(key, "20240101T000000Z", "20240101/r/s3/aws4_request", std::string(64, '0'));
  const std::string data(20'000, 'x');
  std::string body;
  for (std::string_view rest = data; true;) {
    const std::string_view piece = rest.substr(0, 8192);
    rest.remove_prefix(piece.size());
    std::array<char, k_chunk_header_max> header;
    const std::size_t n = write_chunk_header(piece.size(), signer.next(sha256(piece)), header);
    body.append(header.data(), n).append(piece).append("\r\n");
    if (piece.empty()) break;
  }
  EXPECT_EQ(chunked_length(Bytes(data.size()), 8192), Bytes(body.size()));
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{64}, body.size()}) {
    ChunkDecoder decoder;
    ChunkSigner checker(key, "20240101T000000Z", "20240101/r/s3/aws4_request",
                        std::string(64, '0'));
    std::string seen;
    std::string chunk;
    int chunks = 0;
    ChunkDecoder::Event last{};
    for (std::size_t at = 0; at < body.size(); at += piece) {
      auto input = std::as_bytes(std::span(body).subspan(at, std::min(piece, body.size() - at)));
      while (true) {
        const auto step = decoder.step(input);
        input = input.subspan(step.used);
        last = step.event;
        chunk.append(reinterpret_cast<const char*>(step.data.data()), step.data.size());
        if (step.event == ChunkDecoder::Event::chunk_end) {
          EXPECT_EQ(checker.next(sha256(chunk)), decoder.signature());
          seen += chunk;
          chunk.clear();
          ++chunks;
        }
        if (step.event != ChunkDecoder::Event::data && step.event != ChunkDecoder::Event::chunk_end)
          break;
      }
    }
    EXPECT_EQ(last, ChunkDecoder::Event::end);
    EXPECT_EQ(seen, data);
    EXPECT_EQ(chunks, 4);
  }
}

TEST(ChunkDecoder, skips_trailers_and_refuses_garbage) {
  const auto last_event = [](std::string_view body) {
    ChunkDecoder decoder;
    auto input = std::as_bytes(std::span(body));
    for (;;) {
      const auto step = decoder.step(input);
      input = input.subspan(step.used);
      if (step.event == ChunkDecoder::Event::need_more || step.event == ChunkDecoder::Event::end ||
          step.event == ChunkDecoder::Event::bad)
        return step.event;
    }
  };
  EXPECT_EQ(last_event("3\r\nabc\r\n0\r\nx-amz-checksum-crc32:AAAA==\r\n\r\n"),
            ChunkDecoder::Event::end);
  EXPECT_EQ(last_event("3\r\nabc\r\n"), ChunkDecoder::Event::need_more);
  EXPECT_EQ(last_event("zz\r\n"), ChunkDecoder::Event::bad);
  EXPECT_EQ(last_event("3\r\nabcd"), ChunkDecoder::Event::bad);
  EXPECT_EQ(last_event("3;chunk-signature=short\r\n"), ChunkDecoder::Event::bad);
  EXPECT_EQ(last_event(std::string(5000, '0')), ChunkDecoder::Event::bad);
}

TEST(Uri, encodes_what_is_not_unreserved) {
  EXPECT_EQ(encode_path("a b+c%/~-._/ü//"), "a%20b%2Bc%25/~-._/%C3%BC//");
  EXPECT_EQ(encode_component("a/b=c&d"), "a%2Fb%3Dc%26d");
  for (const std::string& key : k_nasty_keys) EXPECT_EQ(decode_path(encode_path(key)), key);
  EXPECT_FALSE(decode_path("%4"));
  EXPECT_FALSE(decode_path("%zz"));
}

TEST(Uri, sorts_and_completes_a_query) {
  EXPECT_EQ(canonical_query("uploads"), "uploads=");
  EXPECT_EQ(canonical_query("prefix=a/b&list-type=2&&max-keys=1"),
            "list-type=2&max-keys=1&prefix=a%2Fb");
  EXPECT_EQ(canonical_query("a=%zz"), "a=%25zz");
  EXPECT_EQ(canonical_query(""), "");
}

TEST(Digest, agrees_with_known_values) {
  EXPECT_EQ(to_hex(sha256(std::string_view())), k_empty_payload_hash);
  EXPECT_EQ(to_base64(std::vector<std::uint8_t>{'f'}), "Zg==");
  EXPECT_EQ(to_base64(std::vector<std::uint8_t>{'f', 'o'}), "Zm8=");
  EXPECT_EQ(to_base64(std::vector<std::uint8_t>{'f', 'o', 'o'}), "Zm9v");
  std::vector<std::uint8_t> all(256);
  std::string hex;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = static_cast<std::uint8_t>(i);
    hex += "0123456789abcdef"[i / 16];
    hex += "0123456789abcdef"[i % 16];
  }
  for (const std::size_t size : {0, 1, 3, 4, 5, 31, 256}) {
    EXPECT_EQ(to_hex(std::span(all).first(size)), hex.substr(0, size * 2));
  }
  Md5 md5;
  md5.update("abc");
  EXPECT_EQ(to_hex(md5.finish()), "900150983cd24fb0d6963f7d28e17f72");
  // RFC 4231, test case 6: a key longer than a block.
  EXPECT_EQ(to_hex(HmacSha256(std::string(131, '\xaa'))
                       .of("Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

}  // namespace
}  // namespace loadline::aws
