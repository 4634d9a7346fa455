// An owned file descriptor. Move-only; closed at the end of its life. Where losing the result of
// close() could lose data, call close() and look at what it returns.
#pragma once

#include <utility>

#include "base/error.h"

namespace loadline {

class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& o) noexcept : fd_(std::exchange(o.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& o) noexcept {
    if (this != &o) {
      reset();
      fd_ = std::exchange(o.fd_, -1);
    }
    return *this;
  }
  ~UniqueFd() { reset(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }
  void reset();
  [[nodiscard]] Result<void> close();

 private:
  int fd_ = -1;
};

}  // namespace loadline
