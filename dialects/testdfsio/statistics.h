// TestDFSIO's figures, computed as its mappers, its reducer and its client compute them, in the
// same widths of numbers and the same order, so that the last digit is the same.
//
// A task is a file. Times are whole milliseconds. Threads: plain values, pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "base/units.h"
#include "record/stream_files.h"

namespace loadline::dialects::testdfsio {

// What the reducer adds up, and its output file holds.
struct TaskSums {
  std::int64_t tasks = 0;
  std::int64_t bytes = 0;
  std::int64_t milliseconds = 0;
  float rate = 0;          // of MB/s, times 1000
  float rate_squared = 0;  // of their squares, times 1000

  void add(Bytes size, Duration time);
  // The text of part-00000.
  std::string text() const;
};

// Of the files that ended well, in the order in which they ended.
TaskSums sums_of(const record::StreamFiles& files);

// What the client makes of them.
struct Figures {
  float total_mb = 0;
  double throughput = 0;        // bytes / sum of the times of all tasks, MB/s
  float throughput_narrow = 0;  // the same in the arithmetic of Hadoop 3
  float total_throughput = 0;   // 2.8.0: MB per millisecond of the whole test, whatever it says
  double average_rate = 0;      // of the tasks, MB/s
  double deviation = 0;         // of the population, from sums: near zero it is noise
  float seconds = 0;            // of the whole test
};

Figures figures_of(const TaskSums& sums, Duration whole_test);

// Milliseconds to the nearest.
std::int64_t milliseconds_of(Duration time);

}  // namespace loadline::dialects::testdfsio
