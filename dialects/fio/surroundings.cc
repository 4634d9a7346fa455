#include "dialects/fio/surroundings.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/unique_fd.h"

namespace loadline::dialects::fio {
namespace {

constexpr std::size_t k_file_max = 16U << 20U;

Result<std::string> read_all(int fd, const std::string& path) {
  std::string out;
  char buffer[16384];
  for (;;) {
    const ssize_t n = read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_errno(errno, "cannot read", path);
    if (n == 0) return out;
    out.append(buffer, static_cast<std::size_t>(n));
    if (out.size() > k_file_max) return fail(ErrorCode::bad_input, "larger than 16 MiB", path);
  }
}

Result<std::string> read_file(const std::string& path) {
  if (path == "-") return read_all(STDIN_FILENO, path);
  const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return fail_errno(errno, "cannot open", path);
  return read_all(fd.get(), path);
}

std::uint64_t system_number(int name, std::uint64_t otherwise) {
  const long value = sysconf(name);
  return value > 0 ? static_cast<std::uint64_t>(value) : otherwise;
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
  world.page_size = system_number(_SC_PAGESIZE, 4096);
  world.memory_mb = system_number(_SC_PHYS_PAGES, 1) * world.page_size >> 20U;
  world.cpus = system_number(_SC_NPROCESSORS_CONF, 1);
  return world;
}

}  // namespace loadline::dialects::fio
