#include "targets/hadoop/transfer.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace loadline::targets::hadoop {
namespace {

constexpr std::size_t k_array_least = 64 * 1024;

// What a stream gives that has no such way to be read.
bool is_unsupported(const Failure& failure) {
  return failure.meaning.outcome == target::Outcome::unsupported;
}

std::size_t count_of(jint got) { return got > 0 ? static_cast<std::size_t>(got) : 0; }

const jbyte* as_java(const std::byte* bytes) { return reinterpret_cast<const jbyte*>(bytes); }

}  // namespace

bool all_zero(std::span<const std::byte> bytes) {
  constexpr std::size_t k_step = 64;
  const std::size_t head = std::min(bytes.size(), k_step);
  for (std::size_t i = 0; i < head; ++i) {
    if (bytes[i] != std::byte{}) return false;
  }
  // The rest is zero where it equals what stands before it.
  return bytes.size() <= k_step ||
         std::memcmp(bytes.data(), bytes.data() + k_step, bytes.size() - k_step) == 0;
}

Called<void> Transfer::expect(Calls& calls, std::span<std::byte> memory) {
  if (calls.hadoop().in_read_buffer == nullptr || memory.empty()) return {};
  const Frame frame(calls.env());
  return make_buffer(calls, memory.first(std::min(memory.size(), k_call_most)));
}

Called<void> Transfer::make_buffer(Calls& calls, std::span<std::byte> memory) {
  jobject made = calls.env()->NewDirectByteBuffer(memory.data(), static_cast<jlong>(memory.size()));
  if (calls.env()->ExceptionCheck()) return calls.failed();
  if (made == nullptr) {
    return std::unexpected(
        failure_of(target::Outcome::unsupported, EOPNOTSUPP, "this Java VM has no direct buffers"));
  }
  buffer_ = calls.keep(made);
  memory_ = memory;
  return {};
}

Called<jbyteArray> Transfer::array(Calls& calls, std::size_t length) {
  if (length > array_length_) {
    const std::size_t size = std::clamp(length, k_array_least, k_call_most);
    jbyteArray made = calls.env()->NewByteArray(static_cast<jsize>(size));
    if (calls.env()->ExceptionCheck()) return calls.failed();
    array_ = calls.keep(made);
    array_length_ = size;
    array_used_ = 0;
  }
  return static_cast<jbyteArray>(array_.get());
}

Called<jint> Transfer::read_into_buffer(Calls& calls, jobject stream, std::span<std::byte> into,
                                        std::optional<std::uint64_t> offset) {
  const bool inside =
      into.data() >= memory_.data() && into.data() + into.size() <= memory_.data() + memory_.size();
  if (!buffer_ || !inside) {
    if (auto made = make_buffer(calls, into); !made) return pass_on(made);
  }
  const auto begin = static_cast<jint>(into.data() - memory_.data());
  const auto end = begin + static_cast<jint>(into.size());
  // The limit first: a position beyond it would be refused.
  const JavaClasses& java = calls.java();
  auto limited = calls.object(buffer_.get(), java.buffer_limit, end);
  if (!limited) return pass_on(limited);
  auto positioned = calls.object(buffer_.get(), java.buffer_position, begin);
  if (!positioned) return pass_on(positioned);
  // Both give the buffer itself, once more: an operation of many calls would gather them.
  calls.env()->DeleteLocalRef(*limited);
  calls.env()->DeleteLocalRef(*positioned);
  const HadoopClasses& hadoop = calls.hadoop();
  if (!offset) return calls.integer(stream, hadoop.in_read_buffer, buffer_.get());
  return calls.integer(stream, hadoop.in_read_buffer_at, static_cast<jlong>(*offset),
                       buffer_.get());
}

Called<jint> Transfer::read_into_array(Calls& calls, jobject stream, std::size_t length,
                                       std::optional<std::uint64_t> offset) {
  auto bytes = array(calls, length);
  if (!bytes) return pass_on(bytes);
  array_used_ = std::max(array_used_, length);
  const HadoopClasses& hadoop = calls.hadoop();
  const auto most = static_cast<jint>(length);
  if (!offset) return calls.integer(stream, hadoop.in_read, *bytes, jint{0}, most);
  return calls.integer(stream, hadoop.in_read_at, static_cast<jlong>(*offset), *bytes, jint{0},
                       most);
}

Called<std::size_t> Transfer::read(Calls& calls, jobject stream, std::span<std::byte> into,
                                   std::optional<std::uint64_t> offset) {
  into = into.first(std::min(into.size(), k_call_most));
  bool& buffer_works = offset ? buffer_reads_at_ : buffer_reads_;
  if (buffer_works) {
    auto got = read_into_buffer(calls, stream, into, offset);
    if (got) return count_of(*got);
    if (!is_unsupported(got.error())) return pass_on(got);
    buffer_works = false;
  }
  auto got = read_into_array(calls, stream, into.size(), offset);
  if (!got) return pass_on(got);
  const std::size_t count = count_of(*got);
  if (count > 0) {
    calls.env()->GetByteArrayRegion(static_cast<jbyteArray>(array_.get()), 0, *got,
                                    reinterpret_cast<jbyte*>(into.data()));
    if (calls.env()->ExceptionCheck()) return calls.failed();
  }
  return count;
}

Called<std::size_t> Transfer::skip_over(Calls& calls, jobject stream, std::size_t length,
                                        std::optional<std::uint64_t> offset) {
  auto got = read_into_array(calls, stream, std::min(length, k_call_most), offset);
  if (!got) return pass_on(got);
  return count_of(*got);
}

Called<void> Transfer::make_room(Calls& calls, std::size_t length) {
  auto made = array(calls, length);
  if (!made) return pass_on(made);
  return {};
}

Called<void> Transfer::fill(Calls& calls, std::size_t at, std::span<const std::byte> bytes) {
  auto into = array(calls, at + bytes.size());
  if (!into) return pass_on(into);
  const bool zero = all_zero(bytes);
  if (zero && at >= array_used_) return {};
  calls.env()->SetByteArrayRegion(*into, static_cast<jsize>(at), static_cast<jsize>(bytes.size()),
                                  as_java(bytes.data()));
  if (calls.env()->ExceptionCheck()) return calls.failed();
  const std::size_t end = at + bytes.size();
  array_used_ = zero && end >= array_used_ ? at : std::max(array_used_, end);
  return {};
}

Called<void> Transfer::write_filled(Calls& calls, jobject stream, std::size_t length) {
  auto from = array(calls, length);
  if (!from) return pass_on(from);
  return calls.run(stream, calls.hadoop().out_write, *from, jint{0}, static_cast<jint>(length));
}

Called<void> Transfer::write(Calls& calls, jobject stream, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), k_call_most));
    if (auto filled = fill(calls, 0, piece); !filled) return filled;
    if (auto written = write_filled(calls, stream, piece.size()); !written) return written;
    bytes = bytes.subspan(piece.size());
  }
  return {};
}

}  // namespace loadline::targets::hadoop
