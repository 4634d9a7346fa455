// Where a run may put what it writes besides its load: logs, results, dumps.
//
// Threads: any; nothing is kept.
#pragma once

#include <string>

#include "base/error.h"

namespace loadline {

// No new file under /dev (a mistyped device would fill memory there), and no block device, whose
// data text would destroy. What is there and no block device, like /dev/null or /dev/stderr, is
// fine, and so is /dev/shm. Looks, and makes nothing. The error's context is the path.
Result<void> may_be_output(const std::string& path);

}  // namespace loadline
