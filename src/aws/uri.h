// Percent-encoding as Amazon's signatures define it: every byte but A-Z a-z 0-9 - . _ ~ becomes %XX
// with upper-case digits (RFC 3986, "unreserved"); space is %20, never +. S3 signs a path exactly
// as it is encoded on the wire: nothing is normalised, `//` and `..` stay.
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
//
// Threads: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace loadline::aws {

// Appends `path` encoded segment by segment: `/` stays.
void append_encoded_path(std::string& out, std::string_view path);
// Appends one key or value of a query: `/` becomes %2F.
void append_encoded_component(std::string& out, std::string_view text);

std::string encode_path(std::string_view path);
std::string encode_component(std::string_view text);

// Undoes %XX. Malformed escapes give nullopt. decode_query_component also reads + as a space.
std::optional<std::string> decode_path(std::string_view encoded);
std::optional<std::string> decode_query_component(std::string_view encoded);

// The canonical form of a query as it stands in a request line (without the ?): every key and value
// decoded and encoded again, sorted by key, then value, `key=` where there was no value. Malformed
// escapes are kept as they are, encoded.
std::string canonical_query(std::string_view raw_query);

}  // namespace loadline::aws
