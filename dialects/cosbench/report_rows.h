// What the rows of COSBench's files are made of: a stored run, stage by stage and operation by
// operation, and the transitions that COSBench shows.
//
// Ownership: borrows the run.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "plan/plan.h"
#include "record/run_result.h"
#include "store/stored_run.h"

namespace loadline::dialects::cosbench {

struct OpRow {
  const plan::OpSpec* spec = nullptr;
  const record::OpStats* stats = nullptr;
  const record::JobResult* job = nullptr;
  std::size_t work_position = 1;  // in its stage, from 1
  std::string work_name;
  // True for the operations that COSBench gives a column in the histogram file.
  bool plainly_named = false;
};

struct StageRows {
  const plan::Stage* stage = nullptr;
  std::string status;  // the state word
  // The cells "waiting @ 2026-11-30 16:12:45" and so on.
  std::vector<std::string> transitions;
  WallTime ended;
  std::string reason;
  std::vector<OpRow> operations;  // empty: the stage has no report
};

std::vector<StageRows> rows_of(const store::StoredRun& run);

// A run that was still running when its process vanished counts as terminated.
std::string state_word(record::RunState state);

// "status @ date time" for COSBench's finer states, made from ours: running stands for booting,
// submitting, authing, launching and running, and the end of running is closing.
std::vector<std::string> transition_cells(const record::StageResult& stage, WallTime submitted);

// Milliseconds to the first byte for reads that were stamped, else the whole response time.
std::string processing_time(const plan::OpSpec& spec, const record::OpStats& stats);

}  // namespace loadline::dialects::cosbench
