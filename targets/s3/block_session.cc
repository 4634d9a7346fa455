#include "targets/s3/block_session.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace loadline::targets::s3 {

using target::OpKind;

BlockPath split_block_path(std::string_view path) {
  while (path.starts_with('/')) path.remove_prefix(1);
  const std::size_t slash = std::min(path.find('/'), path.size());
  return {.bucket = std::string(path.substr(0, slash)),
          .name = std::string(path.substr(std::min(slash + 1, path.size())))};
}

void BlockSession::Slot::consume(std::span<const std::byte> bytes) {
  // An object may be longer than the block: the rest is counted as read and not kept.
  const std::size_t n = std::min(bytes.size(), memory.size() - filled);
  if (n > 0) std::memcpy(memory.data() + filled, bytes.data(), n);
  filled += n;
}

BlockSession::BlockSession(std::unique_ptr<S3Session> session, BlockSizes sizes,
                           std::uint32_t slots)
    : session_(std::move(session)), sizes_(std::move(sizes)), slots_(slots) {
  synced_.reserve(slots);
}

target::Submitted BlockSession::submit(const target::Op& op) {
  if (op.handle == target::k_no_object) return session_->submit(op);
  if (op.kind == OpKind::sync || op.kind == OpKind::sync_data || op.kind == OpKind::sync_range) {
    synced_.push_back(op.slot);
    return target::Submitted::accepted;
  }
  CHECK(op.range.has_value());
  Slot& slot = slots_[op.slot];
  const BlockPath& path = open_[static_cast<std::size_t>(op.handle)];
  target::Op object{.kind = op.kind, .slot = op.slot, .container = path.bucket};
  slot.kind = op.kind;
  slot.length = op.range->length.count();
  slot.memory = op.memory;
  slot.filled = 0;
  slot.object = path.name + '_' + std::to_string(op.range->offset.count()) + '_' +
                std::to_string(slot.length);
  object.object = slot.object;
  if (op.kind == OpKind::read) {
    object.sink = &slot;
  } else if (op.kind == OpKind::write) {
    object.payload = target::Payload(op.range->length, op.memory, 0);
  } else if (op.kind == OpKind::trim) {
    object.kind = OpKind::remove;
  }
  return session_->submit(object);
}

std::size_t BlockSession::reap(std::span<target::Completion> into, Instant deadline) {
  if (!synced_.empty()) {
    into[0] = {.slot = synced_.back()};
    synced_.pop_back();
    return 1;
  }
  const std::size_t n = session_->reap(into, deadline);
  for (target::Completion& completion : into.first(n)) {
    const Slot& slot = slots_[completion.slot];
    // What blocks know of failures are values of errno, which the outcome says.
    completion.status = 0;
    if (slot.kind != OpKind::read || completion.outcome != target::Outcome::ok) continue;
    completion.bytes = Bytes(slot.filled);
    if (slot.filled < slot.length) {
      completion.outcome = target::Outcome::short_transfer;
      completion.detail = "the object is shorter than the block";
    }
  }
  return n;
}

void BlockSession::cancel() { session_->cancel(); }

Result<target::OpenedObject> BlockSession::open_object(std::string_view name,
                                                       const target::OpenMode&) {
  BlockPath path = split_block_path(name);
  if (path.bucket.empty() || path.name.empty()) {
    return fail(ErrorCode::bad_input, "is no /BUCKET/OBJECT", std::string(name));
  }
  const auto known = sizes_.find(name);
  open_.push_back(std::move(path));
  return target::OpenedObject{
      .handle = target::ObjectHandle(static_cast<std::uint32_t>(open_.size() - 1)),
      .size = known == sizes_.end() ? Bytes() : known->second};
}

// The handle's name stays: there is nothing to give back.
Result<void> BlockSession::close_object(target::ObjectHandle) { return {}; }

}  // namespace loadline::targets::s3
