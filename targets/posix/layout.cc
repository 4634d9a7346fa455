#include "targets/posix/layout.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/device_use.h"
#include "base/rng.h"
#include "base/unique_fd.h"
#include "targets/posix/layout_decision.h"
#include "targets/posix/mounts.h"

namespace loadline::targets::posix {
namespace {

constexpr std::uint64_t k_chunk_least = 256 << 10;
constexpr std::uint64_t k_chunk_most = 16 << 20;
constexpr mode_t k_file_mode = 0644;
constexpr mode_t k_folder_mode = 0755;

std::unexpected<Error> failed(int error_number, std::string_view doing, const std::string& path) {
  auto error = fail_errno(error_number, doing, path);
  error.error().os_error = error_number;
  if (error_number == ENOSPC) error.error().what = "ENOSPC on laying out file, stopping";
  return error;
}

Result<void> go_on(const target::ObjectNeed& need) {
  if (!need.stop.stop_requested()) return {};
  auto stopped = failed(ECANCELED, "stopped while preparing the files", need.name);
  stopped.error().code = ErrorCode::cancelled;
  return stopped;
}

FileKind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::regular;
  if (S_ISBLK(mode)) return FileKind::block_device;
  if (S_ISCHR(mode)) return FileKind::character_device;
  return S_ISDIR(mode) ? FileKind::folder : FileKind::other;
}

Result<FileState> state_of(const std::string& path, const Ledger& ledger) {
  struct stat status{};
  FileState state{.under_dev = lies_under_dev(path)};
  if (::stat(path.c_str(), &status) != 0) {
    const int why = errno;
    std::error_code no_link;
    state.link_to = std::filesystem::read_symlink(path, no_link).string();
    if (why == ENOENT && !no_link) state.kind = FileKind::broken_link;
    if (why == ENOENT || why == ENOTDIR) return state;
    errno = why;
    return failed(errno, "cannot look at the file", path);
  }
  state.kind = kind_of(status.st_mode);
  state.size = static_cast<std::uint64_t>(status.st_size);
  state.made_here = ledger.has_made(status.st_dev, status.st_ino);
  return state;
}

Result<void> make_parents(const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    const std::string folder = path.substr(0, slash);
    if (::mkdir(folder.c_str(), k_folder_mode) == 0 || errno == EEXIST) continue;
    struct stat status{};
    const int why = errno;
    // On a read-only file system even a folder that is there may be refused so.
    if (::stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) continue;
    return failed(why, "cannot make the folder", folder);
  }
  return {};
}

// One file of the call.
class Preparation {
 public:
  Preparation(const Config& config, Ledger& ledger, const target::ObjectNeed& need)
      : config_(config), ledger_(ledger), need_(need) {}

  Result<void> decide();
  Result<void> may_go_on() const { return go_on(need_); }
  // `again`: the file appeared after the decision, which was made anew.
  Result<target::ObjectFacts> carry_out(bool again = false);
  std::uint64_t bytes_to_write() const {
    return layout_.step == LayoutStep::fill ? layout_.to - layout_.from : 0;
  }

 private:
  Result<void> look_at_device();
  Result<void> fill(int fd);
  Result<void> allocate(int fd);
  Result<void> pre_read();
  Result<UniqueFd> open_for_layout();

  const Config& config_;
  Ledger& ledger_;
  const target::ObjectNeed& need_;
  Layout layout_;
  FileKind kind_ = FileKind::missing;
  std::uint64_t size_ = 0;  // of what is there
  bool device_writes_ = false;
};

Result<void> Preparation::decide() {
  auto state = state_of(need_.name, ledger_);
  if (!state) return propagate(state);
  kind_ = state->kind;
  size_ = state->size;
  auto layout = decide_layout(*state, need_);
  if (!layout) return propagate(layout);
  layout_ = *layout;
  if (kind_ == FileKind::character_device) size_ = need_.size.count();
  return kind_ == FileKind::block_device ? look_at_device() : Result<void>();
}

Result<void> Preparation::look_at_device() {
  // Before anything is opened: the reason is a better answer than a missing permission.
  if (need_.writes) {
    auto allowed = may_write_device(need_.name, config_.allow_mounted_write);
    if (!allowed) return allowed;
    device_writes_ = true;
  }
  const UniqueFd fd(::open(need_.name.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return failed(errno, "cannot open the device", need_.name);
  const auto size = device_size(fd.get());
  if (!size) return failed(errno, "cannot ask for the device's size", need_.name);
  size_ = *size;
  return {};
}

Result<UniqueFd> Preparation::open_for_layout() {
  if (layout_.create) {
    if (auto made = make_parents(need_.name); !made) return propagate(made);
  }
  // Never over a file that somebody else has made since the decision.
  const int flags = O_RDWR | O_CLOEXEC | (layout_.create ? O_CREAT | O_EXCL : 0);
  UniqueFd fd(::open(need_.name.c_str(), flags, k_file_mode));
  if (!fd) return failed(errno, "cannot lay out the file", need_.name);
  if (layout_.create) {
    struct stat status{};
    if (::fstat(fd.get(), &status) == 0) ledger_.made(status.st_dev, status.st_ino);
  }
  return fd;
}

Result<target::ObjectFacts> Preparation::carry_out(bool again) {
  target::ObjectFacts facts{.size = Bytes(size_)};
  if (layout_.step != LayoutStep::use) {
    auto fd = open_for_layout();
    if (!fd && fd.error().os_error == EEXIST && !again) {
      if (auto decided = decide(); !decided) return propagate(decided);
      return carry_out(true);
    }
    if (!fd) return propagate(fd);
    Result<void> done;
    if (layout_.step == LayoutStep::fill) done = fill(fd->get());
    if (layout_.step == LayoutStep::allocate) done = allocate(fd->get());
    if (!done) {
      // Half a file of ours would stand in the way of the next try; old data stays.
      if (layout_.create) {
        ::unlink(need_.name.c_str());
      } else if (layout_.step == LayoutStep::fill) {
        // What was there is all that is kept; where that fails too the first error says enough.
        if (::ftruncate(fd->get(), static_cast<off_t>(layout_.from)) != 0) errno = 0;
      }
      return propagate(done);
    }
    struct stat status{};
    if (::fstat(fd->get(), &status) != 0) return failed(errno, "cannot look at", need_.name);
    facts = {.size = Bytes(static_cast<std::uint64_t>(status.st_size)),
             .made = layout_.create,
             .laid_out = layout_.step == LayoutStep::fill};
    if (auto closed = fd->close(); !closed) return propagate(closed);
  }
  if (need_.pre_read && !need_.writes) {
    if (auto read = pre_read(); !read) return propagate(read);
  }
  ledger_.provide(
      need_.name,
      {.size = facts.size, .keep_cached = need_.pre_read, .device_writes = device_writes_});
  return facts;
}

Result<void> Preparation::fill(int fd) {
  const std::uint64_t block = std::max<std::uint64_t>(need_.block.count(), 1);
  std::uint64_t chunk = (k_chunk_least + block - 1) / block * block;
  chunk = std::min(std::max(chunk, block), k_chunk_most);
  std::vector<std::uint64_t> words((chunk + 7) / 8);
  Rng rng = Rng::split(need_.seed, layout_.from);
  std::uint64_t at = layout_.from;
  while (at < layout_.to) {
    if (auto going = go_on(need_); !going) return going;
    for (std::uint64_t& word : words) word = rng.next();
    const std::uint64_t end = std::min(at + chunk, layout_.to);
    const char* from = reinterpret_cast<const char*>(words.data());
    while (at < end) {
      const ssize_t n = ::pwrite(fd, from, end - at, static_cast<off_t>(at));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return failed(n < 0 ? errno : EIO, "cannot lay out the file", need_.name);
      at += static_cast<std::uint64_t>(n);
      from += n;
    }
  }
  if (need_.sync && ::fsync(fd) != 0) return failed(errno, "cannot sync the file", need_.name);
  return {};
}

Result<void> Preparation::allocate(int fd) {
  const auto size = static_cast<off_t>(layout_.to);
  int error = 0;
  switch (config_.preallocation) {
    case Preallocation::native:
      if (::fallocate(fd, 0, 0, size) != 0) error = errno;
      // A file system without it gets its space when it is written; one without the room says so
      // then, and what was measured until then counts.
      if (error == ENOSPC && ::ftruncate(fd, static_cast<off_t>(layout_.from)) != 0) break;
      if (error == EOPNOTSUPP || error == ENOSYS || error == ENOSPC) error = 0;
      break;
    case Preallocation::posix: error = ::posix_fallocate(fd, 0, size); break;
    case Preallocation::keep:
      if (::fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, size) != 0) error = errno;
      break;
    case Preallocation::none:
    case Preallocation::truncate: break;
  }
  if (error != 0) return failed(error, "cannot preallocate the file", need_.name);
  if (config_.preallocation == Preallocation::keep) return {};
  struct stat status{};
  if (::fstat(fd, &status) == 0 && status.st_size >= size) return {};
  if (::ftruncate(fd, size) != 0) return failed(errno, "cannot grow the file", need_.name);
  return {};
}

Result<void> Preparation::pre_read() {
  const UniqueFd fd(::open(need_.name.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return failed(errno, "cannot read the file in advance", need_.name);
  std::vector<char> buffer(1 << 20);
  const std::uint64_t limit = need_.size.count() > 0 ? need_.size.count() : UINT64_MAX;
  for (std::uint64_t at = 0; at < limit;) {
    if (auto going = go_on(need_); !going) return going;
    const ssize_t n = ::pread(fd.get(), buffer.data(), buffer.size(), static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return failed(errno, "cannot read the file in advance", need_.name);
    if (n == 0) break;
    at += static_cast<std::uint64_t>(n);
  }
  return {};
}

}  // namespace

Result<std::vector<target::ObjectFacts>> provide_files(const Config& config, Ledger& ledger,
                                                       std::span<const target::ObjectNeed> needs,
                                                       const target::LayoutNotice& notice) {
  std::vector<target::ObjectFacts> facts;
  facts.reserve(needs.size());
  if (config.engine == Engine::null) {
    for (const auto& need : needs) {
      ledger.provide(need.name, {.size = need.size});
      facts.push_back({.size = need.size});
    }
    return facts;
  }
  std::vector<Preparation> preparations;
  preparations.reserve(needs.size());
  std::size_t files = 0;
  Bytes bytes;
  for (const auto& need : needs) {
    if (auto going = go_on(need); !going) return propagate(going);
    Preparation& preparation = preparations.emplace_back(config, ledger, need);
    if (auto decided = preparation.decide(); !decided) return propagate(decided);
    if (preparation.bytes_to_write() == 0) continue;
    ++files;
    bytes += Bytes(preparation.bytes_to_write());
  }
  if (files > 0 && notice) notice(files, bytes);
  for (Preparation& preparation : preparations) {
    if (auto going = preparation.may_go_on(); !going) return propagate(going);
    auto done = preparation.carry_out();
    if (!done) return propagate(done);
    facts.push_back(*done);
  }
  return facts;
}

}  // namespace loadline::targets::posix
