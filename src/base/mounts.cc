#include "base/mounts.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <memory>
#include <optional>

#include "base/unique_fd.h"

namespace loadline {
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

// Where a symbolic link leads, as it says; "" of everything else.
std::string link_text(const std::string& path) {
  std::array<char, PATH_MAX> text;
  const ssize_t n = ::readlink(path.c_str(), text.data(), text.size());
  return n > 0 ? std::string(text.data(), static_cast<std::size_t>(n)) : std::string();
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
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
  constexpr int k_links_max = 40;  // as many as the kernel follows
  struct Free {
    void operator()(char* p) const { std::free(p); }  // NOLINT(*-owning-memory)
  };
  std::string head = path.empty() ? "." : path;
  std::string tail;
  int links = 0;
  while (true) {
    const std::unique_ptr<char, Free> resolved(::realpath(head.c_str(), nullptr));
    if (resolved) {
      const std::string found = resolved.get();
      return tail.empty() ? found : (found == "/" ? "" : found) + tail;
    }
    while (head.size() > 1 && head.back() == '/') head.pop_back();
    if (const std::string to = link_text(head); !to.empty()) {
      if (++links > k_links_max) return "";
      head = to.front() == '/' ? to : fmt::format("{}/{}", folder_of(head), to);
      continue;
    }
    const std::size_t slash = head.rfind('/');
    if (head == "." || head == "/") return "";
    tail.insert(0, head.substr(slash == std::string::npos ? 0 : slash + 1)).insert(0, "/");
    head = folder_of(head);
  }
}

bool lies_under_dev(const std::string& path) {
  const std::string real = real_path(path);
  if (!covers("/dev", real) || covers("/dev/shm", real)) return false;
  const std::vector<Mount> mounts = mounts_now();
  const Mount* mount = mount_of(mounts, real);
  return mount == nullptr || !mount->point.starts_with("/dev/");
}

std::string small_file(const char* path) {
  std::string text;
  const UniqueFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  if (!fd) return text;
  std::array<char, 4096> buffer;
  while (true) {
    const ssize_t n = ::read(fd.get(), buffer.data(), buffer.size());
    if (n <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

}  // namespace loadline
