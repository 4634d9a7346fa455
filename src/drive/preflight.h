// Questions to a storage before a run. They are asked in a thread of its own: a storage may hang,
// and whoever stops the run must not wait for it.
#pragma once

#include <functional>
#include <stop_token>

#include "base/error.h"

namespace loadline::drive {

// Returns what `ask` returns, or ErrorCode::cancelled as soon as `stop` is asked for. In that case
// the thread may still be in `ask`: what it refers to must stay until the process ends.
Result<void> ask_until_stopped(std::function<Result<void>()> ask, const std::stop_token& stop);

}  // namespace loadline::drive
