// The process's limit of open files (RLIMIT_NOFILE).
#pragma once

#include <cstdint>

#include "base/error.h"

namespace loadline {

// Raises the soft limit to at least `files`. Error: the hard limit is lower; what says by how much,
// as a clause: "this process may open only 1024: ...".
Result<void> allow_open_files(std::uint64_t files);

}  // namespace loadline
