// What the calling thread, or its whole process, has had read from block devices: `read_bytes` of
// /proc/thread-self/io or /proc/self/io (proc(5)), direct reads and read-ahead included, pages
// found in the cache not. A process's account has what threads of the kernel and the C library read
// for it.
//
// Threads: one; asked in another thread it gives nothing.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace loadline::targets::posix {

class ThreadReads {
 public:
  void begin(bool whole_process);
  // Bytes since begin(), or nothing where that cannot be told.
  std::optional<std::uint64_t> end();

 private:
  pid_t thread_ = 0;
  bool whole_process_ = false;
  std::optional<std::uint64_t> before_;
};

}  // namespace loadline::targets::posix
