// How each synchronous engine moves one block: plain functions that the session is instantiated
// with, so that nothing is looked up per operation. Each returns the bytes moved, or -errno.
//
// Threads: one.
#pragma once

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "targets/posix/config.h"
#include "targets/posix/fault_guard.h"
#include "targets/posix/file_set.h"

namespace loadline::targets::posix {

// One block of one file.
struct Block {
  std::byte* memory;
  std::uint64_t offset;
  std::uint64_t length;
};

inline std::int64_t or_errno(ssize_t result) { return result >= 0 ? result : -errno; }

struct NullTransfer {
  explicit NullTransfer(const Config&) {}
  static std::int64_t read(OpenFile&, const Block& b) {
    return static_cast<std::int64_t>(b.length);
  }
  static std::int64_t write(OpenFile&, const Block& b) {
    return static_cast<std::int64_t>(b.length);
  }
};

// Not by pread(3), which is a point of cancellation: where there are threads it switches that on
// and off around the call.
struct PsyncTransfer {
  explicit PsyncTransfer(const Config&) {}
  static std::int64_t read(OpenFile& f, const Block& b) {
    return or_errno(::syscall(SYS_pread64, f.fd.get(), b.memory, b.length, b.offset));
  }
  static std::int64_t write(OpenFile& f, const Block& b) {
    return or_errno(::syscall(SYS_pwrite64, f.fd.get(), b.memory, b.length, b.offset));
  }
};

// The file's own position; moved only where it is elsewhere.
inline std::int64_t seek(OpenFile& f, const Block& b) {
  if (f.position == b.offset) return 0;
  if (::lseek(f.fd.get(), static_cast<off_t>(b.offset), SEEK_SET) < 0) return -errno;
  f.position = b.offset;
  return 0;
}

inline std::int64_t moved(OpenFile& f, ssize_t result) {
  if (result < 0) return -errno;
  f.position += static_cast<std::uint64_t>(result);
  return result;
}

struct SyncTransfer {
  explicit SyncTransfer(const Config&) {}
  static std::int64_t read(OpenFile& f, const Block& b) {
    if (const std::int64_t error = seek(f, b); error < 0) return error;
    return moved(f, ::read(f.fd.get(), b.memory, b.length));
  }
  static std::int64_t write(OpenFile& f, const Block& b) {
    if (const std::int64_t error = seek(f, b); error < 0) return error;
    return moved(f, ::write(f.fd.get(), b.memory, b.length));
  }
};

struct VsyncTransfer {
  explicit VsyncTransfer(const Config&) {}
  static std::int64_t read(OpenFile& f, const Block& b) {
    if (const std::int64_t error = seek(f, b); error < 0) return error;
    const iovec v{b.memory, b.length};
    return moved(f, ::readv(f.fd.get(), &v, 1));
  }
  static std::int64_t write(OpenFile& f, const Block& b) {
    if (const std::int64_t error = seek(f, b); error < 0) return error;
    const iovec v{b.memory, b.length};
    return moved(f, ::writev(f.fd.get(), &v, 1));
  }
};

struct PvsyncTransfer {
  explicit PvsyncTransfer(const Config&) {}
  static std::int64_t read(OpenFile& f, const Block& b) {
    const iovec v{b.memory, b.length};
    return or_errno(::preadv(f.fd.get(), &v, 1, static_cast<off_t>(b.offset)));
  }
  static std::int64_t write(OpenFile& f, const Block& b) {
    const iovec v{b.memory, b.length};
    return or_errno(::pwritev(f.fd.get(), &v, 1, static_cast<off_t>(b.offset)));
  }
};

// RWF_* of linux/fs.h; the last one is newer than Debian 12's header.
inline constexpr int k_rwf_hipri = 0x01;
inline constexpr int k_rwf_nowait = 0x08;
inline constexpr int k_rwf_dontcache = 0x80;

class Pvsync2Transfer {
 public:
  explicit Pvsync2Transfer(const Config& config)
      : flags_((config.nowait ? k_rwf_nowait : 0) | (config.uncached ? k_rwf_dontcache : 0)),
        polled_percent_(config.polled ? config.polled_percent : 0) {}
  std::int64_t read(OpenFile& f, const Block& b) {
    const iovec v{b.memory, b.length};
    return or_errno(::preadv2(f.fd.get(), &v, 1, static_cast<off_t>(b.offset), flags()));
  }
  std::int64_t write(OpenFile& f, const Block& b) {
    const iovec v{b.memory, b.length};
    return or_errno(::pwritev2(f.fd.get(), &v, 1, static_cast<off_t>(b.offset), flags()));
  }

 private:
  // Spreads the polled operations evenly.
  int flags() {
    polled_credit_ += polled_percent_;
    if (polled_credit_ < 100) return flags_;
    polled_credit_ -= 100;
    return flags_ | k_rwf_hipri;
  }

  int flags_;
  std::uint32_t polled_percent_;
  std::uint32_t polled_credit_ = 0;
};

class MmapTransfer {
 public:
  explicit MmapTransfer(const Config&) {}
  static std::int64_t read(OpenFile& f, const Block& b) {
    if (b.offset >= f.mapping.size()) return 0;
    const std::uint64_t length = std::min(b.length, f.mapping.size() - b.offset);
    if (!guarded_copy(b.memory, f.mapping.begin() + b.offset, length)) return -EIO;
    return static_cast<std::int64_t>(length);
  }
  static std::int64_t write(OpenFile& f, const Block& b) {
    if (b.offset + b.length > f.mapping.size()) {
      if (const int error = grow(f, b.offset + b.length); error != 0) return -error;
    }
    if (!guarded_copy(f.mapping.begin() + b.offset, b.memory, b.length)) return -EIO;
    return static_cast<std::int64_t>(b.length);
  }

 private:
  static int grow(OpenFile& f, std::uint64_t size) {
    if (::ftruncate(f.fd.get(), static_cast<off_t>(size)) != 0) return errno;
    auto mapping = Mapping::of(f.fd.get(), size, true, f.path);
    if (!mapping) return mapping.error().os_error;
    f.mapping = std::move(*mapping);
    return 0;
  }
};

}  // namespace loadline::targets::posix
