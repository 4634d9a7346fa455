// The far side of a BlockProcess: what runs in the process of a job.
//
// On the socket: to the driver, messages of block_wire.h; from it, one BlockOrder at a time. Its
// end is the driver's end, and that of this process.
#pragma once

#include <cstdint>

#include "base/unique_fd.h"
#include "engine/block_worker.h"

namespace loadline::engine {

struct BlockOrder {
  enum class Kind : std::uint8_t { go, stop };
  Kind kind = Kind::stop;
  std::int64_t stage_start_ns = 0;  // of go; the clock is that of the driver
};

// In a process that was just forked by `driver`: prepares, waits for the order to go, runs, reports
// and leaves. `messages` becomes the standard error; -1: none. Mailbox and stop token of the
// options are the driver's, and not used.
[[noreturn]] void run_block_child(BlockWorker::Options options, UniqueFd link, int messages,
                                  std::int64_t driver);

}  // namespace loadline::engine
