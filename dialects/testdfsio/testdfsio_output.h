// Everything that `loadline testdfsio` prints: the lines that TestDFSIO logs, on standard error
// with the prefix of its log, the block in the result file, and a section of Loadline's own below.
//
// Ownership: the plan is copied. Threads: as CommandOutput says; consume() may come from another
// thread than the rest.
#pragma once

#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "dialects/testdfsio/result_block.h"
#include "dialects/testdfsio/result_file.h"
#include "dialects/testdfsio/run_source.h"
#include "dialects/testdfsio/summary.h"
#include "plan/plan.h"
#include "report/command_output.h"

namespace loadline::dialects::testdfsio {

class TestDfsioOutput final : public report::CommandOutput {
 public:
  struct Files {
    std::string result;  // -resFile; empty: none, as of a clean
    std::string json;    // empty: none
  };
  // Error: one of the files cannot be written; nothing else has happened then.
  static Result<std::unique_ptr<TestDfsioOutput>> open(const plan::Plan& plan,
                                                       const RunSource& source, const Files& files,
                                                       std::FILE* console);

  void begin() override;
  void laying_out(const plan::Job&, std::size_t, Bytes) override {}
  void stage_begins(std::size_t stage) override;
  void stopping(int signal) override;
  void consume(const record::Tick& tick) override;
  int finish(const store::StoredRun& run) override;
  std::optional<plan::Plan> epilogue(const store::StoredRun& run) override;
  int refused(const Error& error) override;

 private:
  TestDfsioOutput(const plan::Plan& plan, const RunSource& source, std::FILE* console)
      : plan_(plan), source_(source), console_(console) {}

  void log(std::string_view line);
  void tell(std::string_view text);  // lines of ours, as they are
  void tell_failures(const record::RunResult& result);
  void tell_remarks(const record::RunResult& result);
  int write_results(const record::RunResult& result, const std::optional<ResultBlock>& block,
                    const std::optional<Summary>& summary);

  const plan::Plan plan_;
  const RunSource source_;
  std::FILE* const console_;
  std::mutex mutex_;
  std::optional<ResultFile> result_file_;
  std::optional<ResultFile> json_file_;
  bool measuring_ = false;  // the stage under way is the one that counts
  Bytes moved_;             // in it
  Duration progress_told_;  // since its start
  int signal_ = 0;          // that ended the run
};

// The block of a run, where it ended well enough for TestDFSIO to print one.
std::optional<ResultBlock> block_of(const RunSource& source, const record::RunResult& result);

}  // namespace loadline::dialects::testdfsio
