// The bytes of one object, or of one part of it, exactly as they were put.
//
// Load generators send a pool of bytes over and over, so a body is kept as extents of two sorts:
// bytes as they came (in chunks of the arena), and "the same as `period` bytes before", which costs
// nothing however long it is. A 10 GB object made of a 4 MB pool takes 4 MB. A body that does not
// repeat is simply kept. Bodies up to k_small_body bytes live on the heap: they are sent by copy,
// which is cheaper than sendfile for them.
//
// Ownership: a Body owns its chunks; the arena outlives it. Where the store keeps lengths only
// (Retain::length), bodies share a filler that the store owns.
// Threads: a finished Body is immutable and may be read from any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/units.h"
#include "serve/arena.h"

namespace loadline::serve {

inline constexpr std::size_t k_small_body = 16 * 1024;

// A contiguous run of a body.
struct Slice {
  const std::byte* data = nullptr;
  std::size_t length = 0;
  std::optional<std::uint64_t> file_offset;  // in the arena's file, where it lies there
};

class Body {
 public:
  explicit Body(Arena& arena) : arena_(arena) {}
  ~Body();
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;

  Bytes size() const { return Bytes(size_); }
  // The longest contiguous run from `offset` on, at most `most` bytes; empty at the end.
  Slice slice(std::uint64_t offset, std::size_t most) const;
  // Must be called before any of it goes out by sendfile.
  void mark_sent() const { sent_.store(true, std::memory_order_relaxed); }
  // Arena bytes that this body takes up.
  Bytes footprint() const;

 private:
  friend class BodyWriter;
  enum class Sort : std::uint8_t { chunk, repeat, filler };
  struct Extent {
    std::uint64_t begin = 0;   // offset in the body; it ends where the next begins
    std::uint64_t period = 0;  // repeat: the same as so many bytes before; filler: its length
    Chunk chunk;               // chunk: owned; filler: the shared one
    Sort sort = Sort::chunk;
  };
  std::uint64_t end_of(std::size_t extent) const {
    return extent + 1 < extents_.size() ? extents_[extent + 1].begin : size_;
  }

  Arena& arena_;
  std::uint64_t size_ = 0;
  std::vector<Extent> extents_;
  std::unique_ptr<std::byte[]> small_;
  std::uint32_t small_charge_ = 0;
  mutable std::atomic<bool> sent_{false};
};

// Takes a body as it arrives. Receive into space() and commit(), or append().
//
// Threads: used by one thread at a time.
class BodyWriter {
 public:
  // `expected` is the length where it is known; more must not come then. With a `filler`, of
  // Arena::k_chunk_most bytes, only the length is kept.
  BodyWriter(Arena& arena, std::optional<Bytes> expected, const Chunk* filler);

  // Where the next bytes may be received: never empty while less than `expected` has come. It may
  // be `scratch`, which must stay untouched until commit().
  std::span<std::byte> space(std::span<std::byte> scratch);
  // The first `n` bytes of the last space() are filled.
  void commit(std::size_t n);
  void append(std::span<const std::byte> bytes);

  // Memory ran out: what comes is dropped and finish() must not be called.
  bool full() const { return mode_ == Mode::full; }
  Bytes size() const { return Bytes(body_->size_); }
  std::unique_ptr<Body> finish();

 private:
  enum class Mode : std::uint8_t { small, chunks, repeat, filler, full };
  using Extent = Body::Extent;

  // Repetition is looked for in bodies of at least this size,
  static constexpr std::uint64_t k_fold_least = 256 * 1024;
  // with periods in this range: a shorter one is found as its multiple,
  static constexpr std::uint64_t k_period_least = 64 * 1024;
  static constexpr std::uint64_t k_period_most = 64 * 1024 * 1024;
  // and given up after so many false alarms.
  static constexpr int k_attempts_most = 16;
  static constexpr std::size_t k_needle = 32;

  bool open_chunk();
  void run_full();
  void grown(std::size_t n);
  void look_for_period(std::uint64_t from);
  bool repeats(std::uint64_t from, std::uint64_t period) const;
  void fold(std::uint64_t from, std::uint64_t period);
  void append_chunks(std::span<const std::byte> bytes);
  void append_repeat(std::span<const std::byte> bytes);

  Arena& arena_;
  std::unique_ptr<Body> body_;
  std::optional<std::uint64_t> expected_;
  Mode mode_ = Mode::chunks;
  std::span<std::byte> space_;
  std::uint64_t window_ = 0;  // where the search for a repetition begins
  int attempts_ = 0;
  bool searching_ = true;
  bool needle_known_ = false;
  std::array<std::byte, k_needle> needle_{};
};

}  // namespace loadline::serve
