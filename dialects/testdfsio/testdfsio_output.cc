#include "dialects/testdfsio/testdfsio_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialects/testdfsio/java_text.h"
#include "dialects/testdfsio/json_report.h"
#include "dialects/testdfsio/plan_builder.h"
#include "dialects/testdfsio/words.h"
#include "store/stored_run.h"

namespace loadline::dialects::testdfsio {
namespace {

constexpr int k_exit_signal = 128;  // and the signal's number, as shells say it
constexpr int k_exit_cancelled = 130;
constexpr Duration k_progress = Duration::seconds(10);
constexpr std::size_t k_failures_told = 3;  // of each job before the files themselves
constexpr double k_giga = 1 << 30;
constexpr double k_mega = 1 << 20;

bool cancelled(const record::RunResult& result) {
  return result.state == record::RunState::cancelled;
}

double gigabytes(double bytes) { return bytes / k_giga; }

}  // namespace

std::optional<ResultBlock> block_of(const RunSource& source, const record::RunResult& result) {
  const record::StageResult* const stage = stage_of(result, k_stage_run);
  const record::JobResult* const job = measured_job(result);
  if (job == nullptr || cancelled(result)) return std::nullopt;
  const bool all_well = stage->state == record::StageState::completed &&
                        std::ranges::all_of(job->files, [](const record::StreamFile& file) {
                          return file.outcome == target::Outcome::ok;
                        });
  if (!all_well && !source.keep_going) return std::nullopt;
  ResultBlock block{.operation = source.operation,
                    .ended = result.ended,
                    .sums = sums_of(job->files),
                    .whole_test = whole_test(result)};
  if (block.sums.tasks == 0) return std::nullopt;
  return block;
}

Result<std::unique_ptr<TestDfsioOutput>> TestDfsioOutput::open(const plan::Plan& plan,
                                                               const RunSource& source,
                                                               const Files& files,
                                                               std::FILE* console) {
  std::unique_ptr<TestDfsioOutput> output(new TestDfsioOutput(plan, source, console));
  if (!files.result.empty()) {
    auto opened = ResultFile::open("-resFile", files.result);
    if (!opened) return propagate(opened);
    output->result_file_.emplace(std::move(*opened));
  }
  if (!files.json.empty()) {
    auto opened = ResultFile::open("--json", files.json);
    if (!opened) return propagate(opened);
    output->json_file_.emplace(std::move(*opened));
  }
  return output;
}

void TestDfsioOutput::log(std::string_view line) {
  tell(fmt::format("{}{}\n", log_prefix(source_.compat, WallTime::now()), line));
}

void TestDfsioOutput::tell(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), console_);
  std::fflush(console_);
}

void TestDfsioOutput::begin() {
  const std::scoped_lock lock(mutex_);
  const auto megabytes = static_cast<float>(source_.size.count()) / static_cast<float>(k_mega);
  log(fmt::format("nrFiles = {}", source_.files));
  log(fmt::format("nrBytes (MB) = {}", java_text(megabytes)));
  log(fmt::format("bufferSize = {}", source_.buffer.count()));
  if (source_.operation == Operation::read_skip) {
    log(fmt::format("skipSize = {}", source_.skip.count()));
  }
  log(fmt::format("baseDir = {}", source_.base));
  if (!source_.storage_policy.empty()) {
    log(fmt::format("storagePolicy = {}", source_.storage_policy));
  }
  if (source_.operation == Operation::clean) {
    log("Cleaning up test files");
  } else if (source_.control_files) {
    log(fmt::format("creating control file: {} bytes, {} files", source_.size.count(),
                    source_.files));
  } else {
    tell(fmt::format("loadline: no control files: they are written for {} files at most\n",
                     k_control_files_most));
  }
}

void TestDfsioOutput::stage_begins(std::size_t stage) {
  const std::scoped_lock lock(mutex_);
  const std::string& id = plan_.stages[stage].id;
  measuring_ = id == k_stage_run;
  if (id == k_stage_old_data && source_.control_files) {
    log(fmt::format("created control files for: {} files", source_.files));
  }
}

// At once: what is under way may take its time.
void TestDfsioOutput::stopping(int signal) {
  const std::scoped_lock lock(mutex_);
  signal_ = signal;
  tell(fmt::format("\nloadline: stopping on signal {}\n", signal));
}

void TestDfsioOutput::consume(const record::Tick& tick) {
  const std::scoped_lock lock(mutex_);
  if (!measuring_ || source_.operation == Operation::truncate) return;
  for (const auto& job : tick.jobs) {
    for (const record::OpStats& op : job) moved_ += op.bytes;
  }
  const Duration now = tick.start + tick.length;
  if (now - progress_told_ < k_progress) return;
  progress_told_ = now;
  const auto bytes = static_cast<double>(moved_.count());
  const double all = static_cast<double>(source_.size.count()) * static_cast<double>(source_.files);
  tell(fmt::format("loadline: {:.1f} of {:.1f} GB after {:.0f} s, {:.1f} MB/s\n", gigabytes(bytes),
                   gigabytes(all), now.as_seconds(), bytes / k_mega / now.as_seconds()));
}

std::optional<plan::Plan> TestDfsioOutput::epilogue(const store::StoredRun& run) {
  const auto block = block_of(source_, run.result());
  if (!block) return std::nullopt;
  // Of the plan as it was made: the stored one has no secrets.
  return reducer_output(plan_, source_, block->sums);
}

int TestDfsioOutput::finish(const store::StoredRun& run) {
  const std::scoped_lock lock(mutex_);
  const record::RunResult& result = run.result();
  const auto block = block_of(source_, result);
  const auto summary = summary_of(plan_, source_, result);
  const int written = write_results(result, block, summary);
  if (block) {
    for (const std::string& line : lines_of(*block, source_.compat)) log(line);
  }
  if (summary) tell(text_of(*summary));
  tell_remarks(result);
  if (cancelled(result)) return signal_ == 0 ? k_exit_cancelled : k_exit_signal + signal_;
  if (result.state == record::RunState::finished && (!summary || summary->failures == 0)) {
    return written;
  }
  tell_failures(result);
  return k_exit_exception;
}

int TestDfsioOutput::write_results(const record::RunResult& result,
                                   const std::optional<ResultBlock>& block,
                                   const std::optional<Summary>& summary) {
  int status = 0;
  const auto check = [&](const Result<void>& written) {
    if (written) return;
    tell(message_line(written.error()));
    status = k_exit_exception;
  };
  if (block && result_file_) {
    check(result_file_->append(text_of(lines_of(*block, source_.compat))));
  }
  if (json_file_) check(json_file_->replace(json_report(source_, result, block, summary)));
  return status;
}

void TestDfsioOutput::tell_remarks(const record::RunResult& result) {
  for (const record::StageResult& stage : result.stages) {
    for (const record::JobResult& job : stage.jobs) {
      for (const std::string& remark : job.remarks) tell(fmt::format("loadline: {}\n", remark));
    }
  }
}

void TestDfsioOutput::tell_failures(const record::RunResult& result) {
  bool told = false;
  for (std::size_t s = 0; s < result.stages.size(); ++s) {
    const record::StageResult& stage = result.stages[s];
    bool named = false;
    for (std::size_t j = 0; j < stage.jobs.size(); ++j) {
      const auto& stream = plan_.stages[s].jobs[j].stream;
      for (const FailedFile& file : failed_files(*stream, stage.jobs[j].files, k_failures_told)) {
        named = true;
        // Those of the run are in the section above.
        if (stage.id == k_stage_run) break;
        tell(fmt::format("loadline: {}: {}\n", file.name, file.why));
      }
    }
    // A stage's own reason is its first failure.
    if (!named && !stage.reason.empty()) {
      tell(fmt::format("loadline: {}: {}\n", stage.id, stage.reason));
    }
    told = told || named || !stage.reason.empty();
  }
  if (!told && !result.reason.empty()) tell(fmt::format("loadline: {}\n", result.reason));
}

int TestDfsioOutput::refused(const Error& error) {
  const std::scoped_lock lock(mutex_);
  tell(message_line(error));
  return k_exit_exception;
}

}  // namespace loadline::dialects::testdfsio
