#include "store/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace loadline::store {
namespace {

namespace fs = std::filesystem;

constexpr mode_t k_mode = 0666;  // less the umask

// Writes all of it at the descriptor's position.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

int sync_file(int fd) {
  // Pipes and some user-space file systems have nothing to sync.
  if (::fsync(fd) == 0 || errno == EINVAL || errno == EROFS) return 0;
  return errno;
}

Result<void> write_and_close(UniqueFd fd, const fs::path& path, std::string_view text) {
  if (const int error = write_all(fd.get(), text)) return fail_errno(error, "cannot write", path);
  if (const int error = sync_file(fd.get())) return fail_errno(error, "cannot write", path);
  if (Result<void> closed = fd.close(); !closed) {
    closed.error().context = path;
    return propagate(closed);
  }
  return {};
}

}  // namespace

Result<void> write_file(const fs::path& path, std::string_view text) {
  fs::path part = path;
  part += ".part";
  UniqueFd fd(::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, k_mode));
  if (!fd) return fail_errno(errno, "cannot create", path);
  Result<void> written = write_and_close(std::move(fd), path, text);
  if (written && ::rename(part.c_str(), path.c_str()) != 0) {
    written = fail_errno(errno, "cannot rename to", path);
  }
  if (!written) ::unlink(part.c_str());
  return written;
}

Result<std::string> read_file(const fs::path& path, Bytes most) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return fail_errno(errno, "cannot open", path);
  struct stat status{};
  if (::fstat(fd.get(), &status) != 0) return fail_errno(errno, "cannot read", path);
  if (!S_ISREG(status.st_mode)) return fail(ErrorCode::io, "is no file", path);
  if (static_cast<std::uint64_t>(status.st_size) > most.count()) {
    return fail(ErrorCode::io, "is too large to be what its name says", path);
  }
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t got = 0;
  while (got < text.size()) {
    const ssize_t n = ::read(fd.get(), text.data() + got, text.size() - got);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_errno(errno, "cannot read", path);
    if (n == 0) break;
    got += static_cast<std::size_t>(n);
  }
  text.resize(got);
  return text;
}

Result<AppendFile> AppendFile::create(const fs::path& path) {
  UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, k_mode));
  if (!fd) return fail_errno(errno, "cannot create", path);
  return AppendFile(path, std::move(fd));
}

Result<void> AppendFile::append(std::string_view text) {
  if (const int error = write_all(fd_.get(), text)) {
    // Where even this fails, a reader finds one line that is none.
    if (::ftruncate(fd_.get(), static_cast<off_t>(length_)) != 0) {
      return fail_errno(errno, "cannot write, nor cut off what was written", path_);
    }
    return fail_errno(error, "cannot write", path_);
  }
  length_ += text.size();
  return {};
}

Result<void> AppendFile::sync() {
  if (const int error = sync_file(fd_.get())) return fail_errno(error, "cannot write", path_);
  return {};
}

Result<void> AppendFile::lock() { return lock_exclusively(fd_, path_); }

Result<void> lock_exclusively(const UniqueFd& fd, const fs::path& path) {
  while (::flock(fd.get(), LOCK_EX) != 0) {
    if (errno != EINTR) return fail_errno(errno, "cannot lock", path);
  }
  return {};
}

bool is_being_written(const fs::path& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return fd && ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

}  // namespace loadline::store
