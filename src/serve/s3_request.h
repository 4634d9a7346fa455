// What an HTTP request means in S3's terms: which operation, on which bucket and key, with which
// parameters. Owns its texts, since the head's bytes are gone while a body arrives.
//
// Threads: plain value, pure function.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"
#include "serve/http_head.h"
#include "serve/request_kind.h"
#include "serve/s3_error.h"
#include "serve/stored_object.h"

namespace loadline::serve {

struct ListParameters {
  bool version_2 = false;
  bool encode_url = false;
  std::string prefix;
  std::string delimiter;
  std::string start;               // V1: marker, V2: start-after
  std::string continuation_token;  // V2
  std::uint64_t max_keys = 1000;
};

struct S3Request {
  RequestKind kind = RequestKind::other;
  const S3Error* refusal = nullptr;  // set where it cannot be served, whatever the store holds
  bool head_only = false;            // HEAD: an answer never has a body
  bool bucket_in_host = false;
  std::string bucket;
  std::string key;
  std::string upload_id;
  std::uint32_t part_number = 0;
  ListParameters list;
  std::string range;
  std::string if_match;
  std::string if_none_match;
  std::string copy_source;  // decoded: bucket/key
  std::string content_md5;  // base64, or empty
  ObjectHeaders object_headers;
  bool aws_chunked = false;
  std::optional<Bytes> length;  // of the object's bytes in the body, where the headers tell
};

// `server_name`: "bucket.<server_name>" and "bucket.localhost" in Host are virtual-host style.
S3Request parse_s3_request(const HttpHead& head, std::string_view server_name);

}  // namespace loadline::serve
