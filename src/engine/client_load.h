// How busy the worker threads of a job were, summed up.
#pragma once

#include "engine/worker.h"
#include "record/run_result.h"

namespace loadline::engine {

// Adds what one thread, which has ended, says of itself.
void add_load(const Worker::Report& report, record::JobResult& result);

}  // namespace loadline::engine
