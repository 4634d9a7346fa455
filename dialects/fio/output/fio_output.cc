#include "dialects/fio/output/fio_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "dialects/fio/output/json.h"
#include "dialects/fio/output/normal.h"
#include "dialects/fio/output/terse.h"

namespace loadline::dialects::fio::output {
namespace {

constexpr int k_exit_refused = 1;
constexpr int k_exit_signal = 128;
constexpr int k_exit_most = 255;

Error output_error(int error_number, const std::string& path) {
  std::string advice;
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  if (error_number == ENOENT && !parent.empty()) {
    advice = fmt::format("; there is no folder '{}'", parent.string());
    if (parent.is_relative()) {
      advice += fmt::format(" in {}", std::filesystem::current_path(ignored).string());
    }
    advice += fmt::format("; make it with: mkdir -p {}", parent.string());
  }
  return {.code = ErrorCode::io,
          .what = fmt::format("output file open error: {}{}", errno_text(error_number), advice),
          .context = "",
          .os_error = error_number};
}

bool failed(const record::JobResult& job) {
  return job.block && job.block->stop == record::BlockStop::error;
}

// fio's lines: "a: rate_min=1048576B/s not met, got 4096B/s", "a: rate_iops_min=9 not met, got 8
// IOPS".
std::string rate_text(const std::string& job, std::string text) {
  constexpr std::string_view k_begin = "least rate ";
  constexpr std::string_view k_unit = " IOPS";
  if (text.starts_with(k_begin)) text.erase(0, k_begin.size());
  const bool bytes = text.find("B/s ") != std::string::npos;
  if (const std::size_t unit = text.find(k_unit); unit != std::string::npos) {
    text.erase(unit, k_unit.size());
  }
  return fmt::format("fio: {}: {}={}\n", job, bytes ? "rate_min" : "rate_iops_min", text);
}

std::string failure_text(const record::BlockCounters& counters, const std::string& job,
                         bool direct) {
  const record::BlockFailure& failure = counters.failure;
  std::string text;
  const bool late = failure.text.starts_with("latency of ");
  const bool io = failure.operation == "read" || failure.operation == "write" ||
                  failure.operation == "trim" || failure.operation == "sync";
  if (late) {
    text = fmt::format("fio: {}: {} {} {} {}\n", failure.text, failure.file, failure.operation,
                       failure.offset.count(), failure.length.count());
  } else if (io) {
    text = fmt::format("fio: io_u error on file {}: {}: {} offset={}, buflen={}\n", failure.file,
                       errno_text(failure.error), failure.operation, failure.offset.count(),
                       failure.length.count());
    if (failure.error == EINVAL && direct) {
      text +=
          "fio: first direct IO errored. File system may not support direct IO, or iomem_align= is "
          "bad, or invalid block size. Try setting direct=0.\n";
    }
  } else if (failure.operation == "rate") {
    text = rate_text(job, failure.text);
  } else if (counters.mismatches.empty() && !failure.text.empty()) {
    const bool named = failure.file.empty() || failure.text.contains(failure.file);
    text = named ? fmt::format("fio: {}\n", failure.text)
                 : fmt::format("fio: {}: {}\n", failure.file, failure.text);
  }
  return text + fmt::format("fio: pid={}, err={}/file:{}, func={}, error={}", counters.thread_id,
                            failure.error, failure.file, func_of(failure),
                            errno_text(failure.error));
}

bool asks_direct(const plan::Plan& plan, std::size_t stage, std::size_t job) {
  if (stage >= plan.stages.size() || job >= plan.stages[stage].jobs.size()) return false;
  return plan.stages[stage].jobs[job].target.parameters.text("direct", "") == "true";
}

}  // namespace

std::string all_formats(const Summary& summary, const RunSource& run) {
  std::string text;
  if (run.formats.terse) text += terse_text(summary, run.terse_version);
  if (run.formats.json_plus) {
    text += json_text(summary, true);
  } else if (run.formats.json) {
    text += json_text(summary, false);
  }
  if (run.formats.normal) text += normal_text(summary);
  return text;
}

int exit_status(const record::RunResult& result) {
  if (result.state == record::RunState::cancelled) return k_exit_signal;
  int count = 0;
  bool stage_failed = false;
  for (const record::StageResult& stage : result.stages) {
    int of_stage = 0;
    for (const record::JobResult& job : stage.jobs) of_stage += failed(job) ? 1 : 0;
    const bool bad =
        stage.state == record::StageState::failed || stage.state == record::StageState::terminated;
    stage_failed = stage_failed || (bad && of_stage == 0);
    count += of_stage;
  }
  if (count == 0 && (stage_failed || result.state == record::RunState::terminated)) count = 1;
  return std::min(count, k_exit_most);
}

std::string normal_text(const store::StoredRun& run) {
  return opening_text(run.plan()) + normal_text(summary_of(run));
}

std::string json_text(const store::StoredRun& run) { return json_text(summary_of(run), false); }

FioOutput::FioOutput(const plan::Plan& plan, const Streams& streams)
    : plan_(plan), run_(run_source(plan)), streams_(streams), eta_line_(plan), trace_logs_(plan) {
  const bool automatic = run_.terminal && run_.formats.normal && run_.output.empty();
  eta_ = run_.eta == CommandOptions::Eta::always ||
         (run_.eta == CommandOptions::Eta::automatic && automatic);
  if (run_.status_interval) {
    live_.emplace(plan_);
    live_samples_.emplace(plan_);
  }
}

Result<std::unique_ptr<FioOutput>> FioOutput::open(const plan::Plan& plan, const Streams& streams) {
  std::unique_ptr<FioOutput> output(new FioOutput(plan, streams));
  const std::string& path = output->run_.output;
  if (!path.empty()) {
    output->file_.reset(std::fopen(path.c_str(), "we"));  // NOLINT(*-owning-memory)
    if (!output->file_) return std::unexpected(output_error(errno, path));
  }
  return output;
}

void FioOutput::print(const std::string& text) {
  std::FILE* to = file_ ? file_.get() : streams_.out;
  std::fwrite(text.data(), 1, text.size(), to);
  std::fflush(to);
}

void FioOutput::message(const std::string& line) {
  const std::string text = line + "\n";
  std::fwrite(text.data(), 1, text.size(), streams_.err);
  std::fflush(streams_.err);
}

void FioOutput::begin() {
  const std::scoped_lock lock(mutex_);
  if (run_.formats.normal) print(opening_text(plan_));
  if (auto made = trace_logs_.make_files(); !made) message("fio: " + made.error().message());
  auto logs = LogWriter::open(plan_);
  if (!logs) {
    message("fio: " + logs.error().message());
    return;
  }
  if (!logs->empty()) logs_.emplace(std::move(*logs));
}

void FioOutput::laying_out(const plan::Job& job, std::size_t files, Bytes bytes) {
  const std::scoped_lock lock(mutex_);
  if (!run_.formats.normal) return;
  const auto source = JobSource::from_text(job.source);
  const bool named = source && !source->section.empty();
  print(laying_out_text(named ? source->section : job.name, files, bytes));
}

void FioOutput::stage_begins(std::size_t stage) {
  const std::scoped_lock lock(mutex_);
  stage_ = static_cast<std::uint32_t>(stage);
  eta_shown_ = eta_ended_ = dumped_ = Duration();
}

void FioOutput::consume(const record::Tick& tick) {
  const std::scoped_lock lock(mutex_);
  if (tick.stage != stage_) {
    stage_ = tick.stage;
    eta_shown_ = eta_ended_ = dumped_ = Duration();
  }
  if (logs_) logs_->consume(tick);
  trace_logs_.consume(tick);
  if (eta_) show_progress(tick);
  if (!live_) return;
  live_->add(tick);
  live_samples_->add(counts_of(tick));
  const Duration now = tick.start + tick.length;
  if (now - dumped_ + tick.length / 2 < *run_.status_interval) return;
  dumped_ = now;
  Summary summary = live_samples_->build(plan_, live_->result(), WallTime::now());
  summary.final = false;
  print(all_formats(summary, run_));
}

// At once: what is under way may take its time.
void FioOutput::stopping(int signal) {
  const std::scoped_lock lock(mutex_);
  message(fmt::format("\nfio: terminating on signal {}", signal));
}

void FioOutput::show_progress(const record::Tick& tick) {
  eta_line_.add(counts_of(tick));
  const Duration now = tick.start + tick.length;
  if (now - eta_shown_ + tick.length / 2 < run_.eta_interval) return;
  eta_shown_ = now;
  std::string line = eta_line_.text();
  const std::size_t width = line.size();
  // Wipes what is left of a longer line.
  if (width < eta_width_) line.append(eta_width_ - width, ' ');
  eta_width_ = width;
  const bool ends = run_.eta_newline && now - eta_ended_ + tick.length / 2 >= *run_.eta_newline;
  if (ends) eta_ended_ = now;
  line += ends ? '\n' : '\r';
  std::fwrite(line.data(), 1, line.size(), streams_.out);
  std::fflush(streams_.out);
}

void FioOutput::tell_failures(const record::RunResult& result) {
  for (std::size_t s = 0; s < result.stages.size(); ++s) {
    const record::StageResult& stage = result.stages[s];
    std::size_t told = 0;
    for (std::size_t j = 0; j < stage.jobs.size(); ++j) {
      if (!stage.jobs[j].block) continue;
      const record::BlockCounters& counters = *stage.jobs[j].block;
      tell_mismatches(counters);
      if (counters.signal != 0) {
        message(fmt::format("fio: pid={}, got signal={}", counters.thread_id, counters.signal));
        ++told;
      } else if (counters.failure.error != 0) {
        message(failure_text(counters, plan_.stages[s].jobs[j].name, asks_direct(plan_, s, j)));
        ++told;
      } else if (!counters.errors.empty()) {
        message(fmt::format("fio: pid={}: {} errors were tolerated, the first: {}",
                            counters.thread_id, counters.total_errors(),
                            errno_text(counters.errors.front().first)));
      }
    }
    if (told == 0 && !stage.reason.empty()) message("fio: " + stage.reason);
  }
}

void FioOutput::tell_mismatches(const record::BlockCounters& counters) {
  std::size_t blocks = 0;
  for (const record::BlockFailure& wrong : counters.mismatches) {
    if (wrong.operation != "verify") {
      message(fmt::format("fio: io_u error on file {}: {}: {} offset={}, buflen={}", wrong.file,
                          errno_text(wrong.error), wrong.operation, wrong.offset.count(),
                          wrong.length.count()));
      continue;
    }
    ++blocks;
    message(fmt::format("fio: verify failed at file {} offset {}, length {}: {}", wrong.file,
                        wrong.offset.count(), wrong.length.count(), wrong.text));
  }
  if (counters.verify_errors > blocks) {
    message(fmt::format("fio: {} blocks in all failed verification", counters.verify_errors));
  }
  for (const std::string& remark : counters.remarks) message("fio: " + remark);
}

int FioOutput::finish(const store::StoredRun& run) {
  const std::scoped_lock lock(mutex_);
  if (logs_) {
    if (auto closed = logs_->finish(run.result()); !closed) {
      message("fio: " + closed.error().message());
    }
  }
  for (const Error& error : trace_logs_.finish()) message("fio: " + error.message());
  tell_failures(run.result());
  if (eta_width_ > 0 && !run_.formats.normal) std::fputc('\n', streams_.out);
  print(all_formats(summary_of(run), run_));
  if (file_ && std::ferror(file_.get()) != 0) {
    message(fmt::format("fio: {} was not written whole", run_.output));
    return std::max(1, exit_status(run.result()));
  }
  return exit_status(run.result());
}

int FioOutput::refused(const Error& error) {
  const std::scoped_lock lock(mutex_);
  message("fio: " + error.message());
  return k_exit_refused;
}

}  // namespace loadline::dialects::fio::output
