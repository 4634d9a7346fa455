// The XML documents of the S3 protocol, written and read.
// https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
//
// Threads: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "serve/object_store.h"
#include "serve/s3_error.h"
#include "serve/s3_request.h"

namespace loadline::serve {

std::string error_xml(const S3Error& error, std::string_view resource, std::string_view request_id);
std::string buckets_xml(std::span<const ListedBucket> buckets);
std::string location_xml();
// Both versions; `next_token` is the V2 token for the next page.
std::string list_xml(const S3Request& request, const ListPage& page, std::string_view next_token);
std::string upload_begun_xml(const S3Request& request, std::string_view upload_id);
std::string upload_completed_xml(const S3Request& request, std::string_view etag);
std::string parts_xml(const S3Request& request, std::span<const ListedPart> parts);
std::string uploads_xml(const S3Request& request, std::span<const ListedUpload> uploads);
std::string copied_xml(std::string_view etag, WallTime modified);

struct DeleteRequest {
  std::vector<std::string> keys;
  bool quiet = false;  // the answer names failures only
};
// bad_input where it is no Delete document, or has no keys or more than 1000.
Result<DeleteRequest> parse_delete_request(std::string_view xml);
std::string deleted_xml(const DeleteRequest& request);

// The parts in the order given. bad_input where it is no CompleteMultipartUpload document.
Result<std::vector<NamedPart>> parse_complete_upload(std::string_view xml);

// An object's name between tags: text that XML cannot carry as a character reference.
void append_xml_text(std::string& out, std::string_view text);

}  // namespace loadline::serve
