#include "serve/s3_error.h"

namespace loadline::serve {

const S3Error* error_of(StoreStatus status) {
  switch (status) {
    case StoreStatus::ok: return nullptr;
    case StoreStatus::no_bucket: return &s3_errors::no_such_bucket;
    case StoreStatus::no_key: return &s3_errors::no_such_key;
    case StoreStatus::no_upload: return &s3_errors::no_such_upload;
    case StoreStatus::bucket_exists: return &s3_errors::bucket_exists;
    case StoreStatus::bucket_not_empty: return &s3_errors::bucket_not_empty;
    case StoreStatus::invalid_part: return &s3_errors::invalid_part;
    case StoreStatus::invalid_order: return &s3_errors::invalid_part_order;
    case StoreStatus::etag_mismatch: return &s3_errors::precondition_failed;
    case StoreStatus::no_space: return &s3_errors::out_of_memory;
  }
  return &s3_errors::internal_error;
}

}  // namespace loadline::serve
