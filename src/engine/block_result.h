// What a stage says of a job on blocks when it has ended.
//
// Threads: pure functions.
#pragma once

#include "engine/block_worker.h"
#include "plan/plan.h"
#include "record/run_result.h"

namespace loadline::engine {

// Of a job whose thread was left behind: what it says itself may still change.
BlockWorker::Report report_of_left();

// All of the result but its operations, its wall time, and names.
void add_block(const plan::Job& job, const BlockWorker::Report& report, Instant stage_start,
               record::JobResult& result);

}  // namespace loadline::engine
