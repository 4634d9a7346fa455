#include "target/op.h"

namespace loadline::target {

std::string_view to_string(OpKind kind) {
  switch (kind) {
    case OpKind::read: return "read";
    case OpKind::write: return "write";
    case OpKind::multipart_write: return "multipart_write";
    case OpKind::remove: return "delete";
    case OpKind::remove_many: return "delete_many";
    case OpKind::list: return "list";
    case OpKind::head: return "head";
    case OpKind::restore: return "restore";
    case OpKind::create_container: return "create_container";
    case OpKind::head_container: return "head_container";
    case OpKind::remove_container: return "delete_container";
    case OpKind::sync: return "sync";
    case OpKind::sync_data: return "sync_data";
    case OpKind::sync_range: return "sync_range";
    case OpKind::trim: return "trim";
    case OpKind::allocate: return "allocate";
    case OpKind::truncate: return "truncate";
    case OpKind::create: return "create";
    case OpKind::open: return "open";
    case OpKind::rename: return "rename";
    case OpKind::append: return "append";
    case OpKind::make_folder: return "mkdir";
  }
  return "unknown";
}

}  // namespace loadline::target
