#include "targets/posix/thread_reads.h"

#include <unistd.h>

#include "targets/posix/counters.h"

namespace loadline::targets::posix {
namespace {

std::optional<std::uint64_t> read_bytes(bool whole_process) {
  return process_read_bytes(small_file(whole_process ? "/proc/self/io" : "/proc/thread-self/io"));
}

}  // namespace

void ThreadReads::begin(bool whole_process) {
  whole_process_ = whole_process;
  thread_ = ::gettid();
  before_ = read_bytes(whole_process);
}

std::optional<std::uint64_t> ThreadReads::end() {
  if (!before_ || thread_ != ::gettid()) return {};
  const auto after = read_bytes(whole_process_);
  if (!after) return {};
  const std::uint64_t bytes = *after - *before_;
  before_.reset();
  return bytes;
}

}  // namespace loadline::targets::posix
