// The bytes of a write, without ever holding them: a view of a small pool that repeats, and an
// optional trailer at the end. And the place where the bytes of a read go.
//
// Ownership: a Payload borrows pool and trailer; both outlive the operation that carries it.
// Threads: a Payload is a value; one operation uses it at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "base/check.h"
#include "base/units.h"

namespace loadline::target {

class Payload {
 public:
  Payload() = default;
  // `size` bytes: the pool from `start` on, over and over, the last bytes replaced by the trailer.
  // The pool is not empty where size exceeds the trailer; start lies inside the pool.
  Payload(Bytes size, std::span<const std::byte> pool, std::size_t start,
          std::span<const std::byte> trailer = {})
      : size_(size.count()), pool_(pool), start_(start), trailer_(trailer) {
    CHECK(trailer.size() <= size_);
    CHECK(size_ == trailer.size() || start < pool.size());
  }

  Bytes size() const { return Bytes(size_); }

  // The longest contiguous run of bytes that begins at `offset`; empty at the end.
  std::span<const std::byte> at(Bytes offset) const {
    const std::uint64_t body = size_ - trailer_.size();
    const std::uint64_t o = offset.count();
    if (o < body) {
      const std::size_t in_pool = (start_ + o) % pool_.size();
      return pool_.subspan(in_pool, std::min<std::uint64_t>(pool_.size() - in_pool, body - o));
    }
    return o < size_ ? trailer_.subspan(o - body) : std::span<const std::byte>{};
  }

 private:
  std::uint64_t size_ = 0;
  std::span<const std::byte> pool_;
  std::size_t start_ = 0;
  std::span<const std::byte> trailer_;
};

// Takes the body of a read in order, as it arrives. Implemented by the engine for verification; an
// operation without a sink has its body dropped as cheaply as the target can.
class BodySink {
 public:
  virtual ~BodySink() = default;
  virtual void consume(std::span<const std::byte> bytes) = 0;
  // The target starts the body again from its first byte (a retry).
  virtual void restart() = 0;
};

}  // namespace loadline::target
