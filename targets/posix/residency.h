// What of a file is in the page cache, and what of it was never written.
//
// Threads: any; nothing is kept.
#pragma once

#include <cstdint>
#include <optional>

namespace loadline::targets::posix {

// Bytes of the first `size` that are cached: cachestat(2), or mincore(2) before Linux 6.5.
std::optional<std::uint64_t> cached_bytes(int fd, std::uint64_t size);

// Bytes of the file that wait to be written out, or are just being: cachestat(2); nothing before
// Linux 6.5.
std::optional<std::uint64_t> dirty_bytes(int fd);

// Bytes of the first `size` that reads make up: holes, and space that was allocated and never
// written (FIEMAP, the kernel's Documentation/filesystems/fiemap.rst; else SEEK_HOLE of lseek(2)).
std::optional<std::uint64_t> unwritten_bytes(int fd, std::uint64_t size);

// The parts, for tests.
std::optional<std::uint64_t> cached_bytes_by_mincore(int fd, std::uint64_t size);
std::optional<std::uint64_t> unwritten_bytes_by_seeking(int fd, std::uint64_t size);

}  // namespace loadline::targets::posix
