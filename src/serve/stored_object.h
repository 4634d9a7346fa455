// One version of an object: immutable once it is in the store. A GET under way pins the version it
// began with, whatever happens to the name meanwhile.
//
// Ownership: ObjectPin counts its users inside the object (a shared_ptr's second allocation and
// thread-wide machinery are not needed); the last pin deletes it.
// Threads: pins may be copied and dropped on any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/units.h"
#include "serve/body.h"

namespace loadline::serve {

// What a PUT or the start of a multipart upload says beside the bytes.
struct ObjectHeaders {
  std::string content_type;
  std::string storage_class;  // empty: STANDARD
  std::string extra;          // header lines to give back as they are, x-amz-meta-* and such
};

class StoredObject {
 public:
  StoredObject(ObjectHeaders said, std::string quoted_etag, WallTime now,
               std::vector<std::unique_ptr<Body>> bodies);

  const ObjectHeaders headers;
  const std::string etag;  // with its quotes
  const WallTime modified;
  const std::string last_modified;  // the same as HTTP writes it

  Bytes size() const { return Bytes(size_); }
  // The longest contiguous run from `offset` on, at most `most` bytes; empty at the end.
  Slice slice(std::uint64_t offset, std::size_t most) const;
  // Must be called before any of it goes out by sendfile.
  void mark_sent(std::uint64_t offset) const { bodies_[body_at(offset)]->mark_sent(); }

 private:
  friend class ObjectPin;
  std::size_t body_at(std::uint64_t offset) const;

  std::vector<std::unique_ptr<Body>> bodies_;  // several after a multipart upload
  std::vector<std::uint64_t> ends_;            // where each ends in the object
  std::uint64_t size_ = 0;
  mutable std::atomic<std::uint32_t> pins_{0};
};

class ObjectPin {
 public:
  ObjectPin() = default;
  explicit ObjectPin(std::unique_ptr<StoredObject> object) : object_(object.release()) { hold(); }
  ObjectPin(const ObjectPin& o) : object_(o.object_) { hold(); }
  ObjectPin(ObjectPin&& o) noexcept : object_(std::exchange(o.object_, nullptr)) {}
  ObjectPin& operator=(ObjectPin o) noexcept {
    std::swap(object_, o.object_);
    return *this;
  }
  ~ObjectPin() {
    if (object_ != nullptr && object_->pins_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      delete object_;
    }
  }

  explicit operator bool() const { return object_ != nullptr; }
  const StoredObject* operator->() const { return object_; }
  const StoredObject& operator*() const { return *object_; }

 private:
  void hold() const {
    if (object_ != nullptr) object_->pins_.fetch_add(1, std::memory_order_relaxed);
  }
  StoredObject* object_ = nullptr;
};

}  // namespace loadline::serve
