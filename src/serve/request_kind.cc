#include "serve/request_kind.h"

namespace loadline::serve {

std::string_view to_string(RequestKind kind) {
  switch (kind) {
    case RequestKind::get_object: return "get_object";
    case RequestKind::put_object: return "put_object";
    case RequestKind::head_object: return "head_object";
    case RequestKind::delete_object: return "delete_object";
    case RequestKind::delete_objects: return "delete_objects";
    case RequestKind::copy_object: return "copy_object";
    case RequestKind::restore_object: return "restore_object";
    case RequestKind::list_objects: return "list_objects";
    case RequestKind::list_buckets: return "list_buckets";
    case RequestKind::create_bucket: return "create_bucket";
    case RequestKind::head_bucket: return "head_bucket";
    case RequestKind::delete_bucket: return "delete_bucket";
    case RequestKind::get_bucket_location: return "get_bucket_location";
    case RequestKind::create_upload: return "create_upload";
    case RequestKind::upload_part: return "upload_part";
    case RequestKind::complete_upload: return "complete_upload";
    case RequestKind::abort_upload: return "abort_upload";
    case RequestKind::list_parts: return "list_parts";
    case RequestKind::list_uploads: return "list_uploads";
    case RequestKind::other: return "other";
  }
  return "other";
}

std::array<RequestKind, k_request_kinds> all_request_kinds() {
  std::array<RequestKind, k_request_kinds> all{};
  for (std::size_t i = 0; i < k_request_kinds; ++i) all[i] = static_cast<RequestKind>(i);
  return all;
}

std::optional<RequestKind> request_kind_of(std::string_view word) {
  for (const RequestKind kind : all_request_kinds()) {
    if (word == to_string(kind)) return kind;
  }
  return std::nullopt;
}

}  // namespace loadline::serve
