// Carries out S3 requests on the store: from the head of a request, over the pieces of its body, to
// the answer. Knows no sockets.
//
// Ownership: borrows the ServerState, which outlives it.
// Threads: one service per serving thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "aws/chunks.h"
#include "aws/digest.h"
#include "aws/verifier.h"
#include "base/clock.h"
#include "serve/body.h"
#include "serve/http_head.h"
#include "serve/s3_error.h"
#include "serve/s3_request.h"
#include "serve/server_state.h"
#include "serve/stored_object.h"

namespace loadline::serve {

// What to send back. The body is `text`, or bytes begin..end of `object`.
struct Answer {
  int status = 200;
  std::string headers;            // further lines, each ended by CRLF
  std::string_view content_type;  // may point into *object; empty: none is sent
  std::string text;
  ObjectPin object;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool head_only = false;   // the length is announced, the body not sent
  std::uint64_t items = 0;  // names deleted or listed
  std::uint64_t body_length() const { return object ? end - begin : text.size(); }
};

// One request under way.
struct Exchange {
  S3Request request;
  std::string method;  // of a request to control.h
  std::string path;    // as it came, for error documents
  std::string request_id;
  const S3Error* error = nullptr;    // known already; the rest of the body is dropped
  std::optional<BodyWriter> writer;  // the object's bytes; else they are gathered in text
  std::string text;
  std::uint64_t received = 0;  // bytes of the object, or of the text
  std::optional<aws::Md5> md5;
  std::optional<aws::Sha256> sha256;
  std::string expected_sha256;  // 64 hex, or empty
  std::optional<aws::ChunkSigner> chunk_signer;
  std::optional<aws::Sha256> chunk_sha256;
};

class S3Service {
 public:
  explicit S3Service(ServerState& state);

  // Understands the head and checks all that can be checked before the body: signature, names, that
  // bucket and upload exist. What is wrong is left in exchange.error.
  void begin(const HttpHead& head, Exchange& exchange);
  // Bytes of the body in order; whatever they are, they are taken or dropped.
  void take(Exchange& exchange, std::span<const std::byte> bytes);
  // The same for bytes that were received into exchange.writer->space().
  void take_in_place(Exchange& exchange, std::span<const std::byte> bytes);
  // An aws-chunk ended that claims this signature.
  void end_chunk(Exchange& exchange, std::string_view signature);
  // The body was malformed.
  static void spoil(Exchange& exchange) { exchange.error = &s3_errors::incomplete_body; }
  // The body is complete: does what was asked.
  Answer finish(Exchange& exchange);

  static Answer refuse(const Exchange& exchange, const S3Error& error);

 private:
  void authenticate(const HttpHead& head, Exchange& exchange);
  void expect_body(const HttpHead& head, Exchange& exchange);
  void digest(Exchange& exchange, std::span<const std::byte> bytes);
  const S3Error* check_digests(Exchange& exchange);
  std::string new_etag();
  Answer perform(Exchange& exchange);
  Answer put_object(Exchange& exchange);
  Answer upload_part(Exchange& exchange);
  Answer get_object(Exchange& exchange);
  Answer copy_object(Exchange& exchange);
  Answer delete_objects(Exchange& exchange);
  Answer list_objects(Exchange& exchange);
  Answer multipart(Exchange& exchange);
  Answer bucket_level(Exchange& exchange);

  ServerState& state_;
  ObjectStore& store_;
  aws::Verifier verifier_;
  std::optional<aws::Md5Digest> md5_digest_;  // of the body that was checked last
};

}  // namespace loadline::serve
