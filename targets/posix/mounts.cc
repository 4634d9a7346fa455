#include "targets/posix/mounts.h"

#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <array>

namespace loadline::targets::posix {

bool is_memory(std::string_view type) {
  constexpr std::array<std::string_view, 4> k_types{"tmpfs", "ramfs", "devtmpfs", "hugetlbfs"};
  return std::ranges::find(k_types, type) != k_types.end();
}

bool may_shrink(std::string_view type) {
  constexpr std::array<std::string_view, 4> k_types{"btrfs", "bcachefs", "f2fs", "ntfs3"};
  return std::ranges::find(k_types, type) != k_types.end();
}

bool is_remote(std::string_view type) {
  constexpr std::array<std::string_view, 14> k_types{
      "nfs",    "nfs4",      "cifs", "smb3",   "ceph",     "9p",       "afs",
      "lustre", "glusterfs", "gpfs", "beegfs", "virtiofs", "orangefs", "zfs"};
  // fuseblk is a disk's file system all the same, but its data passes through a process.
  return type.starts_with("fuse") || std::ranges::find(k_types, type) != k_types.end();
}

std::optional<std::uint64_t> device_size(int fd) {
  std::uint64_t size = 0;
  if (::ioctl(fd, BLKGETSIZE64, &size) != 0) return {};
  return size;
}

std::string describe(const Mount& mount) {
  return fmt::format("{} on {}, mounted at {}", mount.type, mount.source, mount.point);
}

}  // namespace loadline::targets::posix
