#include "base/device_use.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>
#include <charconv>
#include <memory>
#include <optional>
#include <vector>

#include "base/mounts.h"
#include "base/unique_fd.h"

namespace loadline {
namespace {

std::vector<std::string> entries_of(const std::string& path) {
  struct Close {
    void operator()(DIR* folder) const { ::closedir(folder); }
  };
  std::vector<std::string> names;
  const std::unique_ptr<DIR, Close> folder(::opendir(path.c_str()));
  if (!folder) return names;
  while (const dirent* entry = ::readdir(folder.get())) {
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  }
  return names;
}

std::optional<DeviceNumber> number_in(const std::string& path) {
  const std::string text = small_file(path.c_str());
  DeviceNumber number;
  const char* end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, number.first);
  if (major.ec != std::errc() || major.ptr == end || *major.ptr != ':') return {};
  if (std::from_chars(major.ptr + 1, end, number.second).ec != std::errc()) return {};
  return number;
}

std::optional<DeviceNumber> number_of(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || !S_ISBLK(status.st_mode)) return {};
  return DeviceNumber{major(status.st_rdev), minor(status.st_rdev)};
}

std::string mount_point_of(const std::vector<Mount>& mounts, const DeviceNumber& device) {
  for (const Mount& mount : mounts) {
    if (DeviceNumber{mount.major, mount.minor} == device) return mount.point;
    // btrfs and others mount under a number of their own.
    if (mount.source.starts_with("/dev/") && number_of(mount.source) == device) return mount.point;
  }
  return "";
}

bool is_swap(const DeviceNumber& device) {
  const std::string swaps = small_file("/proc/swaps");
  std::string_view text = swaps;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.starts_with('/')) continue;
    if (number_of(std::string(line.substr(0, line.find(' ')))) == device) return true;
  }
  return false;
}

std::unexpected<Error> refuse(const std::string& path, std::string why) {
  Error error{
      .code = ErrorCode::denied,
      .what = fmt::format("refusing to write to a device: {}; allow_mounted_write=1 permits "
                          "it, and destroys what is there",
                          why),
      .context = path,
      .os_error = EBUSY};
  return std::unexpected(std::move(error));
}

}  // namespace

DeviceUse use_of(const std::string& path, const DeviceNumber& device) {
  DeviceUse use;
  const std::vector<Mount> mounts = mounts_now();
  const std::string sys = fmt::format("/sys/dev/block/{}:{}", device.first, device.second);
  use.mounted_at = mount_point_of(mounts, device);
  use.swap = is_swap(device);
  auto holders = entries_of(sys + "/holders");
  for (const std::string& entry : entries_of(sys)) {
    const std::string of_part = fmt::format("{}/{}", sys, entry);
    const auto part = number_in(of_part + "/dev");
    if (!part || small_file((of_part + "/partition").c_str()).empty()) continue;
    const std::string point = mount_point_of(mounts, *part);
    if (!point.empty()) use.part_mounted = fmt::format("/dev/{}, mounted at {}", entry, point);
    if (is_swap(*part)) use.swap = true;
    for (auto& holder : entries_of(of_part + "/holders")) {
      holders.push_back(std::move(holder));
    }
  }
  if (!small_file((sys + "/partition").c_str()).empty()) {
    if (const auto whole = number_in(sys + "/../dev")) {
      use.whole_mounted = mount_point_of(mounts, *whole);
    }
  }
  if (!holders.empty()) use.holder = holders.front();
  const UniqueFd exclusive(::open(path.c_str(), O_RDONLY | O_EXCL | O_CLOEXEC));
  use.held = !exclusive && errno == EBUSY;
  return use;
}

Result<void> may_write(const std::string& path, const DeviceUse& use) {
  if (use.allow_mounted) return {};
  if (!use.mounted_at.empty()) {
    return refuse(path, fmt::format("the device is mounted at {}", use.mounted_at));
  }
  if (!use.part_mounted.empty()) {
    return refuse(path, fmt::format("a partition of it is in use: {}", use.part_mounted));
  }
  if (!use.whole_mounted.empty()) {
    return refuse(path, fmt::format("its whole disk is mounted at {}", use.whole_mounted));
  }
  if (use.swap) return refuse(path, "it holds swap space");
  if (!use.holder.empty()) return refuse(path, fmt::format("{} is built on it", use.holder));
  if (use.held) return refuse(path, "the kernel holds it for something else");
  return refuse(path, "it is a raw device");
}

Result<void> may_write_device(const std::string& path, bool allow_mounted) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || !S_ISBLK(status.st_mode)) return {};
  DeviceUse use;
  if (!allow_mounted) use = use_of(path, {major(status.st_rdev), minor(status.st_rdev)});
  use.allow_mounted = allow_mounted;
  return may_write(path, use);
}

}  // namespace loadline
