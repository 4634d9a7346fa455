// Checks the Authorization header of a received request, SigV4 or SigV2, against the secret that
// belongs to its access key. For the built-in store and for tests; presigned URLs are not known.
//
// Threads: a verifier belongs to one thread (it keeps the last signing key).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "aws/digest.h"
#include "aws/signer.h"
#include "base/clock.h"
#include "base/secret.h"
#include "base/units.h"

namespace loadline::aws {

// A request as it came. Views are borrowed for the call.
struct ReceivedRequest {
  std::string_view method = {};
  std::string_view raw_path = {};        // of the request line, still encoded, without the query
  std::string_view raw_query = {};       // without the ?
  std::span<const Header> headers = {};  // in the order received, names in any case
  std::string_view bucket =
      {};  // V2 only: the bucket where it comes from the Host header, else empty
};

enum class VerifyStatus : std::uint8_t {
  ok,
  anonymous,    // no Authorization header
  malformed,    // not understood; S3 says AuthorizationHeaderMalformed (400)
  unknown_key,  // InvalidAccessKeyId (403)
  mismatch,     // SignatureDoesNotMatch (403)
  skewed,       // RequestTimeTooSkewed (403)
};

// What S3 calls it in an error body, e.g. "SignatureDoesNotMatch"; "" for ok.
std::string_view s3_error_code(VerifyStatus status);

struct Verified {
  VerifyStatus status = VerifyStatus::malformed;
  std::string_view access_key = {};  // points into the request
  // SigV4: the request's x-amz-content-sha256, for the check of the body, which is the caller's:
  // UNSIGNED-PAYLOAD, 64 hex, or STREAMING-... with the chunks checked by a ChunkSigner made of the
  // fields below. Views point into the request.
  std::string_view payload_hash = {};
  std::string_view timestamp = {};
  std::string_view scope = {};
  std::string_view signature = {};
};

class Verifier {
 public:
  // The secret of an access key, or nullptr; the pointer stays valid during the call.
  using Lookup = std::function<const Secret*(std::string_view access_key)>;
  // `max_skew` between the request's time and ours (S3: 15 minutes); zero switches the check off.
  explicit Verifier(Lookup lookup, Duration max_skew = {})
      : lookup_(std::move(lookup)), max_skew_(max_skew) {}

  Verified verify(const ReceivedRequest& request, WallTime now);
  // The key of the last SigV4 request that verified, for the chunks of its body.
  const HmacSha256* signing_key() const { return signing_key_ ? &*signing_key_ : nullptr; }

 private:
  Verified verify_v4(const ReceivedRequest& request, std::string_view authorization, WallTime now);
  Verified verify_v2(const ReceivedRequest& request, std::string_view authorization, WallTime now);
  const HmacSha256& key_of(std::string_view access_key, std::string_view scope,
                           const Secret& secret);
  bool skewed(std::optional<WallTime> then, WallTime now) const;

  Lookup lookup_;
  Duration max_skew_;
  std::string key_identity_;  // access key, secret and scope of signing_key_
  std::optional<HmacSha256> signing_key_;
  std::string canonical_;
};

// The time of "20130524T000000Z" or of "Fri, 24 May 2013 00:00:00 GMT" (or +0000).
std::optional<WallTime> parse_basic_timestamp(std::string_view text);
std::optional<WallTime> parse_http_date(std::string_view text);

}  // namespace loadline::aws
