#include "base/open_files.h"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>

namespace loadline {

Result<void> allow_open_files(std::uint64_t files) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return fail_errno(errno, "read", "open files");
  if (limit.rlim_cur >= files) return {};
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, files);
  if (limit.rlim_cur >= files && setrlimit(RLIMIT_NOFILE, &limit) == 0) return {};
  return fail(ErrorCode::unavailable,
              "this process may open only " + std::to_string(limit.rlim_max) +
                  ": raise its hard limit, e.g. with `ulimit -Hn " + std::to_string(files) +
                  "` as root",
              "open files");
}

void take_own_descriptors() { static_cast<void>(unshare(CLONE_FILES)); }

}  // namespace loadline
