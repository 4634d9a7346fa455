// What the worker threads of a job say of it, summed up.
#pragma once

#include "engine/worker.h"
#include "record/run_result.h"

namespace loadline::engine {

struct JobTimes {
  Instant start;  // of the stage
  Instant first;  // operation that counts was issued; max() where there is none
  Instant last;   // operation that counts was done
  Instant end;    // of its threads
};

// The measured time: the runtime that was asked for, or as much of it as the job used; without one,
// from the first operation to the end of the last.
// Sets where it begins.
Duration window_of(const plan::StopRule& stop, const JobTimes& times, record::JobResult& result);

// Adds what one thread, which has ended, says of itself.
void add_load(const Worker::Report& report, record::JobResult& result);

}  // namespace loadline::engine
