// What the calling thread has cost so far.
#pragma once

#include <cstdint>

#include "base/units.h"

namespace loadline {

struct ThreadUsage {
  Duration user;
  Duration system;
  std::uint64_t context_switches = 0;
  std::uint64_t major_faults = 0;
  std::uint64_t minor_faults = 0;
};

// Zeros where the system does not tell.
ThreadUsage thread_usage();

// The system's number of the calling thread.
std::int64_t thread_number();

}  // namespace loadline
