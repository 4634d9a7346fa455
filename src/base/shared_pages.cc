#include "base/shared_pages.h"

#include <sys/mman.h>

#include <cerrno>
#include <string>
#include <utility>

namespace loadline {

Result<SharedPages> SharedPages::make(std::size_t bytes) {
  SharedPages pages;
  if (bytes == 0) return pages;
  void* start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) {
    return fail_errno(errno, "cannot get shared memory", std::to_string(bytes) + " bytes");
  }
  pages.start_ = static_cast<std::byte*>(start);
  pages.size_ = bytes;
  return pages;
}

SharedPages::~SharedPages() {
  if (start_ != nullptr) munmap(start_, size_);
}

SharedPages::SharedPages(SharedPages&& other) noexcept
    : start_(std::exchange(other.start_, nullptr)), size_(std::exchange(other.size_, 0)) {}

SharedPages& SharedPages::operator=(SharedPages&& other) noexcept {
  std::swap(start_, other.start_);
  std::swap(size_, other.size_);
  return *this;
}

}  // namespace loadline
