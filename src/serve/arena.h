// The memory of the store: chunks of one memfd, mapped and also reachable as a file, so that a body
// goes to a socket by sendfile without being copied.
//
// The danger of sending that way is that the kernel goes on reading the pages after sendfile has
// returned, until the peer has consumed them. A chunk that was ever sent so is therefore never
// written again: its pages are given back to the kernel (which keeps those still in flight alive)
// and the next owner of the chunk gets new ones. Other chunks are reused as they are.
//
// Ownership: the arena owns all chunks and outlives everything stored in it.
// Threads: all methods may be called from any thread; the bytes of a chunk belong to its owner.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/unique_fd.h"
#include "base/units.h"

namespace loadline::serve {

// A place in the arena; `touched` of its `capacity` bytes count against the limit.
struct Chunk {
  std::uint64_t offset = 0;
  std::uint32_t capacity = 0;
  std::uint32_t touched = 0;
};

class Arena {
 public:
  static constexpr std::size_t k_chunk_least = 32 * 1024;
  static constexpr std::size_t k_chunk_most = 1024 * 1024;

  // `limit` bounds everything charged: chunks and what charge() takes.
  static Result<std::unique_ptr<Arena>> make(Bytes limit);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // A chunk for `wanted` bytes (or the largest there is, where it is more); nullopt when full.
  std::optional<Chunk> allocate(std::size_t wanted);
  // `sent` says whether any byte of it was ever handed to sendfile.
  void release(Chunk chunk, bool sent);
  // Lowers what a chunk counts for, to its first `used` bytes.
  void trim(Chunk& chunk, std::size_t used);

  // Counts memory outside the chunks, small bodies and names; false when full.
  bool charge(Bytes bytes);
  void uncharge(Bytes bytes);

  std::byte* at(std::uint64_t offset) const { return base_ + offset; }
  int fd() const { return file_.get(); }
  Bytes used() const { return Bytes(live_.load(std::memory_order_relaxed)); }
  Bytes limit() const { return Bytes(limit_); }

 private:
  static constexpr std::size_t k_classes = 6;  // 32 KiB, 64 KiB ... 1 MiB

  Arena(UniqueFd file, std::byte* base, std::uint64_t length, std::uint64_t limit)
      : file_(std::move(file)), base_(base), length_(length), limit_(limit) {}
  bool make_room(std::uint64_t bytes);
  void give_back(const Chunk& chunk);

  UniqueFd file_;
  std::byte* base_;
  std::uint64_t length_;
  std::uint64_t limit_;
  std::mutex mutex_;                                      // guards everything below
  std::atomic<std::uint64_t> live_{0};                    // charged and in use
  std::uint64_t idle_ = 0;                                // touched by free chunks
  std::uint64_t next_ = 0;                                // offset never given out so far
  std::array<std::vector<Chunk>, k_classes> free_dirty_;  // hold pages
  std::array<std::vector<std::uint64_t>, k_classes> free_clean_;
};

}  // namespace loadline::serve
