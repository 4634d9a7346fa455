#include "dialects/fio/output/logs.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <bit>
#include <cerrno>
#include <cmath>
#include <iterator>

#include "dialects/fio/output/trace_logs.h"

namespace loadline::dialects::fio::output {
namespace {

std::uint64_t to_ms(Duration d) {
  return d.ns() <= 0 ? 0 : static_cast<std::uint64_t>((d.ns() + 500'000) / 1'000'000);
}

double per_second(std::uint64_t n, Duration covered) {
  return covered > Duration() ? static_cast<double>(n) / covered.as_seconds() : 0;
}

// The nearest tick boundary ends a window.
bool window_is_full(Duration covered, Duration width, Duration tick) {
  return covered > Duration() && covered + tick / 2 >= width;
}

Result<std::unique_ptr<std::ofstream>> open_file(const std::string& name, bool append) {
  auto stream = std::make_unique<std::ofstream>(
      name, append ? std::ios::app : std::ios::out | std::ios::trunc);
  if (!*stream) return fail_errno(errno, "cannot write the log", name);
  return stream;
}

}  // namespace

std::size_t fio_bucket(std::uint64_t value_ns) {
  if (value_ns < 128) return value_ns;
  const unsigned shift = static_cast<unsigned>(std::bit_width(value_ns)) - 7;
  const std::size_t index = (shift + 1) * std::size_t{64} + ((value_ns >> shift) & 63U);
  return std::min(index, k_fio_buckets - 1);
}

Result<LogWriter> LogWriter::open(const plan::Plan& plan) {
  LogWriter writer;
  for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
    for (std::size_t job = 0; job < plan.stages[stage].jobs.size(); ++job) {
      const plan::Job& spec = plan.stages[stage].jobs[job];
      auto source = JobSource::from_text(spec.source);
      if (!source || !spec.block) continue;
      const ReportOptions& report = source->report;
      const bool averages =
          !has_line_per_operation(report) &&
          (report.bandwidth_log.on || report.iops_log.on || report.latency_log.on);
      if (!averages && !report.histogram_log.on) continue;
      JobLogs logs;
      logs.stage = stage;
      logs.job = job;
      logs.source = std::move(*source);
      if (auto opened = open_job(spec, logs); !opened) return propagate(opened);
      writer.jobs_.push_back(std::move(logs));
    }
  }
  const RunSource run = run_source(plan);
  if (!run.bandwidth_log) return writer;
  TotalLog& total = writer.total_.emplace(TotalLog{});
  total.grid.width = std::max(plan.tick, Duration::milliseconds(500));
  for (std::size_t i = 0; i < plan::k_directions; ++i) {
    File& file = total.files[i];
    file.name = fmt::format("{}-{}_bw.log", *run.bandwidth_log,
                            plan::to_string(static_cast<plan::Direction>(i)));
    auto stream = open_file(file.name, false);
    if (!stream) return propagate(stream);
    file.stream = std::move(*stream);
  }
  return writer;
}

Result<void> LogWriter::open_job(const plan::Job& job, JobLogs& logs) {
  const ReportOptions& report = logs.source.report;
  logs.uses = job.block->uses;
  for (std::size_t i = 0; i < plan::k_directions; ++i) {
    logs.block_size[i] = job.block->sizes[i].max.count();
  }
  logs.origin = job.start_delay + job.stop.ramp_up;
  const Duration fallback = report.bwavgtime;
  logs.grid.width = report.log_avg.value_or(Duration()) > Duration() ? *report.log_avg : fallback;
  logs.histogram_grid.width =
      report.log_hist.value_or(Duration()) > Duration() ? *report.log_hist : logs.grid.width;
  struct Wanted {
    const LogFile* option;
    std::string_view kind;
    File* file;
  };
  for (const Wanted& wanted : {Wanted{&report.bandwidth_log, "bw", &logs.bandwidth},
                               {&report.iops_log, "iops", &logs.iops},
                               {&report.latency_log, "lat", &logs.lat},
                               {&report.latency_log, "clat", &logs.clat},
                               {&report.latency_log, "slat", &logs.slat},
                               {&report.histogram_log, "clat_hist", &logs.histogram}}) {
    if (!wanted.option->on) continue;
    if (wanted.file != &logs.histogram && has_line_per_operation(report)) continue;
    if (auto made = make(*wanted.option, wanted.kind, logs, *wanted.file); !made) return made;
  }
  return {};
}

Result<void> LogWriter::make(const LogFile& option, std::string_view kind, const JobLogs& logs,
                             File& file) {
  file.name = log_name(logs.source, option, kind);
  auto stream = open_file(file.name, !logs.source.report.per_job_logs);
  if (!stream) return propagate(stream);
  file.stream = std::move(*stream);
  return {};
}

void LogWriter::consume(const record::Tick& tick) {
  for (JobLogs& logs : jobs_) {
    if (logs.stage == tick.stage && logs.job < tick.jobs.size()) add(logs, tick);
  }
  if (total_) add_total(tick);
}

void LogWriter::add(JobLogs& logs, const record::Tick& tick) {
  const auto& ops = tick.jobs[logs.job];
  if (logs.source.report.log_alternate_epoch && logs.epoch_ms == 0) {
    const Duration since = tick.start + tick.length - logs.origin;
    logs.epoch_ms = tick.ended.ns() / 1'000'000 - since.ns() / 1'000'000;
  }
  const Duration end = tick.start + tick.length;
  const Duration covered = std::max(Duration(), std::min(tick.length, end - logs.origin));
  for (std::size_t i = 0; i < std::min(ops.size(), plan::k_directions); ++i) {
    logs.open[i].add(ops[i], covered);
    if (logs.histogram.stream) {
      logs.histograms[i].merge(ops[i].completion.empty() ? ops[i].service : ops[i].completion);
    }
  }
  logs.grid.covered += covered;
  logs.histogram_grid.covered += covered;
  if (window_is_full(logs.grid.covered, logs.grid.width, tick.length)) {
    ++logs.grid.index;
    const Duration at = logs.grid.width * static_cast<std::int64_t>(logs.grid.index);
    close_window(logs, at, logs.grid.covered);
  }
  if (window_is_full(logs.histogram_grid.covered, logs.histogram_grid.width, tick.length)) {
    ++logs.histogram_grid.index;
    logs.histogram_grid.covered = Duration();
    write_histograms(
        logs, logs.histogram_grid.width * static_cast<std::int64_t>(logs.histogram_grid.index));
  }
}

void LogWriter::close_window(JobLogs& logs, Duration end, Duration covered) {
  logs.grid.covered = Duration();
  const Windows windows = std::exchange(logs.open, {});
  const bool idle = std::all_of(windows.begin(), windows.end(),
                                [](const LogWindow& window) { return window.idle(); });
  if (idle) {
    ++logs.idle;
    return;
  }
  for (; logs.idle > 0; --logs.idle) {
    const Duration at = logs.grid.width * static_cast<std::int64_t>(logs.grid.index - logs.idle);
    write_window(logs, at, logs.grid.width, {});
  }
  write_window(logs, end, covered, windows);
}

void LogWriter::write_window(JobLogs& logs, Duration end, Duration covered,
                             const Windows& windows) {
  const std::uint64_t at = to_ms(end);
  for (std::size_t i = 0; i < plan::k_directions; ++i) {
    if (!logs.uses[i]) continue;
    const LogWindow& window = windows[i];
    put(logs.bandwidth, logs,
        {at, per_second(window.bytes, covered) / 1024, window.bytes_max / 1024, i});
    put(logs.iops, logs, {at, per_second(window.operations, covered), window.operations_max, i});
    const auto latency = [&](File& file, const LogLatency& values) {
      put(file, logs,
          {at, static_cast<double>(values.mean_ns()), static_cast<double>(values.max_ns), i});
    };
    latency(logs.lat, window.lat);
    latency(logs.clat, window.clat);
    if (window.slat.count > 0) latency(logs.slat, window.slat);
  }
}

void LogWriter::put(File& file, const JobLogs& logs, const Line& line) {
  if (!file.stream) return;
  const ReportOptions& report = logs.source.report;
  std::ostream& out = *file.stream;
  const auto average = std::llround(line.value);
  const auto largest = std::max(average, std::llround(line.largest));
  fmt::print(out, "{}, ", static_cast<std::int64_t>(line.at_ms) + logs.epoch_ms);
  switch (report.log_window_value) {
    case LogValue::average: fmt::print(out, "{}, ", average); break;
    case LogValue::max: fmt::print(out, "{}, ", largest); break;
    case LogValue::both: fmt::print(out, "{}, {}, ", average, largest); break;
  }
  // An average has no block size, offset or priority of its own.
  fmt::print(out, "{}, 0, {}{}\n", line.direction, report.log_offset ? "0, " : "",
             report.log_prio ? "0x0000" : "0");
}

void LogWriter::write_histograms(JobLogs& logs, Duration end) {
  if (!logs.histogram.stream) return;
  const std::size_t step = std::size_t{1} << logs.source.report.log_hist_coarseness;
  std::ostream& out = *logs.histogram.stream;
  for (std::size_t i = 0; i < plan::k_directions; ++i) {
    record::Histogram& histogram = logs.histograms[i];
    if (!logs.uses[i]) continue;
    std::vector<std::uint64_t> columns(k_fio_buckets / step);
    if (!histogram.empty()) {
      for (std::size_t b = histogram.first_used(); b <= histogram.last_used(); ++b) {
        columns[fio_bucket(record::Histogram::lowest_of(b)) / step] += histogram.at(b);
      }
      columns.back() += histogram.past_top();
    }
    fmt::print(out, "{}, {}, {}", static_cast<std::int64_t>(to_ms(end)) + logs.epoch_ms, i,
               logs.block_size[i]);
    for (const std::uint64_t count : columns) fmt::print(out, ", {}", count);
    fmt::print(out, "\n");
    histogram.clear();
  }
}

void LogWriter::add_total(const record::Tick& tick) {
  TotalLog& total = *total_;
  if (tick.stage != total.stage) {
    total.before += total.stage_end;
    total.stage = tick.stage;
  }
  total.stage_end = tick.start + tick.length;
  for (const auto& ops : tick.jobs) {
    for (std::size_t i = 0; i < std::min(ops.size(), plan::k_directions); ++i) {
      total.bytes[i] += ops[i].bytes.count();
    }
  }
  total.grid.covered += tick.length;
  if (window_is_full(total.grid.covered, total.grid.width, tick.length)) {
    write_total(total.before + total.stage_end, total.grid.covered);
  }
}

void LogWriter::write_total(Duration end, Duration covered) {
  TotalLog& total = *total_;
  for (std::size_t i = 0; i < plan::k_directions; ++i) {
    fmt::print(*total.files[i].stream, "{}, {}, {}, 0, 0\n", to_ms(end),
               std::llround(per_second(total.bytes[i], covered) / 1024), i);
  }
  total.bytes = {};
  total.grid.covered = Duration();
}

Result<void> LogWriter::finish(const record::RunResult& result) {
  std::string broken;
  const auto close = [&](File& file) {
    if (!file.stream) return;
    file.stream->close();
    if (file.stream->fail()) broken = file.name;
  };
  for (JobLogs& logs : jobs_) {
    const Duration before = logs.grid.width * static_cast<std::int64_t>(logs.grid.index);
    const bool busy = std::any_of(logs.open.begin(), logs.open.end(),
                                  [](const LogWindow& window) { return !window.idle(); });
    if (busy) {
      ++logs.grid.index;
      close_window(logs, before + logs.grid.covered, logs.grid.covered);
    }
    // Idle windows at the end that the job was still there for.
    Duration ended;
    if (logs.stage < result.stages.size() && logs.job < result.stages[logs.stage].jobs.size()) {
      ended = result.stages[logs.stage].jobs[logs.job].window;
    }
    for (; logs.idle > 0; --logs.idle) {
      const Duration end =
          logs.grid.width * static_cast<std::int64_t>(logs.grid.index + 1 - logs.idle);
      if (end > ended + logs.grid.width / 10) break;
      write_window(logs, end, logs.grid.width, {});
    }
    const bool rest = std::any_of(logs.histograms.begin(), logs.histograms.end(),
                                  [](const record::Histogram& h) { return !h.empty(); });
    if (rest) {
      write_histograms(
          logs, logs.histogram_grid.width * static_cast<std::int64_t>(logs.histogram_grid.index) +
                    logs.histogram_grid.covered);
    }
    for (File* file :
         {&logs.bandwidth, &logs.iops, &logs.lat, &logs.clat, &logs.slat, &logs.histogram}) {
      close(*file);
    }
  }
  if (total_) {
    if (total_->grid.covered > Duration()) {
      write_total(total_->before + total_->stage_end, total_->grid.covered);
    }
    for (File& file : total_->files) close(file);
  }
  if (!broken.empty()) return fail(ErrorCode::io, "the log was not written whole", broken);
  return {};
}

}  // namespace loadline::dialects::fio::output
