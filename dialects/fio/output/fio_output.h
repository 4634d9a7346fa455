// Everything that `loadline fio` prints: fio's opening lines, its line of progress, the dumps of
// --status-interval, the logs, and the result in every format that was asked for. Results go to
// standard output or to --output, messages to standard error, always.
//
// Ownership: the plan is copied. Threads: as CommandOutput says; consume() may come from another
// thread than the rest.
#pragma once

#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/error.h"
#include "dialects/fio/job_source.h"
#include "dialects/fio/output/eta.h"
#include "dialects/fio/output/live_result.h"
#include "dialects/fio/output/logs.h"
#include "dialects/fio/output/summary.h"
#include "dialects/fio/output/trace_logs.h"
#include "plan/plan.h"
#include "report/command_output.h"

namespace loadline::dialects::fio::output {

class FioOutput final : public report::CommandOutput {
 public:
  struct Streams {
    std::FILE* out = stdout;
    std::FILE* err = stderr;
  };
  // Opens (and truncates) the file of --output. Error: io, in fio's words and with what would be
  // right; nothing else has happened then, and fio's exit status is 1.
  static Result<std::unique_ptr<FioOutput>> open(const plan::Plan& plan, const Streams& streams);
  static Result<std::unique_ptr<FioOutput>> open(const plan::Plan& plan) {
    return open(plan, Streams());
  }

  void begin() override;
  void laying_out(const plan::Job& job, std::size_t files, Bytes bytes) override;
  void stage_begins(std::size_t stage) override;
  void stopping(int signal) override;
  void consume(const record::Tick& tick) override;
  int finish(const store::StoredRun& run) override;
  int refused(const Error& error) override;

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }  // NOLINT(*-owning-memory)
  };
  FioOutput(const plan::Plan& plan, const Streams& streams);
  void print(const std::string& text);
  void message(const std::string& line);
  void show_progress(const record::Tick& tick);
  void tell_failures(const record::RunResult& result);
  void tell_mismatches(const record::BlockCounters& counters);

  const plan::Plan plan_;
  const RunSource run_;
  const Streams streams_;
  std::mutex mutex_;
  std::unique_ptr<std::FILE, CloseFile> file_;  // null: standard output
  bool eta_ = false;
  EtaLine eta_line_;
  Duration eta_shown_;  // since the stage's start
  Duration eta_ended_;  // when the last line got its newline
  std::size_t eta_width_ = 0;
  std::optional<LogWriter> logs_;
  TraceLogs trace_logs_;
  std::optional<LiveResult> live_;  // where dumps are asked for
  std::optional<SummaryBuilder> live_samples_;
  Duration dumped_;
  std::uint32_t stage_ = 0;
};

// The texts of one summary in every format of `run`, in fio's order.
std::string all_formats(const Summary& summary, const RunSource& run);

// fio's exit status: 0, the number of jobs that failed (at most 255), or 128 on a signal.
int exit_status(const record::RunResult& result);

// For the classic report of a stored run, whatever formats its command asked for.
std::string normal_text(const store::StoredRun& run);
std::string json_text(const store::StoredRun& run);

}  // namespace loadline::dialects::fio::output
