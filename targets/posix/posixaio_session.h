// Sessions of the engine posixaio: aio(7), which the C library does with threads of its own.
#pragma once

#include <memory>

#include "base/error.h"
#include "target/target.h"
#include "targets/posix/config.h"
#include "targets/posix/ledger.h"

namespace loadline::targets::posix {

// Config and ledger outlive the session.
Result<std::unique_ptr<target::Session>> open_posixaio_session(
    const Config& config, Ledger& ledger, const target::WorkerContext& context);

}  // namespace loadline::targets::posix
