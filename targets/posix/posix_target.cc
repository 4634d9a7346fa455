#include "targets/posix/posix_target.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "targets/posix/folder_walk.h"
#include "targets/posix/io_uring_session.h"
#include "targets/posix/layout.h"
#include "targets/posix/libaio_session.h"
#include "targets/posix/mounts.h"
#include "targets/posix/object_files.h"
#include "targets/posix/posixaio_session.h"
#include "targets/posix/sync_session.h"
#include "targets/posix/watch.h"

namespace loadline::targets {
namespace posix {
namespace {

Result<void> check_name(const std::string& container) {
  if (is_safe_name(container)) return {};
  return fail(ErrorCode::bad_input, "a container is a folder below root, and this is none",
              container);
}

// Whether what is there of a container's path lets the rest be made.
Result<void> check_can_be_made(const std::string& root, const std::string& container) {
  if (auto sound = check_name(container); !sound) return sound;
  std::string path = fmt::format("{}/{}", root, container);
  struct stat status{};
  while (path.size() > root.size() && ::stat(path.c_str(), &status) != 0 && errno == ENOENT) {
    path.resize(std::max(path.rfind('/'), root.size()));
  }
  if (::access(path.c_str(), W_OK | X_OK) == 0) return {};
  return fail_errno(errno, "cannot make folders and files here", path);
}

}  // namespace

using target::OpKind;

Result<std::unique_ptr<target::Target>> PosixTarget::open(const target::Parameters& parameters) {
  auto config = read_config(parameters);
  if (!config) return propagate(config);
  return std::unique_ptr<target::Target>(new PosixTarget(std::move(*config)));
}

// Objects are moved by blocking calls whatever the engine, so their slots are threads; a job of
// block I/O has one session with all its slots.
target::Capabilities PosixTarget::capabilities() const {
  const bool asynchronous = config_.engine == Engine::libaio ||
                            config_.engine == Engine::io_uring ||
                            config_.engine == Engine::posixaio;
  target::Capabilities can{
      .blocking = true,
      .range_reads = true,
      .block_io = true,
      .block_io_waits = !asynchronous,
      .gathers = config_.engine == Engine::libaio || config_.engine == Engine::io_uring,
      // Buffered I/O happens inside the kernel's call.
      .hand_over_waits = config_.engine == Engine::libaio && !config_.direct,
      // The C library's asynchronous I/O has threads of its own.
      .own_descriptors = config_.engine != Engine::posixaio,
      .remembers_data = config_.engine != Engine::null,
      .not_supported_hint = "a file system has no archive to restore from"};
  for (std::size_t kind = 0; kind < target::k_op_kinds; ++kind) can.kinds |= 1U << kind;
  can.kinds &= ~target::Capabilities::bit(OpKind::restore);
  return can;
}

Result<void> PosixTarget::preflight(std::span<const std::string> containers,
                                    std::span<const std::string> created_by_run) {
  if (containers.empty() && created_by_run.empty() && config_.root.empty()) return {};
  if (config_.root.empty()) {
    return fail(ErrorCode::bad_input, "no folder for the containers; root=/mnt/x would be right",
                "root");
  }
  struct stat status{};
  if (::stat(config_.root.c_str(), &status) != 0) {
    return fail_errno(errno, "cannot use the folder of the containers", config_.root);
  }
  if (!S_ISDIR(status.st_mode)) {
    return fail(ErrorCode::bad_input, "root is not a folder", config_.root);
  }
  if (::access(config_.root.c_str(), R_OK | X_OK) != 0) {
    return fail_errno(errno, "cannot use the folder of the containers", config_.root);
  }
  for (const std::string& name : created_by_run) {
    if (auto made = check_can_be_made(config_.root, name); !made) return made;
  }
  for (const std::string& name : containers) {
    if (auto sound = check_name(name); !sound) return sound;
    if (std::ranges::find(created_by_run, name) != created_by_run.end()) continue;
    const std::string path = fmt::format("{}/{}", config_.root, name);
    if (::stat(path.c_str(), &status) != 0) {
      return fail_errno(errno, "cannot use the container's folder", path);
    }
    if (::access(path.c_str(), R_OK | W_OK | X_OK) != 0 && errno != EROFS) {
      return fail_errno(errno, "cannot use the container's folder", path);
    }
  }
  return {};
}

Result<std::unique_ptr<target::Session>> PosixTarget::open_session(
    const target::WorkerContext& context) {
  ledger_.session_opened(context.job, context.slots);
  switch (config_.engine) {
    case Engine::libaio: return open_libaio_session(config_, ledger_, context);
    case Engine::io_uring: return open_io_uring_session(config_, ledger_, context);
    case Engine::posixaio: return open_posixaio_session(config_, ledger_, context);
    default: return open_sync_session(config_, ledger_, context);
  }
}

Result<std::vector<target::ObjectFacts>> PosixTarget::provide(
    std::span<const target::ObjectNeed> needs, const target::LayoutNotice& notice) {
  return provide_files(config_, ledger_, needs, notice);
}

std::unique_ptr<target::Watch> PosixTarget::watch(std::span<const target::ObjectNeed> needs,
                                                  std::uint32_t job) {
  return watch_files(config_, ledger_, needs, job);
}

Result<target::ContentSummary> PosixTarget::content_summary(std::string_view path) {
  // The root itself is no name below it.
  if (!config_.root.empty() && path.empty()) return summary_of(config_.root);
  auto full = stream_path(config_, path);
  if (!full) return propagate(full);
  return summary_of(*full);
}

std::string PosixTarget::describe() const {
  std::string text = fmt::format("engine {}", to_string(config_.engine));
  if (config_.direct) text += ", direct";
  if (config_.root.empty()) return text;
  const std::vector<Mount> mounts = mounts_now();
  const Mount* mount = mount_of(mounts, real_path(config_.root));
  if (mount != nullptr) text += "; " + posix::describe(*mount);
  return text;
}

}  // namespace posix

target::TargetType posix_target() {
  return {.name = "posix",
          .summary = "files and block devices, by psync, io_uring, libaio, mmap and others",
          .built_with = posix::io_uring_version(),
          .parameters = posix::parameter_table(),
          .open = posix::PosixTarget::open};
}

}  // namespace loadline::targets
