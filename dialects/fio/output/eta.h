// fio's line of progress: "Jobs: 1 (f=1): [r(1)][45.0%][r=300MiB/s][r=76.8k IOPS][eta 00m:11s]".
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"
#include "dialects/fio/job_source.h"
#include "dialects/fio/output/samples.h"
#include "plan/plan.h"

namespace loadline::dialects::fio::output {

class EtaLine {
 public:
  explicit EtaLine(const plan::Plan& plan);

  void add(const TickCounts& tick);
  // Of the ticks since the last line. No newline, no carriage return.
  std::string text();

 private:
  struct JobState {
    char letter = 'R';  // as fio has it: r, w, m, R, ..
    std::size_t files = 0;
    Duration begin;
    Duration length;  // zero: not by time
    std::uint64_t bytes_planned = 0;
    std::uint64_t bytes_done = 0;
  };
  // Percent done and seconds left of the stage; negative: nobody knows.
  struct Progress {
    double percent = -1;
    double seconds_left = -1;
  };
  Progress progress() const;
  bool over(const JobState& job) const;
  std::string letters() const;

  std::vector<std::vector<JobState>> stages_;
  std::uint32_t stage_ = 0;
  Duration now_;    // since the stage's start
  Duration since_;  // what `counts_` covers
  std::array<Counts, plan::k_directions> counts_{};
};

}  // namespace loadline::dialects::fio::output
