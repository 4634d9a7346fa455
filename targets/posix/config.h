// The posix target's parameters, read once before the first operation.
//
// Threads: a plain value, not changed after it was read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "target/parameters.h"

namespace loadline::targets::posix {

// How blocks are read and written, by fio's names of them.
enum class Engine : std::uint8_t {
  psync,    // pread(2), pwrite(2)
  sync,     // lseek(2), read(2), write(2)
  vsync,    // lseek(2), readv(2), writev(2)
  pvsync,   // preadv(2), pwritev(2)
  pvsync2,  // preadv2(2), pwritev2(2)
  libaio,
  io_uring,
  mmap,
  posixaio,
  splice,  // splice(2), vmsplice(2) through a pipe
  null,    // moves nothing and touches no file
};

std::string_view to_string(Engine engine);
// One operation at a time, done when it has been submitted.
bool is_synchronous(Engine engine);

// posix_fadvise(2) when a file is opened.
enum class Advice : std::uint8_t { none, random, sequential, no_reuse };

// How a file that is going to be written gets its space.
enum class Preallocation : std::uint8_t { native, none, posix, keep, truncate };

struct Config {
  Engine engine = Engine::psync;
  std::string root;  // the folder of containers; empty: block I/O alone
  bool direct = false;
  int sync_flag = 0;       // 0, O_SYNC or O_DSYNC
  bool invalidate = true;  // block I/O: cached pages are dropped when a file is opened
  Advice advice = Advice::none;
  Preallocation preallocation = Preallocation::native;
  bool allow_mounted_write = false;
  bool trim_files = false;  // a trim punches a hole into a file; else it is for devices alone
  bool uncached = false;    // pvsync2, io_uring: RWF_DONTCACHE
  bool nowait = false;      // pvsync2, libaio, io_uring: RWF_NOWAIT
  bool polled = false;      // pvsync2: RWF_HIPRI; io_uring: IORING_SETUP_IOPOLL
  std::uint32_t polled_percent = 100;  // pvsync2
  // io_uring
  bool fixed_buffers = false;
  bool registered_files = false;
  bool vectored = false;
  bool submission_thread = false;
  std::int32_t submission_cpu = -1;  // negative: any
  bool force_async = false;
  // libaio
  bool userspace_reap = false;
};

std::vector<target::ParameterSpec> parameter_table();
Result<Config> read_config(const target::Parameters& parameters);

}  // namespace loadline::targets::posix
