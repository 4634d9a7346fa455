// Sessions of the engines that move one block at a time: an operation is over when submit()
// returns, and reap() hands it over.
#pragma once

#include <memory>

#include "base/error.h"
#include "target/target.h"
#include "targets/posix/config.h"
#include "targets/posix/ledger.h"

namespace loadline::targets::posix {

// is_synchronous(config.engine). Config and ledger outlive the session.
Result<std::unique_ptr<target::Session>> open_sync_session(const Config& config, Ledger& ledger,
                                                           const target::WorkerContext& context);

}  // namespace loadline::targets::posix
