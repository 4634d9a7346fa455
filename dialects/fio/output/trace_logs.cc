#include "dialects/fio/output/trace_logs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <optional>
#include <utility>

#include "base/unique_fd.h"
#include "record/trace.h"

namespace loadline::dialects::fio::output {
namespace {

using record::TraceKind;
using record::TraceRow;

constexpr std::size_t k_flush_bytes = 64 * 1024;

// A file that grows, through a buffer. The first failure stays.
class LineFile {
 public:
  static Result<LineFile> open(std::string name, bool append) {
    const int how = O_WRONLY | O_CREAT | O_CLOEXEC | (append ? O_APPEND : O_TRUNC);
    UniqueFd fd(::open(name.c_str(), how, 0644));
    if (!fd) return fail_errno(errno, "cannot write the log", name);
    return LineFile(std::move(fd), std::move(name));
  }

  template <typename... Values>
  void put(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Values>(values)...);
    if (text_.size() >= k_flush_bytes) flush();
  }
  Result<void> close() {
    flush();
    auto closed = fd_.close();
    if (error_ != 0) return fail_errno(error_, "the log was not written whole", name_);
    if (!closed) closed.error().context = name_;
    return closed;
  }

 private:
  LineFile(UniqueFd fd, std::string name) : fd_(std::move(fd)), name_(std::move(name)) {}

  void flush() {
    std::size_t done = 0;
    while (done < text_.size() && error_ == 0) {
      const ssize_t n = ::write(fd_.get(), text_.data() + done, text_.size() - done);
      if (n >= 0) {
        done += static_cast<std::size_t>(n);
      } else if (errno != EINTR) {
        error_ = errno;
      }
    }
    text_.clear();
  }

  UniqueFd fd_;
  std::string name_;
  fmt::memory_buffer text_;
  int error_ = 0;
};

// The logs that a job asks for, in fio's order.
struct Wanted {
  const LogFile* option;
  std::string_view kind;
  bool off;
};

std::vector<std::pair<std::string, std::string>> names_of(const JobSource& source) {
  const ReportOptions& report = source.report;
  std::vector<std::pair<std::string, std::string>> names;
  if (!has_line_per_operation(report)) return names;
  for (const Wanted& wanted :
       {Wanted{&report.bandwidth_log, "bw", report.disable_bw},
        {&report.iops_log, "iops", false},
        {&report.latency_log, "lat", report.disable_lat || report.gtod_reduce},
        {&report.latency_log, "clat", report.disable_clat || report.gtod_reduce},
        {&report.latency_log, "slat", report.disable_slat || report.gtod_reduce}}) {
    if (!wanted.option->on || wanted.off) continue;
    names.emplace_back(wanted.kind, log_name(source, *wanted.option, wanted.kind));
  }
  return names;
}

class JobLines {
 public:
  JobLines(const JobSource& source, Duration ramp, std::int64_t epoch_ms)
      : report_(source.report), ramp_(ramp), epoch_ms_(epoch_ms) {}

  Result<void> open(const JobSource& source) {
    for (auto& [kind, name] : names_of(source)) {
      auto file = LineFile::open(std::move(name), !source.report.per_job_logs);
      if (!file) return propagate(file);
      of(kind).emplace(std::move(*file));
    }
    if (source.write_iolog.empty()) return {};
    auto file = LineFile::open(source.write_iolog, true);
    if (!file) return propagate(file);
    iolog_.emplace(std::move(*file));
    iolog_->put("fio version 3 iolog\n");
    return {};
  }

  void add(const TraceRow& row, const std::vector<std::string>& files) {
    if (iolog_ && !row.finished) put_iolog(row, files[row.file]);
    if (!row.measured || row.kind > TraceKind::trim) return;
    if (!row.finished) {
      // In the order of submission, which is known by now.
      if (row.split) put(slat_, row, row.at, row.submission.ns());
      return;
    }
    if (row.error != 0) return;
    const Duration at = row.at + row.total;
    const std::int64_t clat = row.split ? row.completion.ns() : row.total.ns();
    put(lat_, row, at, row.total.ns());
    put(clat_, row, at, clat);
    put(iops_, row, at, 1);
    // fio's KB is 1000 here.
    const double kb = static_cast<double>(row.length.count()) * 1e6;
    put(bandwidth_, row, at,
        static_cast<std::int64_t>(kb / static_cast<double>(std::max<std::int64_t>(clat, 1))));
  }

  Result<void> close() {
    Result<void> first;
    for (std::optional<LineFile>* file : {&bandwidth_, &iops_, &lat_, &clat_, &slat_, &iolog_}) {
      if (!*file) continue;
      auto closed = (*file)->close();
      if (!closed && first) first = std::move(closed);
    }
    return first;
  }

 private:
  std::optional<LineFile>& of(std::string_view kind) {
    if (kind == "bw") return bandwidth_;
    if (kind == "iops") return iops_;
    if (kind == "lat") return lat_;
    return kind == "clat" ? clat_ : slat_;
  }

  void put_iolog(const TraceRow& row, const std::string& file) {
    constexpr std::array<std::string_view, 9> k_words = {
        "read", "write", "trim", "sync", "datasync", "datasync", "add", "open", "close"};
    const std::int64_t us = row.at.ns() / 1000;
    const std::string_view word = k_words[static_cast<std::size_t>(row.kind)];
    if (row.kind >= TraceKind::file) {
      iolog_->put("{} {} {}\n", us, file, word);
    } else {
      iolog_->put("{} {} {} {} {}\n", us, file, word, row.offset.count(), row.length.count());
    }
  }

  void put(std::optional<LineFile>& file, const TraceRow& row, Duration at, std::int64_t value) {
    if (!file) return;
    const std::int64_t ms = (at - ramp_).ns() / 1'000'000 + epoch_ms_;
    file->put("{}, {}, {}, {}", ms, value, static_cast<unsigned>(row.kind), row.length.count());
    if (report_.log_offset) file->put(", {}", row.offset.count());
    file->put("{}", report_.log_prio ? ", 0x0000" : ", 0");
    if (report_.log_issue_time) file->put(", {}", (row.at - ramp_).ns());
    file->put("\n");
  }

  const ReportOptions& report_;
  Duration ramp_;
  std::int64_t epoch_ms_ = 0;
  std::optional<LineFile> bandwidth_, iops_, lat_, clat_, slat_, iolog_;
};

bool is_there(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

}  // namespace

std::string log_name(const JobSource& source, const LogFile& log, std::string_view kind) {
  const std::string& prefix = log.name.empty() ? source.section : log.name;
  return source.report.per_job_logs ? fmt::format("{}_{}.{}.log", prefix, kind, source.number)
                                    : fmt::format("{}_{}.log", prefix, kind);
}

bool has_line_per_operation(const ReportOptions& report) {
  return report.log_avg.value_or(Duration()) <= Duration();
}

TraceLogs::TraceLogs(const plan::Plan& plan) {
  for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
    for (std::size_t job = 0; job < plan.stages[stage].jobs.size(); ++job) {
      const plan::Job& spec = plan.stages[stage].jobs[job];
      if (!spec.block || spec.block->trace.record.empty()) continue;
      auto source = JobSource::from_text(spec.source);
      if (!source) continue;
      jobs_.push_back({.stage = stage,
                       .job = job,
                       .source = std::move(*source),
                       .trace = spec.block->trace.record,
                       .ramp = spec.stop.ramp_up,
                       .origin = spec.start_delay + spec.stop.ramp_up});
    }
  }
}

Result<void> TraceLogs::make_files() const {
  for (const Job& job : jobs_) {
    for (const auto& [kind, name] : names_of(job.source)) {
      auto file = LineFile::open(name, !job.source.report.per_job_logs);
      if (!file) return propagate(file);
    }
    if (job.source.write_iolog.empty()) continue;
    auto file = LineFile::open(job.source.write_iolog, true);
    if (!file) return propagate(file);
  }
  return {};
}

void TraceLogs::consume(const record::Tick& tick) {
  for (Job& job : jobs_) {
    if (job.stage != tick.stage || job.epoch_ms != 0) continue;
    if (!job.source.report.log_alternate_epoch) continue;
    const Duration since = tick.start + tick.length - job.origin;
    job.epoch_ms = tick.ended.ns() / 1'000'000 - since.ns() / 1'000'000;
  }
}

Result<void> TraceLogs::convert(const Job& job) {
  auto reader = record::TraceReader::open(job.trace);
  if (!reader) return propagate(reader);
  JobLines lines(job.source, job.ramp, job.epoch_ms);
  if (auto opened = lines.open(job.source); !opened) return opened;
  TraceRow row;
  while (true) {
    const Result<bool> more = reader->next(row);
    // What could be read is kept.
    if (!more) {
      if (auto closed = lines.close(); !closed) return closed;
      return std::unexpected(more.error());
    }
    if (!*more) return lines.close();
    lines.add(row, reader->files());
  }
}

std::vector<Error> TraceLogs::finish() {
  std::vector<Error> errors;
  for (const Job& job : std::exchange(jobs_, {})) {
    if (!is_there(job.trace)) continue;
    if (auto converted = convert(job); !converted) {
      errors.push_back(std::move(converted.error()));
      errors.back().what += "; what was recorded is in " + job.trace;
    } else if (unlink(job.trace.c_str()) != 0) {
      errors.push_back(fail_errno(errno, "cannot remove", job.trace).error());
    }
  }
  return errors;
}

}  // namespace loadline::dialects::fio::output
