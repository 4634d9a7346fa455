#include "target/target.h"

namespace loadline::target {
namespace {

Error no_block_io() {
  return {.code = ErrorCode::unsupported, .what = "this storage has no block I/O", .context = {}};
}

}  // namespace

Result<OpenedObject> Session::open_object(std::string_view, const OpenMode&) {
  return std::unexpected(no_block_io());
}

Result<void> Session::close_object(ObjectHandle) { return std::unexpected(no_block_io()); }

Result<std::vector<std::string>> Session::list_names(std::string_view, std::string_view) {
  return fail(ErrorCode::unsupported, "this storage cannot list names one by one");
}

Result<void> Session::use_memory(std::span<std::byte>) { return {}; }

Result<std::vector<ObjectFacts>> Target::provide(std::span<const ObjectNeed>, const LayoutNotice&) {
  return std::unexpected(no_block_io());
}

std::unique_ptr<Watch> Target::watch(std::span<const ObjectNeed>, std::uint32_t) { return nullptr; }

Result<ContentSummary> Target::content_summary(std::string_view) {
  return fail(ErrorCode::unsupported, "this storage cannot count what lies below a path");
}

}  // namespace loadline::target
