// Which file system a path lies on, and which device below it: proc(5)'s mountinfo and sysfs.
//
// Threads: any; nothing is kept.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline::targets::posix {

struct Mount {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::string point;   // where
  std::string type;    // e.g. "ext4", "fuse.s3fs"
  std::string source;  // e.g. "/dev/vda", "server:/export"
};

// The lines of /proc/self/mountinfo, in their order.
std::vector<Mount> parse_mountinfo(std::string_view text);
std::vector<Mount> mounts_now();

// The mount that covers an absolute path without links: the last of the longest ones.
const Mount* mount_of(const std::vector<Mount>& mounts, std::string_view path);

// Absolute, links resolved as far as the path exists; "" where nothing of it does.
std::string real_path(const std::string& path);
// Would this file be one of the device folder's own? /dev/shm, a file system for files, is not it.
bool lies_under_dev(const std::string& path);

// Files are in memory, with nothing below.
bool is_memory(std::string_view type);
// Less may be written to the device than the files hold: compressed, or stored once.
bool may_shrink(std::string_view type);
// Files come from a server, another process or a pool of devices: what moves is not seen at a
// device of this mount, nor in this process's account.
bool is_remote(std::string_view type);

// BLKGETSIZE64.
std::optional<std::uint64_t> device_size(int fd);

// "ext4 on /dev/vda, mounted at /"
std::string describe(const Mount& mount);

}  // namespace loadline::targets::posix
