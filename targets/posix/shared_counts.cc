#include "targets/posix/shared_counts.h"

#include <sys/mman.h>

#include <new>

namespace loadline::targets::posix {

SharedCounts::SharedCounts() {
  void* memory = ::mmap(nullptr, sizeof(SessionCounts), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  counts_ =
      memory == MAP_FAILED
          ? std::unique_ptr<SessionCounts, Release>(new SessionCounts(), Release{false})
          : std::unique_ptr<SessionCounts, Release>(new (memory) SessionCounts(), Release{true});
}

void SharedCounts::Release::operator()(SessionCounts* counts) const {
  if (!mapped) {
    delete counts;
    return;
  }
  counts->~SessionCounts();
  ::munmap(counts, sizeof(SessionCounts));
}

}  // namespace loadline::targets::posix
