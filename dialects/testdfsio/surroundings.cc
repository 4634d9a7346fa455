#include "dialects/testdfsio/surroundings.h"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace loadline::dialects::testdfsio {
namespace {

constexpr std::uintmax_t k_file_most = 16U << 20U;  // no configuration is that long

Result<std::string> read_file(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return fail_errno(error.value(), "cannot read", path);
  if (size > k_file_most) return fail(ErrorCode::bad_input, "is larger than 16 MiB", path);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file && !file.eof()) return fail_errno(errno, "cannot read", path);
  return text;
}

std::uint32_t usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<std::uint32_t>(std::max(CPU_COUNT(&set), 1));
}

}  // namespace

Surroundings system_surroundings() {
  Surroundings world;
  world.variable = [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr) return std::nullopt;
    return std::string(value);
  };
  world.read_file = read_file;
  world.cores = usable_cores();
  return world;
}

}  // namespace loadline::dialects::testdfsio
