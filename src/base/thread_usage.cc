#include "base/thread_usage.h"

#include <sys/resource.h>
#include <unistd.h>

namespace loadline {
namespace {

Duration duration_of(const timeval& time) {
  return Duration::seconds(time.tv_sec) + Duration::microseconds(time.tv_usec);
}

}  // namespace

ThreadUsage thread_usage() {
  rusage usage{};
  if (getrusage(RUSAGE_THREAD, &usage) != 0) return {};
  return {.user = duration_of(usage.ru_utime),
          .system = duration_of(usage.ru_stime),
          .context_switches = static_cast<std::uint64_t>(usage.ru_nvcsw + usage.ru_nivcsw),
          .major_faults = static_cast<std::uint64_t>(usage.ru_majflt),
          .minor_faults = static_cast<std::uint64_t>(usage.ru_minflt)};
}

std::int64_t thread_number() { return gettid(); }

}  // namespace loadline
