#include "dialects/cosbench/out_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace loadline::dialects::cosbench {
namespace {

constexpr std::size_t k_buffer_bytes = 64U << 10U;
constexpr mode_t k_mode = 0644;

Result<void> write_all(int fd, std::string_view text, const std::filesystem::path& path) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail_errno(errno, "write", path.string());
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

}  // namespace

OutFile::OutFile(const std::filesystem::path& path)
    : path_(path), fd_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, k_mode)) {
  if (!fd_) state_ = fail_errno(errno, "create", path.string());
}

void OutFile::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= k_buffer_bytes) flush();
}

void OutFile::flush() {
  if (state_) state_ = write_all(fd_.get(), buffer_, path_);
  buffer_.clear();
}

Result<void> OutFile::close() {
  flush();
  if (!state_) return state_;
  return fd_.close();
}

Result<void> write_file(const std::filesystem::path& path, std::string_view text) {
  OutFile file(path);
  file.write(text);
  return file.close();
}

Result<void> append_shared(const std::filesystem::path& path, std::string_view header,
                           std::string_view lines) {
  UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, k_mode));
  if (!fd) return fail_errno(errno, "open", path.string());
  // The lock ends with the descriptor.
  while (::flock(fd.get(), LOCK_EX) != 0) {
    if (errno != EINTR) return fail_errno(errno, "lock", path.string());
  }
  struct stat info{};
  if (::fstat(fd.get(), &info) != 0) return fail_errno(errno, "stat", path.string());
  std::string text;
  if (info.st_size == 0) {
    text = header;
  } else {
    // A line that was torn, by us or by COSBench, must not swallow the next one.
    char last = '\n';
    if (::pread(fd.get(), &last, 1, info.st_size - 1) == 1 && last != '\n') text = "\n";
  }
  text += lines;
  if (auto written = write_all(fd.get(), text, path); !written) {
    // Without the torn line; if even that fails, the error below says enough.
    if (::ftruncate(fd.get(), info.st_size) != 0) return written;
    return written;
  }
  return fd.close();
}

}  // namespace loadline::dialects::cosbench
