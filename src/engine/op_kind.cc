#include "engine/op_kind.h"

#include "base/check.h"

namespace loadline::engine {

using target::OpKind;

OpKind kind_of(plan::Action action) {
  switch (action) {
    case plan::Action::read: return OpKind::read;
    case plan::Action::write:
    case plan::Action::file_write: return OpKind::write;
    case plan::Action::multipart_write:
    case plan::Action::multipart_file_write: return OpKind::multipart_write;
    case plan::Action::remove: return OpKind::remove;
    case plan::Action::list: return OpKind::list;
    case plan::Action::head: return OpKind::head;
    case plan::Action::restore: return OpKind::restore;
    case plan::Action::create: return OpKind::create;
    case plan::Action::open: return OpKind::open;
    case plan::Action::rename: return OpKind::rename;
    case plan::Action::append: return OpKind::append;
    case plan::Action::truncate: return OpKind::truncate;
    case plan::Action::make_folder: return OpKind::make_folder;
    default: break;
  }
  check_failed("a walk has no kind of its own");
  return OpKind::read;
}

bool sends_file(plan::Action action) {
  return action == plan::Action::file_write || action == plan::Action::multipart_file_write;
}

}  // namespace loadline::engine
