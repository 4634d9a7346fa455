// Signs requests in the Authorization header: SigV4
// (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html) and SigV2
// (https://docs.aws.amazon.com/AmazonS3/latest/userguide/RESTAuthentication.html).
//
// Built for a load generator: the signing key is derived once a day, the dates are formatted and
// the constant head of the text to sign is digested once a second, and after the first requests
// nothing is allocated.
//
// Threads: a signer belongs to one thread; make one per session.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "aws/digest.h"
#include "base/clock.h"
#include "base/secret.h"

namespace loadline::aws {

struct Credentials {
  std::string access_key;
  Secret secret_key;
  Secret session_token = {};  // may be empty
};

// What x-amz-content-sha256 says where the body's digest is not in it.
inline constexpr std::string_view k_unsigned_payload = "UNSIGNED-PAYLOAD";
inline constexpr std::string_view k_streaming_payload = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
// The digest of no bytes.
inline constexpr std::string_view k_empty_payload_hash =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

struct Header {
  std::string_view name;
  std::string_view value;
};

// A request as it will be sent. All views are borrowed for the call.
struct SignRequest {
  std::string_view method = {};  // "GET"
  std::string_view path = {};    // encoded, as in the request line: "/bucket/a%20b"
  std::string_view query = {};   // canonical (uri.h), without the ?; as in the request line
  std::string_view host = {};    // the Host header's value
  std::span<const Header> headers =
      {};  // further headers to sign: lower-case names in ascending order,
           // trimmed values, none of those the signer writes itself
  std::string_view payload_hash = k_unsigned_payload;  // or lower-case hex, or k_streaming_payload
};

// The most that sign() writes besides a session token and twice the names of further headers.
inline constexpr std::size_t k_signature_lines_max = 768;

// SigV4.
class Signer {
 public:
  Signer(Credentials credentials, std::string region, std::string service = "s3");

  // Appends the header lines x-amz-content-sha256, x-amz-date, x-amz-security-token (where there is
  // a token) and Authorization, each ended by CRLF.
  void sign(const SignRequest& request, WallTime now, std::string& out);

  // Of the last request signed, for the chunks of a streaming upload: its signature (64 hex), its
  // time stamp ("20130524T000000Z"), its scope and its key.
  std::string_view last_signature() const { return {signature_.data(), signature_.size()}; }
  std::string_view timestamp() const { return {timestamp_.data(), timestamp_.size()}; }
  std::string_view scope() const { return scope_; }
  const HmacSha256& signing_key() const { return *signing_key_; }

 private:
  void enter_second(std::int64_t second);
  void write_constant_parts(const SignRequest& request);
  void append_own_header(std::size_t which, const SignRequest& request);

  Credentials credentials_;
  std::string region_;
  std::string service_;
  std::int64_t second_ = INT64_MIN;  // of timestamp_
  std::int64_t day_ = INT64_MIN;     // of scope_ and signing_key_
  std::array<char, 16> timestamp_{};
  std::string scope_;       // 20130524/us-east-1/s3/aws4_request
  std::string credential_;  // the Authorization value up to SignedHeaders=
  std::optional<HmacSha256> signing_key_;
  // The text to sign is "AWS4-HMAC-SHA256\n<timestamp>\n<scope>\n" and a digest: the state after
  // its whole blocks, and the rest with room for the digest.
  Sha256Midstate to_sign_begin_{};
  std::string to_sign_rest_;
  std::size_t to_sign_rest_size_ = 0;
  std::array<char, 64> signature_{};
  // What stays the same from request to request within a second, as long as host and payload hash
  // do and there are no further headers.
  std::string constant_host_;
  std::string constant_hash_;
  bool constant_ = false;
  std::string canonical_tail_;  // of the canonical request, behind the query
  std::string lines_;           // of the output, up to the signature
  std::string canonical_;
  std::string names_;
};

// The signing key of a day and scope, derived in four steps.
HmacSha256 derive_signing_key(std::string_view secret_key, std::string_view date,
                              std::string_view region, std::string_view service);

// A request in the terms of SigV2. All views are borrowed for the call.
struct SignRequestV2 {
  std::string_view method = {};
  std::string_view path = {};         // encoded, as in the request line
  std::string_view query = {};        // as in the request line
  std::string_view bucket = {};       // of a virtual-host request; empty in path style
  std::string_view content_md5 = {};  // as sent, or empty
  std::string_view content_type = {};
  std::string_view date = {};  // the Date header; empty where x-amz-date is among the headers
  std::span<const Header> headers = {};  // x-amz-* only: lower-case names in ascending order
};

// The text that SigV2 signs; the verifier needs it too.
std::string string_to_sign_v2(const SignRequestV2& request);
// "base64 of HMAC-SHA1"
std::string signature_v2(std::string_view secret_key, std::string_view string_to_sign);

// SigV2.
class SignerV2 {
 public:
  explicit SignerV2(Credentials credentials) : credentials_(std::move(credentials)) {}
  // Appends the lines Date, x-amz-security-token (where there is a token) and Authorization.
  // `request.date` is ignored; request.headers must not hold the token.
  void sign(SignRequestV2 request, WallTime now, std::string& out);

 private:
  Credentials credentials_;
};

// "20130524T000000Z" and "Fri, 24 May 2013 00:00:00 GMT"
std::array<char, 16> basic_timestamp(WallTime when);
std::string http_date(WallTime when);

}  // namespace loadline::aws
