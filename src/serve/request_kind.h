// The kinds of request that the store tells apart: what counters count by and fault rules name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace loadline::serve {

enum class RequestKind : std::uint8_t {
  get_object,
  put_object,
  head_object,
  delete_object,
  delete_objects,  // POST ?delete, many names
  copy_object,
  restore_object,
  list_objects,  // both versions
  list_buckets,
  create_bucket,
  head_bucket,
  delete_bucket,
  get_bucket_location,
  create_upload,  // multipart
  upload_part,
  complete_upload,
  abort_upload,
  list_parts,
  list_uploads,
  other,  // understood as HTTP, but nothing this store does
};

inline constexpr std::size_t k_request_kinds = static_cast<std::size_t>(RequestKind::other) + 1;

// The word in counters and fault rules, e.g. "get_object".
std::string_view to_string(RequestKind kind);
std::optional<RequestKind> request_kind_of(std::string_view word);
std::array<RequestKind, k_request_kinds> all_request_kinds();

}  // namespace loadline::serve
