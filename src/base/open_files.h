// The process's limit of open files (RLIMIT_NOFILE).
#pragma once

#include <cstdint>

#include "base/error.h"

namespace loadline {

// Raises the soft limit to at least `files`. Error: the hard limit is lower; what says by how much,
// as a clause: "this process may open only 1024: ...".
Result<void> allow_open_files(std::uint64_t files);

// Gives the calling thread a table of descriptors of its own, a copy of the process's. With one
// that is shared, the kernel counts a reference up and down around every operation on a file. What
// other threads open or close after this is not seen by this one, and the other way round. Does
// nothing where it cannot be done.
void take_own_descriptors();

}  // namespace loadline
