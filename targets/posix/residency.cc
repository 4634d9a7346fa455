#include "targets/posix/residency.h"

#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <vector>

namespace loadline::targets::posix {
namespace {

constexpr long k_cachestat = 451;  // the same number on every architecture
constexpr std::uint64_t k_window = std::uint64_t{1} << 30;
constexpr std::uint32_t k_extents = 512;
constexpr int k_rounds = 4096;  // of k_extents each, or holes: enough for any file worth reading

struct CacheRange {
  std::uint64_t offset;
  std::uint64_t length;
};

struct CacheStatistics {
  std::uint64_t cached;
  std::uint64_t dirty;
  std::uint64_t writeback;
  std::uint64_t evicted;
  std::uint64_t recently_evicted;
};

std::optional<std::uint64_t> unwritten_by_fiemap(int fd, std::uint64_t size) {
  // Words, for the alignment of struct fiemap.
  std::vector<std::uint64_t> memory(
      (sizeof(fiemap) + k_extents * sizeof(fiemap_extent)) / sizeof(std::uint64_t) + 1);
  auto* map = reinterpret_cast<fiemap*>(memory.data());
  std::uint64_t written = 0;
  std::uint64_t at = 0;
  for (int round = 0; round < k_rounds && at < size; ++round) {
    std::ranges::fill(memory, 0);
    map->fm_start = at;
    map->fm_length = size - at;
    // Data that waits to be written would look as if it had no place yet.
    map->fm_flags = FIEMAP_FLAG_SYNC;
    map->fm_extent_count = k_extents;
    if (::ioctl(fd, FS_IOC_FIEMAP, map) != 0) return {};
    if (map->fm_mapped_extents == 0) return size - written;
    for (std::uint32_t i = 0; i < map->fm_mapped_extents; ++i) {
      const fiemap_extent& extent = map->fm_extents[i];
      const std::uint64_t begin = std::max<std::uint64_t>(extent.fe_logical, at);
      const std::uint64_t end = std::min<std::uint64_t>(extent.fe_logical + extent.fe_length, size);
      if ((extent.fe_flags & FIEMAP_EXTENT_UNWRITTEN) == 0 && end > begin) written += end - begin;
      at = std::max(at, end);
      if ((extent.fe_flags & FIEMAP_EXTENT_LAST) != 0) return size - written;
    }
  }
  if (at < size) return {};
  return size - written;
}

}  // namespace

std::optional<std::uint64_t> cached_bytes(int fd, std::uint64_t size) {
  CacheRange range{0, size};
  CacheStatistics statistics{};
  if (size == 0) return 0;
  if (::syscall(k_cachestat, fd, &range, &statistics, 0) == 0) {
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return std::min(statistics.cached * page, size);
  }
  return cached_bytes_by_mincore(fd, size);
}

std::optional<std::uint64_t> dirty_bytes(int fd) {
  CacheRange all{0, 0};
  CacheStatistics statistics{};
  if (::syscall(k_cachestat, fd, &all, &statistics, 0) != 0) return {};
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return (statistics.dirty + statistics.writeback) * page;
}

std::optional<std::uint64_t> cached_bytes_by_mincore(int fd, std::uint64_t size) {
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> pages;
  std::uint64_t cached = 0;
  for (std::uint64_t at = 0; at < size; at += k_window) {
    const std::uint64_t length = std::min(k_window, size - at);
    void* map = ::mmap(nullptr, length, PROT_READ, MAP_SHARED, fd, static_cast<off_t>(at));
    if (map == MAP_FAILED) return {};
    pages.resize((length + page - 1) / page);
    const bool known = ::mincore(map, length, pages.data()) == 0;
    ::munmap(map, length);
    if (!known) return {};
    cached += page * static_cast<std::uint64_t>(std::ranges::count_if(
                         pages, [](unsigned char c) { return (c & 1) != 0; }));
  }
  return std::min(cached, size);
}

std::optional<std::uint64_t> unwritten_bytes(int fd, std::uint64_t size) {
  if (const auto by_map = unwritten_by_fiemap(fd, size)) return by_map;
  return unwritten_bytes_by_seeking(fd, size);
}

std::optional<std::uint64_t> unwritten_bytes_by_seeking(int fd, std::uint64_t size) {
  std::uint64_t holes = 0;
  off_t at = 0;
  const auto end = static_cast<off_t>(size);
  for (int round = 0; round < k_rounds * static_cast<int>(k_extents) && at < end; ++round) {
    off_t hole = ::lseek(fd, at, SEEK_HOLE);
    if (hole < 0) return {};
    if (hole >= end) return holes;
    off_t data = ::lseek(fd, hole, SEEK_DATA);
    if (data < 0) {
      if (errno != ENXIO) return {};
      data = end;
    }
    data = std::min(data, end);
    holes += static_cast<std::uint64_t>(data - hole);
    at = data;
  }
  return holes;
}

}  // namespace loadline::targets::posix
