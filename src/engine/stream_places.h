// Where the calls of a job on streams read a file: one after the other, anywhere, backward, or with
// gaps. The rules are TestDFSIO's, with offsets of 64 bits.
//
// Threads: belongs to one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/rng.h"
#include "plan/stream_io.h"

namespace loadline::engine {

class StreamPlaces {
 public:
  // `rng` is of this file alone, so that its offsets are the same whoever reads it.
  StreamPlaces(const plan::StreamIo& stream, Bytes file_size, Rng rng)
      : action_(stream.action),
        buffer_(stream.buffer.count()),
        step_(stream.buffer.count() + stream.skip.count()),
        size_(file_size.count()),
        rng_(rng) {}

  // The offset of the next call, when `done` bytes have been read; nothing where the file is at its
  // end in this order. The file is not empty where offsets are random.
  std::optional<std::uint64_t> next(std::uint64_t done) {
    switch (action_) {
      case plan::StreamAction::read_random: return rng_.below(size_);
      case plan::StreamAction::read_backward:
        at_ = begun_ ? at_ : size_;
        begun_ = true;
        at_ -= std::min(at_, buffer_);
        return at_;
      case plan::StreamAction::read_skip:
        if (begun_) at_ += step_;
        begun_ = true;
        if (at_ >= size_) return std::nullopt;
        return at_;
      default: return done;
    }
  }

 private:
  plan::StreamAction action_;
  std::uint64_t buffer_;
  std::uint64_t step_;
  std::uint64_t size_;
  Rng rng_;
  std::uint64_t at_ = 0;
  bool begun_ = false;
};

}  // namespace loadline::engine
