#include "aws/signer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "aws/chunks.h"
#include "aws/verifier.h"

// The requests, keys and signatures of Amazon's documentation (see the URLs in the headers).
namespace loadline::aws {
namespace {

constexpr std::string_view k_example_key = "AKIAIOSFODNN7EXAMPLE";
constexpr std::string_view k_example_secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
constexpr std::string_view k_example_host = "examplebucket.s3.amazonaws.com";

Credentials example_credentials() {
  return {.access_key = std::string(k_example_key),
          .secret_key = Secret(std::string(k_example_secret)),
          .session_token = {}};
}

WallTime example_time() { return *parse_basic_timestamp("20130524T000000Z"); }

TEST(Signer, signs_the_documented_get_object) {
  Signer signer(example_credentials(), "us-east-1");
  const std::vector<Header> headers = {{"range", "bytes=0-9"}};
  std::string out;
  signer.sign({.method = "GET",
               .path = "/test.txt",
               .query = "",
               .host = k_example_host,
               .headers = headers,
               .payload_hash = k_empty_payload_hash},
              example_time(), out);
  EXPECT_EQ(out,
            "x-amz-content-sha256: "
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\r\n"
            "x-amz-date: 20130524T000000Z\r\n"
            "Authorization: AWS4-HMAC-SHA256 "
            "Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
            "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
            "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41\r\n");
}

TEST(Signer, signs_the_documented_put_object) {
  Signer signer(example_credentials(), "us-east-1");
  const std::vector<Header> headers = {{"date", "Fri, 24 May 2013 00:00:00 GMT"},
                                       {"x-amz-storage-class", "REDUCED_REDUNDANCY"}};
  const std::string hash = to_hex(sha256("Welcome to Amazon S3."));
  std::string out;
  signer.sign({.method = "PUT",
               .path = "/test%24file.text",
               .query = "",
               .host = k_example_host,
               .headers = headers,
               .payload_hash = hash},
              example_time(), out);
  EXPECT_EQ(signer.last_signature(),
            "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
  EXPECT_NE(out.find("date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class"),
            std::string::npos);
}

TEST(Signer, signs_the_documented_queries) {
  Signer signer(example_credentials(), "us-east-1");
  std::string out;
  SignRequest request{.method = "GET",
                      .path = "/",
                      .query = "lifecycle=",
                      .host = k_example_host,
                      .headers = {},
                      .payload_hash = k_empty_payload_hash};
  signer.sign(request, example_time(), out);
  EXPECT_EQ(signer.last_signature(),
            "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
  request.query = "max-keys=2&prefix=J";
  signer.sign(request, example_time(), out);
  EXPECT_EQ(signer.last_signature(),
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
}

TEST(Signer, signs_the_documented_streaming_upload) {
  EXPECT_EQ(chunked_length(Bytes(66560)), Bytes(66824));
  Signer signer(example_credentials(), "us-east-1");
  const std::vector<Header> headers = {{"content-encoding", "aws-chunked"},
                                       {"content-length", "66824"},
                                       {"x-amz-decoded-content-length", "66560"},
                                       {"x-amz-storage-class", "REDUCED_REDUNDANCY"}};
  std::string out;
  signer.sign({.method = "PUT",
               .path = "/examplebucket/chunkObject.txt",
               .query = "",
               .host = "s3.amazonaws.com",
               .headers = headers,
               .payload_hash = k_streaming_payload},
              example_time(), out);
  EXPECT_EQ(signer.last_signature(),
            "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9");

  ChunkSigner chunks(signer.signing_key(), signer.timestamp(), signer.scope(),
                     signer.last_signature());
  EXPECT_EQ(chunks.next(sha256(std::string(65536, 'a'))),
            "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648");
  EXPECT_EQ(chunks.next(sha256(std::string(1024, 'a'))),
            "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497");
  EXPECT_EQ(chunks.next(sha256(std::string_view())),
            "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9");
}

TEST(Signer, follows_the_clock_over_seconds_and_days) {
  Signer kept(example_credentials(), "eu-west-1");
  const SignRequest request{
      .method = "GET", .path = "/b/k", .query = "", .host = "h", .headers = {}};
  WallTime now = *parse_basic_timestamp("20240228T235958Z");
  for (int i = 0; i < 5; ++i, now = now + Duration::milliseconds(700)) {
    Signer fresh(example_credentials(), "eu-west-1");
    std::string from_kept;
    std::string from_fresh;
    kept.sign(request, now, from_kept);
    fresh.sign(request, now, from_fresh);
    EXPECT_EQ(from_kept, from_fresh);
  }
  EXPECT_EQ(kept.timestamp(), "20240229T000000Z");
}

TEST(Signer, sends_and_signs_a_session_token) {
  Credentials credentials = example_credentials();
  credentials.session_token = Secret("TOKEN/1");
  Signer signer(credentials, "us-east-1");
  std::string out;
  signer.sign({.method = "GET", .path = "/", .query = "", .host = "h", .headers = {}},
              example_time(), out);
  EXPECT_NE(out.find("x-amz-security-token: TOKEN/1\r\n"), std::string::npos);
  EXPECT_NE(out.find("x-amz-date;x-amz-security-token,"), std::string::npos);
}

TEST(Digest, in_place_agrees_with_the_library_for_every_length) {
  for (std::size_t size = 0; size < 300; ++size) {
    const std::string message(size, static_cast<char>('a' + size % 26));
    std::string buffer = message + std::string(k_sha256_padding, 'x');
    EXPECT_EQ(digest_in_place(sha256_begin(), buffer, size), sha256(message)) << size;
    if (size < 128) continue;
    Sha256 head;
    head.update(std::string_view(message).substr(0, 128));
    buffer = message.substr(128) + std::string(k_sha256_padding, 'x');
    EXPECT_EQ(digest_in_place(head.midstate(), buffer, size - 128), sha256(message)) << size;
  }
}

struct ExampleV2 {
  std::string_view method, path, query, type, date, signature;
};

class DocumentedV2 : public testing::TestWithParam<ExampleV2> {};

TEST_P(DocumentedV2, has_the_documented_signature) {
  const ExampleV2& example = GetParam();
  const std::string text = string_to_sign_v2({.method = example.method,
                                              .path = example.path,
                                              .query = example.query,
                                              .bucket = "johnsmith",
                                              .content_md5 = "",
                                              .content_type = example.type,
                                              .date = example.date,
                                              .headers = {}});
  EXPECT_EQ(signature_v2(k_example_secret, text), example.signature) << text;
}

INSTANTIATE_TEST_SUITE_P(
    SignerV2, DocumentedV2,
    testing::Values(ExampleV2{"GET", "/photos/puppy.jpg", "", "", "Tue, 27 Mar 2007 19:36:42 +0000",
                              "bWq2s1WEIj+Ydj0vQ697zp+IXMU="},
                    ExampleV2{"PUT", "/photos/puppy.jpg", "", "image/jpeg",
                              "Tue, 27 Mar 2007 21:15:45 +0000", "MyyxeRY7whkBe+bq8fHCL/2kKUg="},
                    ExampleV2{"GET", "/", "prefix=photos&max-keys=50&marker=puppy", "",
                              "Tue, 27 Mar 2007 19:42:41 +0000", "htDYFYduRNen8P9ZfE/s9SuKy0U="},
                    ExampleV2{"GET", "/", "acl", "", "Tue, 27 Mar 2007 19:44:46 +0000",
                              "c2WLPFtWHVgbEmeEG93a4cG37dM="}));

TEST(Dates, are_written_and_read_back) {
  const WallTime when = *parse_http_date("Fri, 24 May 2013 01:02:03 GMT");
  EXPECT_EQ(http_date(when), "Fri, 24 May 2013 01:02:03 GMT");
  const auto basic = basic_timestamp(when);
  EXPECT_EQ(std::string_view(basic.data(), basic.size()), "20130524T010203Z");
  EXPECT_EQ(parse_basic_timestamp("20130524T010203Z"), when);
  EXPECT_FALSE(parse_basic_timestamp("20131324T010203Z"));
  EXPECT_FALSE(parse_basic_timestamp("2013-5-24"));
  EXPECT_FALSE(parse_http_date("Fri, 99 May 2013 01:02:03 GMT"));
}

}  // namespace
}  // namespace loadline::aws
