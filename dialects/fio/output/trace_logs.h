// The files of a job that have a line an operation: write_iolog= and the logs without log_avg_msec.
// Made when the run has ended, from the trace that the engine wrote of the job, which is removed
// then. Constant memory.
//
// Threads: one at a time. Source of the form: fio's documentation, and files of fio 3.33.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "dialects/fio/job_source.h"
#include "plan/plan.h"
#include "record/run_result.h"
#include "record/tick.h"

namespace loadline::dialects::fio::output {

// "PREFIX_bw.N.log", without N where clones share a file.
std::string log_name(const JobSource& source, const LogFile& log, std::string_view kind);
bool has_line_per_operation(const ReportOptions& report);

class TraceLogs {
 public:
  explicit TraceLogs(const plan::Plan& plan);

  // Before the run: makes the files, empty where fio would begin anew. Error: io, the first of them
  // that cannot be made.
  Result<void> make_files() const;
  // For the wall time of log_alternate_epoch.
  void consume(const record::Tick& tick);
  // One error for each job whose files are not whole; its trace stays then, and is named. A job
  // without a trace never began.
  std::vector<Error> finish();

 private:
  struct Job {
    std::size_t stage = 0;
    std::size_t job = 0;
    JobSource source;
    std::string trace;
    Duration ramp;    // lines begin behind it; those of an iolog do not
    Duration origin;  // where lines begin, since the stage's start
    std::int64_t epoch_ms = 0;
  };
  static Result<void> convert(const Job& job);

  std::vector<Job> jobs_;
};

}  // namespace loadline::dialects::fio::output
