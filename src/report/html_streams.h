// The tables of the HTML report that only jobs on streams have. Each returns a whole <table>, or
// nothing where it has no rows.
//
// Threads: pure functions.
#pragma once

#include <string>

#include "record/run_result.h"

namespace loadline::report {

// How far the files of a job lie apart: the slowest, the middle and the fastest.
std::string stream_table(const record::RunResult& result);
// What the network interfaces moved meanwhile, and how much of the link that is.
std::string interface_table(const record::RunResult& result);

}  // namespace loadline::report
