// Sessions of the engine io_uring: submit() queues, reap() hands everything queued to the kernel
// and waits in the same system call. The thread that submits first is the one the ring belongs to.
#pragma once

#include <memory>
#include <string>

#include "base/error.h"
#include "target/target.h"
#include "targets/posix/config.h"
#include "targets/posix/ledger.h"

namespace loadline::targets::posix {

// Config and ledger outlive the session.
Result<std::unique_ptr<target::Session>> open_io_uring_session(
    const Config& config, Ledger& ledger, const target::WorkerContext& context);

// "liburing 2.3", or "" in a build without it.
std::string io_uring_version();

}  // namespace loadline::targets::posix
