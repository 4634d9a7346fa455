#include "base/unique_fd.h"

#include <unistd.h>

#include <cerrno>

namespace loadline {

void UniqueFd::reset() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

Result<void> UniqueFd::close() {
  if (fd_ < 0) return {};
  if (::close(std::exchange(fd_, -1)) != 0) return fail_errno(errno, "close", {});
  return {};
}

}  // namespace loadline
