#include "targets/posix/shared_counts.h"

#include <sys/mman.h>

#include <new>

namespace loadline::targets::posix {

SharedCounts::SharedCounts() {
  void* memory = ::mmap(nullptr, sizeof(SessionCounts), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  counts_.reset(std::construct_at(static_cast<SessionCounts*>(memory)));
}

void SharedCounts::Release::operator()(SessionCounts* counts) const {
  std::destroy_at(counts);
  ::munmap(counts, sizeof(SessionCounts));
}

}  // namespace loadline::targets::posix
