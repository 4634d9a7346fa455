// ETags, with their quotes as they stand in headers.
//
// S3's ETag of a plain PUT is the MD5 of the body, which costs more than everything else the store
// does with it. So it is a choice (EtagKind::md5); otherwise an ETag is a number that is new with
// every PUT, in the form `"<32 hex>-1"`: the dash is what tells clients that it is no MD5 to
// compare with.
//
// Threads: pure functions.
#pragma once

#include <span>
#include <string>

#include "aws/digest.h"
#include "serve/object_store.h"

namespace loadline::serve {

std::string md5_etag(const aws::Md5Digest& digest);
std::string fast_etag(std::uint64_t seed, std::uint64_t number);
// Of the parts' ETags in order: MD5 over their digests, a dash, the number of parts, as S3 does it.
// Where the parts' ETags are no MD5s, their text stands in.
std::string multipart_etag(std::span<const NamedPart> parts);

}  // namespace loadline::serve
