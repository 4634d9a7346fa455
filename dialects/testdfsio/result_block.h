// The lines that TestDFSIO appends to its result file and logs on the console, in the layouts of
// three ages of Hadoop.
//
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "dialects/testdfsio/options.h"
#include "dialects/testdfsio/statistics.h"

namespace loadline::dialects::testdfsio {

struct ResultBlock {
  Operation operation = Operation::write;
  WallTime ended;
  TaskSums sums;
  Duration whole_test;
};

// The last line is empty.
std::vector<std::string> lines_of(const ResultBlock& block, Compat compat);

// Every line with its end.
std::string text_of(const std::vector<std::string>& lines);

// What stands before a line on the console:
// "19/08/27 20:48:50 INFO fs.TestDFSIO: " or "2019-08-27 20:48:50,123 INFO fs.TestDFSIO: ".
std::string log_prefix(Compat compat, WallTime when);

}  // namespace loadline::dialects::testdfsio
