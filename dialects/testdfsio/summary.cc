#include "dialects/testdfsio/summary.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "dialects/testdfsio/plan_builder.h"
#include "target/outcome.h"

namespace loadline::dialects::testdfsio {
namespace {

constexpr double k_mega = 1 << 20;

double megabytes(Bytes bytes) { return static_cast<double>(bytes.count()) / k_mega; }

Duration end_of(const record::StreamFile& file) { return file.begin + file.open + file.transfer; }

// Begin and end, since the stage's start.
struct Span {
  Duration begin = Duration::max();
  Duration end;
  Duration length() const { return end > begin ? end - begin : Duration(); }
  void cover(const record::StreamFile& file) {
    begin = std::min(begin, file.begin);
    end = std::max(end, end_of(file));
  }
};

// The share of the file that was moved inside the span, as if at a constant speed.
double moved_inside(const record::StreamFile& file, const Span& span) {
  const Duration from = std::max(file.begin + file.open, span.begin);
  const Duration to = std::min(end_of(file), span.end);
  if (file.transfer <= Duration() || to <= from) return 0;
  return megabytes(file.bytes) * ((to - from).as_seconds() / file.transfer.as_seconds());
}

void add_windows(const record::StreamFiles& files, Summary& summary) {
  Span wall;
  std::map<std::uint32_t, Span> workers;
  for (const record::StreamFile& file : files) {
    if (file.outcome != target::Outcome::ok) continue;
    wall.cover(file);
    workers[file.worker].cover(file);
    summary.wall.megabytes += megabytes(file.bytes);
  }
  if (workers.empty()) return;
  summary.wall.length = wall.length();
  Span common{.begin = Duration(), .end = Duration::max()};
  for (const auto& [worker, span] : workers) {
    common.begin = std::max(common.begin, span.begin);
    common.end = std::min(common.end, span.end);
  }
  if (common.length() <= Duration()) return;
  Window& window = summary.common.emplace();
  window.length = common.length();
  for (const record::StreamFile& file : files) {
    if (file.outcome == target::Outcome::ok) window.megabytes += moved_inside(file, common);
  }
}

Spread spread_of(const record::StreamFiles& files) {
  std::vector<double> rates;
  Spread spread;
  double squares = 0;  // of the distances from the mean
  for (const record::StreamFile& file : files) {
    if (file.outcome != target::Outcome::ok || file.transfer <= Duration()) continue;
    const double rate = megabytes(file.bytes) / file.transfer.as_seconds();
    rates.push_back(rate);
    const double off = rate - spread.mean;
    spread.mean += off / static_cast<double>(rates.size());
    squares += off * (rate - spread.mean);
  }
  if (rates.empty()) return spread;
  std::ranges::sort(rates);
  const std::size_t middle = rates.size() / 2;
  spread.count = rates.size();
  spread.min = rates.front();
  spread.max = rates.back();
  spread.median = rates.size() % 2 == 1 ? rates[middle] : (rates[middle - 1] + rates[middle]) / 2;
  spread.deviation = std::sqrt(squares / static_cast<double>(rates.size()));
  return spread;
}

void add_calls(std::string name, const record::Histogram& times, Summary& summary) {
  if (times.empty()) return;
  summary.calls.push_back({.name = std::move(name),
                           .count = times.count(),
                           .p50 = times.quantile(5'000'000),
                           .p95 = times.quantile(9'500'000),
                           .p99 = times.quantile(9'900'000),
                           .max = times.max()});
}

bool failed(const record::StreamFile& file) {
  return file.outcome != target::Outcome::ok && file.outcome != target::Outcome::cancelled;
}

// As users type it: names of folders are below the root. Numbers past the files stand for the
// folder or the worker itself.
std::string name_of(const plan::StreamIo& stream, std::uint64_t number) {
  const std::string folder = "/" + stream.folder;
  if (number < stream.puts.size()) return folder + "/" + stream.puts[number].name;
  if (stream.puts.empty() && number < stream.files) {
    return folder + "/" + stream.prefix + std::to_string(number);
  }
  return folder;
}

void add_files(const plan::StreamIo& stream, const record::StreamFiles& files, Summary& summary) {
  for (const record::StreamFile& file : files) {
    const bool ended_well = file.outcome == target::Outcome::ok;
    summary.done += ended_well ? 1 : 0;
    summary.short_of_size += ended_well && file.short_of_size ? 1 : 0;
    summary.failures += failed(file) ? 1 : 0;
  }
  summary.failed = failed_files(stream, files, Summary::k_failed_named);
  const std::uint64_t ended = summary.done + summary.failures;
  summary.not_ended = summary.asked > ended ? summary.asked - ended : 0;
}

void add_interfaces(const record::JobResult& job, Summary& summary) {
  constexpr double k_least = 0.01;  // MB/s, that are worth a line
  const double seconds = job.client.wall.as_seconds();
  if (seconds <= 0) return;
  for (const record::InterfaceCounters& one : job.interfaces) {
    InterfaceRate rate{.name = one.name,
                       .received = megabytes(one.received) / seconds,
                       .sent = megabytes(one.sent) / seconds};
    const double busier = std::max(rate.received, rate.sent);
    if (busier < k_least) continue;
    // Megabits are of 10^6 bits.
    const double line = static_cast<double>(one.megabits_per_second) * 1e6 / 8 / k_mega;
    if (line > 0) rate.line_share = busier / line;
    summary.interfaces.push_back(std::move(rate));
  }
}

Duration elapsed_of(const record::RunResult& result, std::string_view id) {
  const record::StageResult* const stage = stage_of(result, id);
  return stage == nullptr ? Duration() : stage->elapsed;
}

}  // namespace

const record::StageResult* stage_of(const record::RunResult& result, std::string_view id) {
  const auto it = std::ranges::find(result.stages, id, &record::StageResult::id);
  return it == result.stages.end() ? nullptr : &*it;
}

const record::JobResult* measured_job(const record::RunResult& result) {
  const record::StageResult* const stage = stage_of(result, k_stage_run);
  return stage == nullptr || stage->jobs.empty() ? nullptr : &stage->jobs.front();
}

Duration whole_test(const record::RunResult& result) {
  return elapsed_of(result, k_stage_old_data) + elapsed_of(result, k_stage_run);
}

std::vector<FailedFile> failed_files(const plan::StreamIo& stream, const record::StreamFiles& files,
                                     std::size_t most) {
  std::vector<FailedFile> found;
  for (const record::StreamFile& file : files) {
    if (!failed(file)) continue;
    if (found.size() == most) break;
    std::string why(to_string(file.outcome));
    if (!file.detail.empty()) why += ": " + file.detail;
    found.push_back({.name = name_of(stream, file.number), .why = std::move(why)});
  }
  return found;
}

std::optional<Summary> summary_of(const plan::Plan& plan, const RunSource& source,
                                  const record::RunResult& result) {
  const record::JobResult* const job = measured_job(result);
  if (job == nullptr || plan.stages.back().jobs.empty()) return std::nullopt;
  const auto& stream = plan.stages.back().jobs.front().stream;
  if (!stream) return std::nullopt;
  Summary summary{
      .asked = source.files,
      .concurrency = source.concurrency,
      .waves = source.waves(),
      .spread = spread_of(job->files),
      .prepared = elapsed_of(result, k_stage_old_control) + elapsed_of(result, k_stage_control),
      .removed = elapsed_of(result, k_stage_old_data),
      .ran = elapsed_of(result, k_stage_run)};
  add_files(*stream, job->files, summary);
  add_windows(job->files, summary);
  for (const record::OpResult& op : job->ops) {
    if (op.action != plan::Action::open && op.action != plan::Action::close) {
      add_calls("first byte", op.stats.first_byte, summary);
    }
    add_calls(op.name, op.stats.latency(), summary);
  }
  add_interfaces(*job, summary);
  return summary;
}

}  // namespace loadline::dialects::testdfsio
