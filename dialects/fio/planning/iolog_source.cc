#include "dialects/fio/planning/iolog_source.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/check.h"
#include "dialects/fio/iolog.h"

namespace loadline::dialects::fio {
namespace {

constexpr std::size_t k_buffer_bytes = 128 * 1024;
static_assert(k_buffer_bytes > 2 * IologParser::k_line_max);

}  // namespace

IologSource::IologSource(UniqueFd fd, std::string path)
    : fd_(std::move(fd)),
      path_(std::move(path)),
      buffer_(std::make_unique<char[]>(k_buffer_bytes)) {}

Result<IologSource> IologSource::open(const std::string& path) {
  UniqueFd fd(path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                          : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return fail_errno(errno, "read_iolog cannot be read", path);
  return IologSource(std::move(fd), path);
}

Result<void> IologSource::fill() {
  std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  ssize_t n = -1;
  do {
    n = ::read(fd_.get(), buffer_.get() + end_, k_buffer_bytes - end_);
  } while (n < 0 && errno == EINTR);
  if (n < 0) return fail_errno(errno, "read_iolog cannot be read", path_);
  over_ = n == 0;
  end_ += static_cast<std::size_t>(n);
  return {};
}

Result<std::string_view> IologSource::peek(std::size_t bytes) {
  CHECK(bytes < k_buffer_bytes);
  while (end_ - begin_ < bytes && !over_) {
    if (auto more = fill(); !more) return propagate(more);
  }
  return std::string_view(buffer_.get() + begin_, std::min(bytes, end_ - begin_));
}

Result<std::string_view> IologSource::take(std::size_t bytes) {
  auto all = peek(bytes);
  if (!all) return all;
  if (!all->empty() && all->size() < bytes) {
    return fail(ErrorCode::bad_input, "ends in the middle of an event of blktrace", path_);
  }
  begin_ += all->size();
  return all;
}

Result<bool> IologSource::next(std::string_view& line) {
  while (true) {
    const char* begin = buffer_.get() + begin_;
    const auto* end = static_cast<const char*>(std::memchr(begin, '\n', end_ - begin_));
    if (end != nullptr || (over_ && begin_ < end_)) {
      const std::size_t length =
          end != nullptr ? static_cast<std::size_t>(end - begin) : end_ - begin_;
      line = {begin, length};
      begin_ += std::min(length + 1, end_ - begin_);
      return true;
    }
    if (over_) return false;
    if (end_ - begin_ > IologParser::k_line_max) {
      return fail(ErrorCode::bad_input, "holds a line that is no line of an iolog", path_);
    }
    if (auto more = fill(); !more) return propagate(more);
  }
}

}  // namespace loadline::dialects::fio
