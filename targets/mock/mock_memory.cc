#include "targets/mock/mock_memory.h"

#include <algorithm>

namespace loadline::targets {

using target::OpKind;
using target::Outcome;

target::Completion MockMemory::perform(const target::Op& op) {
  const std::scoped_lock lock(mutex_);
  target::Completion completion{.slot = op.slot};
  if (op.kind == OpKind::create_container || op.kind == OpKind::head_container ||
      op.kind == OpKind::remove_container) {
    completion.outcome = on_container(op);
    return completion;
  }
  const auto found = containers_.find(op.container);
  if (found == containers_.end()) {
    completion.outcome = Outcome::not_found;
    completion.detail = "no such container";
    return completion;
  }
  Container& container = found->second;
  switch (op.kind) {
    case OpKind::read: completion.outcome = read(op, container, completion.bytes); break;
    case OpKind::write:
    case OpKind::multipart_write:
      container.insert_or_assign(std::string(op.object), bytes_of(op.payload));
      completion.bytes = op.payload.size();
      break;
    case OpKind::remove: container.erase(std::string(op.object)); break;
    case OpKind::remove_many:
      for (const std::string_view name : op.objects) container.erase(std::string(name));
      completion.items = static_cast<std::uint32_t>(op.objects.size());
      break;
    case OpKind::list:
      for (auto it = container.lower_bound(op.object);
           it != container.end() && it->first.starts_with(op.object); ++it) {
        completion.items += 1;
        completion.bytes += Bytes(it->first.size());
      }
      break;
    default: completion.outcome = on_name(op, container, completion.bytes); break;
  }
  return completion;
}

Outcome MockMemory::on_container(const target::Op& op) {
  const auto found = containers_.find(op.container);
  const bool there = found != containers_.end();
  if (op.kind == OpKind::create_container) {
    if (there) return Outcome::exists;
    containers_.emplace(std::string(op.container), Container());
    return Outcome::ok;
  }
  if (!there) return Outcome::not_found;
  if (op.kind == OpKind::head_container) return Outcome::ok;
  if (!found->second.empty()) return Outcome::not_empty;
  containers_.erase(found);
  return Outcome::ok;
}

// Folders are not kept: a name is a name, whatever slashes it holds.
Outcome MockMemory::on_name(const target::Op& op, Container& container, Bytes& bytes) {
  const auto found = container.find(op.object);
  const bool there = found != container.end();
  if (op.kind == OpKind::create || op.kind == OpKind::make_folder) {
    if (there) return Outcome::exists;
    if (op.kind == OpKind::make_folder) return Outcome::ok;
    container.emplace(std::string(op.object), bytes_of(op.payload));
    bytes = op.payload.size();
    return Outcome::ok;
  }
  if (!there) return Outcome::not_found;
  if (op.kind == OpKind::append) {
    const Object more = bytes_of(op.payload);
    found->second.insert(found->second.end(), more.begin(), more.end());
    bytes = op.payload.size();
  } else if (op.kind == OpKind::truncate) {
    found->second.resize(op.range ? op.range->offset.count() : 0);
  } else if (op.kind == OpKind::rename) {
    if (container.contains(op.new_object)) return Outcome::exists;
    auto node = container.extract(found);
    node.key() = std::string(op.new_object);
    container.insert(std::move(node));
  }
  return Outcome::ok;
}

Outcome MockMemory::read(const target::Op& op, const Container& container, Bytes& bytes) const {
  const auto found = container.find(op.object);
  if (found == container.end()) return Outcome::not_found;
  std::span<const std::byte> body = found->second;
  if (op.range) {
    if (op.range->offset.count() >= body.size() && !body.empty()) return Outcome::invalid;
    body = body.subspan(std::min<std::size_t>(op.range->offset.count(), body.size()));
    body = body.first(std::min<std::size_t>(op.range->length.count(), body.size()));
  }
  bytes = Bytes(body.size());
  if (op.sink) op.sink->consume(body);
  return Outcome::ok;
}

MockMemory::Object MockMemory::bytes_of(const target::Payload& payload) {
  Object bytes;
  bytes.reserve(payload.size().count());
  Bytes offset;
  for (auto run = payload.at(offset); !run.empty(); run = payload.at(offset)) {
    bytes.insert(bytes.end(), run.begin(), run.end());
    offset += Bytes(run.size());
  }
  return bytes;
}

}  // namespace loadline::targets
