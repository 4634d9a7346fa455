// Finds the object's bytes in a request's body: a counted or a chunked message, and in it, where
// the client says so, the aws-chunked form with its own chunks and signatures. Whatever the pieces
// are.
//
//     framing.give(input);
//     while (true) switch (const auto event = framing.next(); event.sort) ...
//
// Threads: plain value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "aws/chunks.h"
#include "base/units.h"

namespace loadline::serve {

class BodyFraming {
 public:
  // No body.
  BodyFraming() = default;
  // Either a length or HTTP chunks; `aws_chunked` is what lies inside.
  BodyFraming(std::optional<Bytes> length, bool chunked, bool aws_chunked);

  enum class Sort : std::uint8_t {
    need_more,  // all input used
    data,       // `data` holds bytes of the object
    chunk_end,  // an aws-chunk is complete: `signature` is what it claimed, or empty
    end,        // the body is complete; unused() begins behind it
    bad,        // malformed, for good
  };
  struct Event {
    Sort sort = Sort::need_more;
    std::span<const std::byte> data;
    std::string_view signature;
  };

  // Hands in the next bytes; all events of earlier ones have been taken. Borrowed until need_more.
  void give(std::span<const std::byte> input) { input_ = input; }
  Event next();
  std::span<const std::byte> unused() const { return input_; }

  // Where a counted body has nothing in it to take apart: the bytes still to come, which may be
  // received past this class. took() says that they were.
  std::optional<std::uint64_t> direct_left() const;
  void took(std::uint64_t bytes) { left_ -= bytes; }

 private:
  Event outer();
  Event counted();

  std::span<const std::byte> input_;
  std::span<const std::byte> inner_input_;
  std::uint64_t left_ = 0;
  bool http_chunks_ = false;
  bool aws_chunks_ = false;
  bool inner_ended_ = false;
  bool bad_ = false;
  aws::ChunkDecoder outer_;
  aws::ChunkDecoder inner_;
};

}  // namespace loadline::serve
