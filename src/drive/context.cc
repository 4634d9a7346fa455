#include "drive/context.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "drive/build_info.h"

namespace loadline::drive {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view k_unknown = "unknown";
constexpr std::size_t k_file_most = 64 * 1024;  // of /proc/cpuinfo the first cores are enough
constexpr std::size_t k_interfaces_most = 16;

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

// Without blanks at its ends; empty where it cannot be read.
std::string file_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return {};
  std::string text(k_file_most, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return std::string(trimmed(text));
}

// The value of a line "key : value" or "key=value".
std::string field_of(std::string_view text, std::string_view key, char separator) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::size_t at = line.find(separator);
    if (at != std::string_view::npos && trimmed(line.substr(0, at)) == key) {
      std::string_view value = trimmed(line.substr(at + 1));
      if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
        value = value.substr(1, value.size() - 2);
      }
      return std::string(value);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

std::optional<std::int64_t> number_in(std::string_view text) {
  text = trimmed(text);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  return value;
}

std::string gigabytes(double bytes) { return fmt::format("{:.1f} GB", bytes / 1e9); }

std::string cpu_of(const fs::path& root) {
  const std::string text = file_text(root / "proc/cpuinfo");
  std::string model = field_of(text, "model name", ':');
  if (model.empty()) model = field_of(text, "CPU part", ':');  // some ARM kernels
  return model.empty() ? std::string(k_unknown) : model;
}

std::string cores_of(const fs::path& root) {
  const std::string online = file_text(root / "sys/devices/system/cpu/online");
  cpu_set_t set;
  CPU_ZERO(&set);
  std::string text = online.empty() ? "online: unknown" : "online: " + online;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) {
    text = fmt::format("{} usable, {}", CPU_COUNT(&set), text);
  }
  const std::string nodes = file_text(root / "sys/devices/system/node/online");
  if (!nodes.empty() && nodes != "0") text += ", NUMA nodes " + nodes;
  return text;
}

std::string governor_of(const fs::path& root) {
  std::set<std::string> governors;
  std::error_code error;
  for (fs::directory_iterator it(root / "sys/devices/system/cpu", error), end; !error && it != end;
       it.increment(error)) {
    const std::string governor = file_text(it->path() / "cpufreq/scaling_governor");
    if (!governor.empty()) governors.insert(governor);
  }
  if (governors.empty()) return "none";
  std::string text;
  for (const std::string& governor : governors) text += (text.empty() ? "" : ", ") + governor;
  return text;
}

std::string machine_of(const fs::path& root) {
  const std::string vendor = file_text(root / "sys/class/dmi/id/sys_vendor");
  const std::string product = file_text(root / "sys/class/dmi/id/product_name");
  const std::string flags = field_of(file_text(root / "proc/cpuinfo"), "flags", ':');
  std::string text = vendor;
  if (!product.empty()) text += (text.empty() ? "" : " ") + product;
  if (text.empty()) text = k_unknown;
  if ((" " + flags + " ").find(" hypervisor ") != std::string::npos) text += ", virtual";
  return text;
}

std::string memory_of(const fs::path& root) {
  const std::string text = file_text(root / "proc/meminfo");
  const auto total = number_in(field_of(text, "MemTotal", ':'));
  const auto available = number_in(field_of(text, "MemAvailable", ':'));
  if (!total) return std::string(k_unknown);
  std::string out = gigabytes(static_cast<double>(*total) * 1024);
  if (available) {
    out += ", " + gigabytes(static_cast<double>(*available) * 1024) + " available";
  }
  return out;
}

// The folder of this process's group: cgroup 2 below `unified`, or the named controller of version
// 1. The limits of the groups above apply too; the nearest one is reported.
std::string group_of(const fs::path& root, std::string_view controller) {
  std::istringstream lines(file_text(root / "proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    if (line.substr(first + 1, second - first - 1) == controller) return line.substr(second + 1);
  }
  return {};
}

std::string cpus(double count) { return fmt::format("{:.2f} CPUs", count); }

std::string cpu_limit_of(const fs::path& root) {
  const fs::path base = root / "sys/fs/cgroup";
  for (const std::string& group : {group_of(root, ""), std::string()}) {
    const std::string text = file_text(fs::path(base.string() + group) / "cpu.max");
    const std::size_t blank = text.find(' ');
    if (blank == std::string::npos) continue;
    const auto quota = number_in(text.substr(0, blank));
    const auto period = number_in(text.substr(blank + 1));
    if (!quota) return "none";
    if (period && *period > 0) {
      return cpus(static_cast<double>(*quota) / static_cast<double>(*period));
    }
  }
  for (const std::string& group : {group_of(root, "cpu,cpuacct"), group_of(root, "cpu")}) {
    const fs::path folder((base / "cpu").string() + group);
    const auto quota = number_in(file_text(folder / "cpu.cfs_quota_us"));
    const auto period = number_in(file_text(folder / "cpu.cfs_period_us"));
    if (quota && period && *quota > 0 && *period > 0) {
      return cpus(static_cast<double>(*quota) / static_cast<double>(*period));
    }
  }
  return "none";
}

std::string memory_limit_of(const fs::path& root) {
  const fs::path base = root / "sys/fs/cgroup";
  // Version 1 writes "no limit" as nearly 2^63.
  constexpr std::int64_t k_no_limit = std::int64_t{1} << 60;
  for (const std::string& file :
       {base.string() + group_of(root, "") + "/memory.max", (base / "memory.max").string(),
        (base / "memory").string() + group_of(root, "memory") + "/memory.limit_in_bytes"}) {
    const auto limit = number_in(file_text(file));
    if (limit && *limit < k_no_limit) return gigabytes(static_cast<double>(*limit));
  }
  return "none";
}

std::string container_of(const fs::path& root) {
  std::error_code error;
  if (fs::exists(root / ".dockerenv", error)) return "docker";
  if (fs::exists(root / "run/.containerenv", error)) return "podman";
  if (fs::exists(root / "var/run/secrets/kubernetes.io", error)) return "kubernetes";
  const std::string manager = file_text(root / "run/systemd/container");
  return manager.empty() ? "none" : manager;
}

std::string interface_text(const fs::path& folder) {
  const std::string state = file_text(folder / "operstate");
  std::string text = state.empty() ? "state unknown" : state;
  const auto speed = number_in(file_text(folder / "speed"));
  text += speed && *speed > 0 ? fmt::format(", {} Mbit/s", *speed) : ", speed unknown";
  const auto mtu = number_in(file_text(folder / "mtu"));
  if (mtu) text += fmt::format(", mtu {}", *mtu);
  std::error_code error;
  const fs::path driver = fs::read_symlink(folder / "device/driver", error);
  if (!error && driver.has_filename()) text += ", driver " + driver.filename().string();
  return text;
}

// All but loopback and those that are down.
void add_interfaces(const fs::path& root,
                    std::vector<std::pair<std::string, std::string>>& context) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (fs::directory_iterator it(root / "sys/class/net", error), end; !error && it != end;
       it.increment(error)) {
    const bool loopback = it->path().filename() == "lo";
    if (!loopback && file_text(it->path() / "operstate") != "down") folders.push_back(it->path());
  }
  std::ranges::sort(folders);
  if (folders.size() > k_interfaces_most) folders.resize(k_interfaces_most);
  for (const fs::path& folder : folders) {
    context.emplace_back("network " + folder.filename().string(), interface_text(folder));
  }
}

std::string open_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return std::string(k_unknown);
  if (limit.rlim_cur == RLIM_INFINITY) return "none";
  return std::to_string(limit.rlim_cur);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> gather_context(const fs::path& root) {
  utsname names{};
  const bool named = ::uname(&names) == 0;
  const BuildInfo build = build_info();
  const auto or_unknown = [](const std::string& text) {
    return text.empty() ? std::string(k_unknown) : text;
  };
  std::vector<std::pair<std::string, std::string>> context = {
      {"loadline", build.release()},
      {"build", build.how()},
      {"host", or_unknown(named ? names.nodename : "")},
      {"system", or_unknown(field_of(file_text(root / "etc/os-release"), "PRETTY_NAME", '='))},
      {"kernel", named ? fmt::format("{} {} {}", names.sysname, names.release, names.machine)
                       : std::string(k_unknown)},
      {"machine", machine_of(root)},
      {"container", container_of(root)},
      {"cpu", cpu_of(root)},
      {"cpus", cores_of(root)},
      {"cpu governor", governor_of(root)},
      {"cpu limit", cpu_limit_of(root)},
      {"clock source",
       or_unknown(
           file_text(root / "sys/devices/system/clocksource/clocksource0/current_clocksource"))},
      {"load average", or_unknown(file_text(root / "proc/loadavg"))},
      {"memory", memory_of(root)},
      {"memory limit", memory_limit_of(root)},
      {"open files limit", open_files()},
      {"tcp congestion control",
       or_unknown(file_text(root / "proc/sys/net/ipv4/tcp_congestion_control"))},
  };
  add_interfaces(root, context);
  return context;
}

}  // namespace loadline::drive
