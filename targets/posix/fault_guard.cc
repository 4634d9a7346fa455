#include "targets/posix/fault_guard.h"

#include <atomic>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstring>

namespace loadline::targets::posix {
namespace {

// Where the running copy of this thread goes on after a fault; null while there is none.
thread_local sigjmp_buf* escape = nullptr;

extern "C" void leave_copy(int signal_number) {
  if (escape != nullptr) siglongjmp(*escape, 1);
  // Not ours: the default action when the access is tried again.
  std::signal(signal_number, SIG_DFL);
}

}  // namespace

Result<void> install_fault_guard() {
  struct sigaction action{};
  action.sa_handler = leave_copy;
  action.sa_flags = SA_NODEFER;
  if (::sigaction(SIGBUS, &action, nullptr) != 0) {
    return fail_errno(errno, "cannot guard mapped files", "SIGBUS");
  }
  return {};
}

bool guarded_copy(std::byte* to, const std::byte* from, std::size_t size) {
  sigjmp_buf here;
  if (sigsetjmp(here, 0) != 0) {
    escape = nullptr;
    return false;
  }
  escape = &here;
  // The copy may not move before the line above: the handler looks at `escape`.
  std::atomic_signal_fence(std::memory_order_seq_cst);
  std::memcpy(to, from, size);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  escape = nullptr;
  return true;
}

}  // namespace loadline::targets::posix
