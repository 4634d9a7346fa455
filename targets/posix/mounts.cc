#include "targets/posix/mounts.h"

#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <memory>

#include "targets/posix/counters.h"

namespace loadline::targets::posix {
namespace {

std::string_view next_word(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t end = std::min(line.find(' ', begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

// mountinfo writes blanks, tabs, newlines and backslashes as \ooo.
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    if (text[i] == '\\' && i + 3 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 4, value, 8).ptr ==
            text.data() + i + 4) {
      out.push_back(static_cast<char>(value));
      i += 3;
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

bool covers(std::string_view point, std::string_view path) {
  if (point == "/") return path.starts_with('/');
  return path.starts_with(point) && (path.size() == point.size() || path[point.size()] == '/');
}

std::optional<Mount> parse_mount(std::string_view line) {
  Mount mount;
  next_word(line);
  next_word(line);
  const std::string_view device = next_word(line);
  const std::size_t colon = device.find(':');
  if (colon == std::string_view::npos) return {};
  std::from_chars(device.data(), device.data() + colon, mount.major);
  std::from_chars(device.data() + colon + 1, device.data() + device.size(), mount.minor);
  next_word(line);
  mount.point = unescaped(next_word(line));
  // Optional fields end with a dash.
  while (true) {
    const std::string_view word = next_word(line);
    if (word.empty()) return {};
    if (word == "-") break;
  }
  mount.type = next_word(line);
  mount.source = unescaped(next_word(line));
  return mount;
}

}  // namespace

std::vector<Mount> parse_mountinfo(std::string_view text) {
  std::vector<Mount> mounts;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (auto mount = parse_mount(line)) mounts.push_back(std::move(*mount));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return mounts;
}

std::vector<Mount> mounts_now() { return parse_mountinfo(small_file("/proc/self/mountinfo")); }

const Mount* mount_of(const std::vector<Mount>& mounts, std::string_view path) {
  const Mount* best = nullptr;
  for (const Mount& mount : mounts) {
    if (!covers(mount.point, path)) continue;
    if (best == nullptr || mount.point.size() >= best->point.size()) best = &mount;
  }
  return best;
}

std::string real_path(const std::string& path) {
  struct Free {
    void operator()(char* p) const { std::free(p); }  // NOLINT(*-owning-memory)
  };
  std::string head = path.empty() ? "." : path;
  std::string tail;
  while (true) {
    const std::unique_ptr<char, Free> resolved(::realpath(head.c_str(), nullptr));
    if (resolved) {
      const std::string found = resolved.get();
      return tail.empty() ? found : (found == "/" ? "" : found) + tail;
    }
    while (head.size() > 1 && head.back() == '/') head.pop_back();
    const std::size_t slash = head.rfind('/');
    if (head == "." || head == "/") return "";
    tail.insert(0, head.substr(slash == std::string::npos ? 0 : slash + 1)).insert(0, "/");
    head = slash == std::string::npos ? "." : slash == 0 ? "/" : head.substr(0, slash);
  }
}

bool lies_under_dev(const std::string& path) {
  const std::string real = real_path(path);
  return covers("/dev", real) && !covers("/dev/shm", real);
}

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
