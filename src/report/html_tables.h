// The tables of the HTML report. Each returns a whole <table>, or nothing where it has no rows.
//
// Threads: pure functions.
#pragma once

#include <string>

#include "record/run_result.h"

namespace loadline::report {

std::string summary_table(const record::RunResult& result);
std::string failure_table(const record::RunResult& result);
std::string client_table(const record::RunResult& result);

}  // namespace loadline::report
