#include "targets/posix/thread_reads.h"

#include <unistd.h>

#include "targets/posix/counters.h"

namespace loadline::targets::posix {
namespace {

std::optional<std::uint64_t> read_bytes() {
  return process_read_bytes(small_file("/proc/thread-self/io"));
}

}  // namespace

void ThreadReads::begin() {
  thread_ = ::gettid();
  before_ = read_bytes();
}

std::optional<std::uint64_t> ThreadReads::end() {
  if (!before_ || thread_ != ::gettid()) return {};
  const auto after = read_bytes();
  if (!after) return {};
  const std::uint64_t bytes = *after - *before_;
  before_.reset();
  return bytes;
}

}  // namespace loadline::targets::posix
