#include "dialects/fio/planning/file_view.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/device_use.h"
#include "base/mounts.h"
#include "dialects/fio/value_parser.h"

namespace loadline::dialects::fio {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_files_max = 1'000'000;

PathKind kind_of(const std::string& path) {
  std::error_code ignored;
  switch (fs::status(path, ignored).type()) {
    case fs::file_type::regular: return PathKind::file;
    case fs::file_type::directory: return PathKind::folder;
    case fs::file_type::block:
    case fs::file_type::character: return PathKind::device;
    case fs::file_type::none:
    case fs::file_type::not_found:
      return fs::is_symlink(fs::symlink_status(path, ignored)) ? PathKind::broken_link
                                                               : PathKind::missing;
    default: return PathKind::other;
  }
}

std::uint64_t size_of(const std::string& path) {
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(path, failed);
  return failed ? 0 : size;
}

std::vector<std::string> files_below(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code failed;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied,
                                      failed);
  for (; !failed && at != fs::end(at) && files.size() < k_files_max; at.increment(failed)) {
    std::error_code unknown;
    if (at->is_regular_file(unknown)) files.push_back(at->path().string());
  }
  std::ranges::sort(files);
  return files;
}

std::vector<std::uint32_t> cpus_of_node(std::uint32_t node) {
  constexpr std::uint64_t k_last_cpu = 8191;
  std::ifstream file("/sys/devices/system/node/node" + std::to_string(node) + "/cpulist");
  std::string text;
  if (!std::getline(file, text)) return {};
  auto cpus = parse_index_list(text, k_last_cpu, "processor");
  return cpus ? std::move(*cpus) : std::vector<std::uint32_t>{};
}

}  // namespace

Result<void> may_write_file(const std::string& path) { return may_write_device(path, false); }

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code missing;
  if (fs::equivalent(a, b, missing)) return true;
  const std::string real = real_path(a);
  return !real.empty() && real == real_path(b);
}

FileView system_file_view() {
  return {.kind_of = kind_of,
          .size_of = size_of,
          .files_below = files_below,
          .cpus_of_node = cpus_of_node};
}

}  // namespace loadline::dialects::fio
