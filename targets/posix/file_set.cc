#include "targets/posix/file_set.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/check.h"
#include "targets/posix/mounts.h"
#include "targets/posix/object_files.h"
#include "targets/posix/outcome.h"

namespace loadline::targets::posix {
namespace {

using target::OpKind;

constexpr int k_keep_size = FALLOC_FL_KEEP_SIZE;
constexpr mode_t k_file_mode = 0644;
constexpr mode_t k_folder_mode = 0755;

int errno_of(int result) { return result < 0 ? errno : 0; }

// A regular file alone: never a device's node, nor a link to somebody's file.
int remove_file(const std::string& path) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0) return errno;
  if (!S_ISREG(status.st_mode)) return EINVAL;
  return errno_of(::unlink(path.c_str()));
}

int advice_of(Advice advice) {
  switch (advice) {
    case Advice::none: return POSIX_FADV_NORMAL;
    case Advice::random: return POSIX_FADV_RANDOM;
    case Advice::sequential: return POSIX_FADV_SEQUENTIAL;
    case Advice::no_reuse: return POSIX_FADV_NOREUSE;
  }
  return POSIX_FADV_NORMAL;
}

std::unexpected<Error> open_failed(int error_number, const std::string& path, int flags) {
  auto failed = fail_errno(error_number, "cannot open the file", path);
  failed.error().os_error = error_number;
  if (error_number == EINVAL && (flags & O_DIRECT) != 0) {
    failed.error().code = ErrorCode::unsupported;
    failed.error().what = "its file system refuses direct I/O (O_DIRECT); direct=0 would be right";
  }
  return failed;
}

// Where streams go, folders are made on the way. False, with errno, where that cannot be done.
bool make_folders_of(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  errno = error.value();
  return !error;
}

std::uint64_t size_of(const struct stat& status, int fd) {
  if (S_ISBLK(status.st_mode)) return device_size(fd).value_or(0);
  return S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
}

}  // namespace

Mapping::~Mapping() {
  if (begin_ != nullptr) ::munmap(begin_, size_);
}

Result<Mapping> Mapping::of(int fd, std::uint64_t size, bool writable, const std::string& path) {
  Mapping mapping;
  if (size == 0) return mapping;
  void* begin = ::mmap(nullptr, size, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, fd, 0);
  if (begin == MAP_FAILED) {
    const int why = errno;
    auto failed = fail_errno(why, "cannot map the file", path);
    failed.error().os_error = why;
    return failed;
  }
  mapping.begin_ = static_cast<std::byte*>(begin);
  mapping.size_ = size;
  return mapping;
}

FileSet::~FileSet() {
  if (open_ > 0) ledger_.account_ended(job_, reads_.end());
}

Result<target::OpenedObject> FileSet::open(std::string_view name, const target::OpenMode& mode) {
  auto path = stream_path(config_, name);
  if (!path) return propagate(path);
  auto file = open_file(std::move(*path), mode);
  if (!file) return propagate(file);
  if (open_++ == 0) {
    ledger_.account_begun(job_);
    reads_.begin(ledger_.in_own_process());
  }
  const std::uint64_t size = file->size;
  std::uint32_t index = static_cast<std::uint32_t>(files_.size());
  if (free_.empty()) {
    files_.push_back(std::move(*file));
  } else {
    index = free_.back();
    free_.pop_back();
    files_[index] = std::move(*file);
  }
  return target::OpenedObject{.handle = target::ObjectHandle{index}, .size = Bytes(size)};
}

Result<OpenFile> FileSet::open_file(std::string path, const target::OpenMode& mode) {
  OpenFile file;
  file.path = std::move(path);
  file.writable = mode.write;
  const auto provided = ledger_.find(file.path);
  if (config_.engine == Engine::null) {
    file.size = provided ? provided->size.count() : 0;
    return file;
  }
  int flags = O_CLOEXEC | (mode.write ? (mode.read ? O_RDWR : O_WRONLY) : O_RDONLY);
  if (config_.engine == Engine::mmap && mode.write) flags = O_CLOEXEC | O_RDWR;
  if (mode.create && mode.write) flags |= O_CREAT;
  if (mode.replace && mode.write) flags |= O_TRUNC;
  // Wherever the block is said to go, the kernel puts it behind what is there.
  if (mode.append && mode.write) flags |= O_APPEND;
  if ((flags & O_APPEND) != 0 &&
      (config_.engine == Engine::mmap || config_.engine == Engine::splice)) {
    return fail(ErrorCode::unsupported,
                fmt::format("engine {} cannot append; psync would do", to_string(config_.engine)),
                file.path);
  }
  if (config_.direct && config_.engine != Engine::mmap) flags |= O_DIRECT;
  if (mode.write) flags |= config_.sync_flag;
  if ((flags & O_CREAT) != 0 && lies_under_dev(file.path)) flags &= ~O_CREAT;
  file.fd = UniqueFd(::open(file.path.c_str(), flags, k_file_mode));
  if (!file.fd && errno == ENOENT && mode.create && mode.replace && make_folders_of(file.path)) {
    file.fd = UniqueFd(::open(file.path.c_str(), flags, k_file_mode));
  }
  if (!file.fd) return open_failed(errno, file.path, flags);
  struct stat status{};
  if (::fstat(file.fd.get(), &status) != 0) return open_failed(errno, file.path, flags);
  file.is_device = S_ISBLK(status.st_mode);
  file.size = size_of(status, file.fd.get());
  if (S_ISCHR(status.st_mode) && provided) file.size = provided->size.count();
  if (file.is_device && mode.write && !(provided && provided->device_writes)) {
    Error refused{.code = ErrorCode::denied,
                  .what = "a block device is written only after its checks",
                  .context = file.path,
                  .os_error = EPERM};
    return std::unexpected(std::move(refused));
  }
  const bool keep_cached = provided && provided->keep_cached;
  if (config_.invalidate && !keep_cached) {
    ::posix_fadvise(file.fd.get(), 0, 0, POSIX_FADV_DONTNEED);
    if (file.is_device) ::ioctl(file.fd.get(), BLKFLSBUF);
  }
  if (auto prepared = prepare(file); !prepared) return propagate(prepared);
  return file;
}

Result<void> FileSet::prepare(OpenFile& file) const {
  if (config_.advice != Advice::none) {
    ::posix_fadvise(file.fd.get(), 0, 0, advice_of(config_.advice));
  }
  if (config_.engine != Engine::mmap) return {};
  auto mapping = Mapping::of(file.fd.get(), file.size, file.writable, file.path);
  if (!mapping) return propagate(mapping);
  file.mapping = std::move(*mapping);
  if (config_.advice == Advice::random && file.mapping.size() > 0) {
    ::madvise(file.mapping.begin(), file.mapping.size(), MADV_RANDOM);
  }
  if (config_.advice == Advice::sequential && file.mapping.size() > 0) {
    ::madvise(file.mapping.begin(), file.mapping.size(), MADV_SEQUENTIAL);
  }
  return {};
}

Result<void> FileSet::close(target::ObjectHandle handle) {
  const auto index = static_cast<std::uint32_t>(handle);
  CHECK(index < files_.size());
  OpenFile file = std::exchange(files_[index], OpenFile());
  free_.push_back(index);
  if (--open_ == 0) ledger_.account_ended(job_, reads_.end());
  if (!file.fd) return {};
  return file.fd.close();
}

void FileSet::perform(const target::Op& op, target::Completion& completion) {
  if (config_.engine == Engine::null) return;
  if (op.handle != target::k_no_object) {
    perform_by_handle(op, completion);
  } else {
    perform_by_path(op, completion);
  }
}

int FileSet::trim(const OpenFile& file, const target::ByteRange& range) const {
  const std::uint64_t offset = range.offset.count();
  const std::uint64_t length = range.length.count();
  if (file.is_device) {
    std::uint64_t extent[2] = {offset, length};
    return errno_of(::ioctl(file.fd.get(), BLKDISCARD, extent));
  }
  if (!config_.trim_files) return EOPNOTSUPP;
  return errno_of(::fallocate(file.fd.get(), FALLOC_FL_PUNCH_HOLE | k_keep_size,
                              static_cast<off_t>(offset), static_cast<off_t>(length)));
}

void FileSet::perform_by_handle(const target::Op& op, target::Completion& completion) {
  OpenFile& file = (*this)[op.handle];
  const int fd = file.fd.get();
  const target::ByteRange range = op.range.value_or(target::ByteRange{});
  const auto offset = static_cast<off_t>(range.offset.count());
  const auto length = static_cast<off_t>(range.length.count());
  int error = EOPNOTSUPP;
  Bytes moved;
  switch (op.kind) {
    case OpKind::sync:
    case OpKind::sync_data:
      error = 0;
      if (file.mapping.size() > 0) {
        error = errno_of(::msync(file.mapping.begin(), file.mapping.size(), MS_SYNC));
      }
      if (error == 0) error = errno_of(op.kind == OpKind::sync ? ::fsync(fd) : ::fdatasync(fd));
      break;
    case OpKind::sync_range:
      error = errno_of(::sync_file_range(fd, offset, length, op.sync_flags));
      break;
    case OpKind::trim:
      error = trim(file, range);
      moved = range.length;
      break;
    case OpKind::allocate: {
      const bool keep = config_.preallocation == Preallocation::keep;
      error = errno_of(::fallocate(fd, keep ? k_keep_size : 0, offset, length));
      if (error == 0 && !keep) file.size = std::max<std::uint64_t>(file.size, offset + length);
      moved = range.length;
      break;
    }
    case OpKind::truncate:
      // A stream is cut without being opened for writing.
      error =
          errno_of(file.writable ? ::ftruncate(fd, offset) : ::truncate(file.path.c_str(), offset));
      if (error == 0) file.size = static_cast<std::uint64_t>(offset);
      moved = range.length;
      break;
    default: break;
  }
  note_errno(completion, error);
  if (error == 0) {
    completion.detail = {};
    completion.bytes = moved;
  }
}

void FileSet::perform_by_path(const target::Op& op, target::Completion& completion) {
  const std::string path(op.object);
  int error = EOPNOTSUPP;
  struct stat status{};
  switch (op.kind) {
    case OpKind::create:
      if (lies_under_dev(path)) {
        error = EPERM;
      } else {
        const UniqueFd fd(::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, k_file_mode));
        error = fd ? 0 : errno;
      }
      break;
    case OpKind::head: error = errno_of(::stat(path.c_str(), &status)); break;
    case OpKind::remove: error = remove_file(path); break;
    case OpKind::create_container:
      error = lies_under_dev(path) ? EPERM : errno_of(::mkdir(path.c_str(), k_folder_mode));
      break;
    case OpKind::head_container:
      error = errno_of(::stat(path.c_str(), &status));
      if (error == 0 && !S_ISDIR(status.st_mode)) error = ENOTDIR;
      break;
    case OpKind::remove_container: error = errno_of(::rmdir(path.c_str())); break;
    default: break;
  }
  note_errno(completion, error);
  if (error == 0) completion.detail = {};
}

void FileSet::settle(const target::Op& op, std::int64_t moved, target::Completion& completion) {
  OpenFile& file = (*this)[op.handle];
  const std::uint64_t offset = op.range->offset.count();
  const std::uint64_t length = op.range->length.count();
  std::uint64_t done = moved > 0 ? static_cast<std::uint64_t>(moved) : 0;
  bool again = moved > 0 && done < length && !config_.nowait && config_.engine != Engine::mmap;
  int error = moved < 0 ? static_cast<int>(-moved) : 0;
  while (again && done < length) {
    const auto at = static_cast<off_t>(offset + done);
    const ssize_t n = op.kind == OpKind::read
                          ? ::pread(file.fd.get(), op.memory.data() + done, length - done, at)
                          : ::pwrite(file.fd.get(), op.memory.data() + done, length - done, at);
    // The rest of a direct transfer may not be aligned: no failure of its own.
    if (n < 0 && !(errno == EINVAL && config_.direct)) error = errno;
    again = n > 0;
    if (again) done += static_cast<std::uint64_t>(n);
  }
  completion.bytes = Bytes(done);
  if (error != 0) {
    note_errno(completion, error);
    return;
  }
  if (op.kind == OpKind::write) {
    file.size = std::max(file.size, offset + done);
    if (done == length) return;
  } else {
    const std::uint64_t there = offset < file.size ? file.size - offset : 0;
    if (done >= std::min(length, there)) return;
  }
  completion.outcome = target::Outcome::short_transfer;
  completion.detail = "fewer bytes than the file has there";
  if (op.kind == OpKind::write) completion.detail = "the write ended early";
}

}  // namespace loadline::targets::posix
