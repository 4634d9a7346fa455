#include "dialects/testdfsio/result_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/output_path.h"

namespace loadline::dialects::testdfsio {
namespace {

constexpr int k_flags = O_WRONLY | O_APPEND | O_CLOEXEC;
constexpr mode_t k_mode = 0644;

}  // namespace

Result<ResultFile> ResultFile::open(std::string option, std::string path) {
  ResultFile file;
  file.option_ = std::move(option);
  file.path_ = std::move(path);
  if (auto allowed = may_be_output(file.path_); !allowed) {
    return fail(ErrorCode::bad_input, allowed.error().message(), file.option_);
  }
  file.fd_ = UniqueFd(::open(file.path_.c_str(), k_flags | O_CREAT | O_EXCL, k_mode));
  file.remove_ = static_cast<bool>(file.fd_);
  if (!file.fd_) file.fd_ = UniqueFd(::open(file.path_.c_str(), k_flags | O_CREAT, k_mode));
  if (file.fd_) return file;
  return fail_errno(errno, fmt::format("cannot write to '{}'", file.path_), file.option_);
}

ResultFile::~ResultFile() {
  if (fd_ && remove_) ::unlink(path_.c_str());
}

Result<void> ResultFile::append(std::string_view text) {
  remove_ = remove_ && text.empty();
  while (!text.empty()) {
    const ssize_t n = ::write(fd_.get(), text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_errno(errno, fmt::format("cannot write to '{}'", path_), option_);
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

Result<void> ResultFile::replace(std::string_view text) {
  // What cannot be cut, a pipe or a terminal, holds nothing either.
  if (::ftruncate(fd_.get(), 0) != 0 && errno != EINVAL) {
    return fail_errno(errno, fmt::format("cannot write to '{}'", path_), option_);
  }
  return append(text);
}

}  // namespace loadline::dialects::testdfsio
