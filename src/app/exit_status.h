// What the process tells its caller.
#pragma once

#include <unistd.h>

#include <cstdio>

#include "record/run_result.h"

namespace loadline::app {

inline constexpr int k_exit_finished = 0;
inline constexpr int k_exit_failed = 1;     // the run failed or was terminated
inline constexpr int k_exit_bad_input = 2;  // nothing was started
inline constexpr int k_exit_cancelled = 130;

constexpr int exit_status_of(record::RunState state) {
  switch (state) {
    case record::RunState::finished: return k_exit_finished;
    case record::RunState::cancelled: return k_exit_cancelled;
    default: return k_exit_failed;
  }
}

// Ends the process while threads hang in a storage: what they use is not torn down.
[[noreturn]] inline void leave(int status) {
  std::fflush(nullptr);
  _exit(status);
}

}  // namespace loadline::app
