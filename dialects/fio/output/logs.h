// fio's log files of bandwidth, operations, latencies and latency histograms, averaged over
// log_avg_msec (trace_logs.h has those that are not): written while the run goes, so that they need
// no memory. Every interval of the grid that begins with the job's measurement stands once, also an
// idle one, which is a line of zeros.
//
// Threads: one at a time. Source of the form: fio's documentation, and files of fio 3.33.
#pragma once

#include <array>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "dialects/fio/job_source.h"
#include "dialects/fio/output/log_window.h"
#include "plan/plan.h"
#include "record/run_result.h"
#include "record/tick.h"

namespace loadline::dialects::fio::output {

// The columns of fio's histogram logs: 29 groups of 64 buckets.
inline constexpr std::size_t k_fio_buckets = 29 * 64;
std::size_t fio_bucket(std::uint64_t value_ns);

class LogWriter {
 public:
  // Makes the files. Error: io, with the name of the one that cannot be made.
  static Result<LogWriter> open(const plan::Plan& plan);

  void consume(const record::Tick& tick);
  // Closes the last window of each log. `result`: where jobs ended. Error: io.
  Result<void> finish(const record::RunResult& result);
  bool empty() const { return jobs_.empty() && !total_; }

 private:
  struct File {
    std::string name;
    std::unique_ptr<std::ofstream> stream;  // null: not asked for
  };
  using Windows = std::array<LogWindow, plan::k_directions>;
  // Where a log stands on its grid.
  struct Grid {
    Duration width;
    Duration covered;         // of the open window
    std::uint64_t index = 0;  // windows that are complete
  };
  struct Line {
    std::uint64_t at_ms = 0;
    double value = 0;
    double largest = 0;
    std::size_t direction = 0;
  };
  struct JobLogs {
    std::size_t stage = 0;
    std::size_t job = 0;
    JobSource source;
    plan::PerDirection<bool> uses{};
    plan::PerDirection<std::uint64_t> block_size{};
    Duration origin;  // when the job's measurement begins, since the stage's start
    std::int64_t epoch_ms = 0;
    File bandwidth, iops, lat, clat, slat, histogram;
    Grid grid;
    Grid histogram_grid;
    Windows open{};
    std::uint64_t idle = 0;  // windows held back: only written where something follows
    std::array<record::Histogram, plan::k_directions> histograms;
  };
  struct TotalLog {
    std::array<File, plan::k_directions> files;
    Grid grid;
    std::array<std::uint64_t, plan::k_directions> bytes{};
    Duration before;  // of the stages that are over
    std::uint32_t stage = 0;
    Duration stage_end;
  };

  static Result<void> open_job(const plan::Job& job, JobLogs& logs);
  static Result<void> make(const LogFile& option, std::string_view kind, const JobLogs& logs,
                           File& file);
  void add(JobLogs& logs, const record::Tick& tick);
  void close_window(JobLogs& logs, Duration end, Duration covered);
  void write_window(JobLogs& logs, Duration end, Duration covered, const Windows& windows);
  static void put(File& file, const JobLogs& logs, const Line& line);
  static void write_histograms(JobLogs& logs, Duration end);
  void add_total(const record::Tick& tick);
  void write_total(Duration end, Duration covered);

  std::vector<JobLogs> jobs_;
  std::optional<TotalLog> total_;
};

}  // namespace loadline::dialects::fio::output
