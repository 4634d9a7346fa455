// Sessions of the engine libaio: the kernel's own asynchronous I/O (io_submit(2)), called without
// the library. submit() queues, reap() hands the queue over and waits.
#pragma once

#include <memory>

#include "base/error.h"
#include "target/target.h"
#include "targets/posix/config.h"
#include "targets/posix/ledger.h"

namespace loadline::targets::posix {

// Config and ledger outlive the session.
Result<std::unique_ptr<target::Session>> open_libaio_session(const Config& config, Ledger& ledger,
                                                             const target::WorkerContext& context);

}  // namespace loadline::targets::posix
