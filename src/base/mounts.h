// What is mounted where, and where a path really leads: proc(5)'s mountinfo and links.
//
// Threads: any; nothing is kept.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadline {

using DeviceNumber = std::pair<std::uint32_t, std::uint32_t>;  // major, minor

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

// Absolute, links resolved as far as the path exists, also one that leads to nothing: where a file
// that is made under this name would be. "" where that cannot be said.
std::string real_path(const std::string& path);
// Would this file be one of the device folder's own? /dev/shm and what else is mounted below it,
// file systems for files, are not.
bool lies_under_dev(const std::string& path);

// A file of /proc or /sys, whole; "" where it cannot be read.
std::string small_file(const char* path);

}  // namespace loadline
