// Moves bytes between our memory and Java's streams through one reused buffer of each kind, so that
// a call makes no garbage: a direct ByteBuffer over our own memory for reads, where the stream
// takes one, and a byte[] otherwise and for writes. Each function is one call of the stream, of at
// most 1 GiB; a stream may move less than it was asked for.
//
// Threads: one, its session's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "targets/hadoop/jni_calls.h"

namespace loadline::targets::hadoop {

inline constexpr std::size_t k_call_most = std::size_t{1} << 30;

class Transfer {
 public:
  // Memory that later reads go into: its ByteBuffer is made now.
  Called<void> expect(Calls& calls, std::span<std::byte> memory);

  // Bytes read, 0 at the end of the stream. At `offset` where it is given, else where the stream
  // is.
  Called<std::size_t> read(Calls& calls, jobject stream, std::span<std::byte> into,
                           std::optional<std::uint64_t> offset);
  // The same without the bytes: they stay in Java.
  Called<std::size_t> skip_over(Calls& calls, jobject stream, std::size_t length,
                                std::optional<std::uint64_t> offset);
  // Writes all of it. Zeros do not cross into Java, where the byte[] holds them already.
  Called<void> write(Calls& calls, jobject stream, std::span<const std::byte> bytes);

  // Room for a write in pieces, before the first of them.
  Called<void> make_room(Calls& calls, std::size_t length);
  // Puts a piece of a later write_filled() into the byte[].
  Called<void> fill(Calls& calls, std::size_t at, std::span<const std::byte> bytes);
  Called<void> write_filled(Calls& calls, jobject stream, std::size_t length);

 private:
  Called<jint> read_into_buffer(Calls& calls, jobject stream, std::span<std::byte> into,
                                std::optional<std::uint64_t> offset);
  Called<jint> read_into_array(Calls& calls, jobject stream, std::size_t length,
                               std::optional<std::uint64_t> offset);
  Called<void> make_buffer(Calls& calls, std::span<std::byte> memory);
  Called<jbyteArray> array(Calls& calls, std::size_t length);

  GlobalRef buffer_;  // a ByteBuffer over memory_
  std::span<std::byte> memory_;
  GlobalRef array_;  // a byte[]
  std::size_t array_length_ = 0;
  std::size_t array_used_ = 0;  // its bytes from here on are zero
  bool buffer_reads_ = true;    // until a stream refuses
  bool buffer_reads_at_ = true;
};

// True where all bytes are zero.
bool all_zero(std::span<const std::byte> bytes);

}  // namespace loadline::targets::hadoop
