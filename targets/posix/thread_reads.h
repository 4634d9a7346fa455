// What the calling thread has had read from block devices: `read_bytes` of /proc/thread-self/io
// (proc(5)), direct reads and read-ahead included, pages found in the cache not.
//
// Threads: one; asked in another thread it gives nothing.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace loadline::targets::posix {

class ThreadReads {
 public:
  void begin();
  // Bytes since begin(), or nothing where that cannot be told.
  std::optional<std::uint64_t> end();

 private:
  pid_t thread_ = 0;
  std::optional<std::uint64_t> before_;
};

}  // namespace loadline::targets::posix
