#include "store/run_writer.h"

#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/check.h"
#include "plan/result_operations.h"
#include "plan/text.h"
#include "record/hdr_log.h"
#include "store/result_text.h"
#include "store/run_folder.h"
#include "store/tick_text.h"

namespace loadline::store {
namespace {

namespace fs = std::filesystem;

// STAGE.JOB.OPERATION, and -2, -3 .. where a name occurs again.
std::vector<std::vector<std::vector<std::string>>> tags_of(const plan::Plan& plan) {
  std::vector<std::vector<std::vector<std::string>>> tags;
  std::set<std::string> taken;
  for (const plan::Stage& stage : plan.stages) {
    auto& jobs = tags.emplace_back();
    for (const plan::Job& job : stage.jobs) {
      auto& ops = jobs.emplace_back();
      for (const plan::ResultOperation& op : plan::result_operations(job)) {
        const std::string name = record::hdr_tag(stage.id + "." + job.name + "." + op.name);
        std::string tag = name;
        for (int n = 2; !taken.insert(tag).second; ++n) tag = name + "-" + std::to_string(n);
        ops.push_back(std::move(tag));
      }
    }
  }
  return tags;
}

Result<void> write_first_files(const fs::path& folder, const plan::Plan& plan,
                               const std::map<std::string, std::string>& files) {
  Result<void> written =
      write_file(folder / k_plan_file, plan::to_text(plan, plan::Secrets::masked));
  for (const auto& [name, text] : files) {
    if (!written) break;
    CHECK(!name.empty() && name.find('/') == std::string::npos);
    CHECK(name != k_plan_file && name != k_ticks_file && name != k_latency_file);
    written = write_file(folder / name, text);
  }
  return written;
}

// One line of all of them.
Result<void> joined(const std::vector<Error>& errors) {
  if (errors.empty()) return {};
  Error all = errors.front();
  for (std::size_t i = 1; i < errors.size(); ++i) all.what += "; " + errors[i].message();
  return std::unexpected(std::move(all));
}

}  // namespace

void add_up(const record::RunResult& result, IndexRow& row) {
  row.state = result.state;
  if (result.started != WallTime()) row.started = result.started;
  row.elapsed = result.elapsed;
  row.verdicts = result.verdicts.size();
  row.operations = row.failures = 0;
  row.bytes = Bytes();
  for (const record::StageResult& stage : result.stages) {
    for (const record::JobResult& job : stage.jobs) {
      for (const record::OpResult& op : job.ops) {
        row.operations += op.stats.successes();
        row.failures += op.stats.failure_count();
        row.bytes += op.stats.bytes;
      }
    }
  }
}

Result<std::unique_ptr<RunWriter>> FolderWriter::begin(
    const fs::path& archive, IndexRow row, const plan::Plan& plan,
    const std::map<std::string, std::string>& files) {
  const fs::path folder = archive / row.folder;
  if (Result<void> written = write_first_files(folder, plan, files); !written) {
    return propagate(written);
  }
  Result<AppendFile> ticks = AppendFile::create(folder / k_ticks_file);
  if (!ticks) return propagate(ticks);
  Result<AppendFile> latencies = AppendFile::create(folder / k_latency_file);
  if (!latencies) return propagate(latencies);
  if (Result<void> opened = latencies->append(record::hdr_log_header(row.started)); !opened) {
    return propagate(opened);
  }
  // Before the run is in the index, so that nobody takes it for one whose process has vanished.
  if (Result<void> locked = ticks->lock(); !locked) return propagate(locked);
  Result<RunIndex> index = RunIndex::open(archive);
  if (!index) return propagate(index);
  if (Result<void> put = index->put(row); !put) return propagate(put);
  return std::unique_ptr<RunWriter>(
      new FolderWriter(archive, std::move(row), std::move(*index), {.file = std::move(*ticks)},
                       {.file = std::move(*latencies)}, tags_of(plan)));
}

FolderWriter::FolderWriter(const fs::path& archive, IndexRow row, RunIndex index, Log ticks,
                           Log latencies, Tags tags)
    : folder_(archive / row.folder),
      id_("w" + std::to_string(row.number)),
      row_(std::move(row)),
      index_(std::move(index)),
      ticks_(std::move(ticks)),
      latencies_(std::move(latencies)),
      tags_(std::move(tags)) {}

void FolderWriter::consume(const record::Tick& tick) {
  ticks_.append(to_line(row_of(tick)));
  latencies_.append(latency_lines(tick));
}

// Intervals in which nothing succeeded have no line.
std::string FolderWriter::latency_lines(const record::Tick& tick) {
  if (tick.stage != stage_) {
    stage_ = tick.stage;
    stage_start_ = (tick.ended - row_.started) - (tick.start + tick.length);
    // Where the wall clock was set back since the run began.
    if (stage_start_ < Duration()) stage_start_ = Duration();
  }
  CHECK(tick.stage < tags_.size() && tick.jobs.size() == tags_[tick.stage].size());
  std::string lines;
  for (std::size_t job = 0; job < tick.jobs.size(); ++job) {
    const std::vector<std::string>& tags = tags_[tick.stage][job];
    CHECK(tick.jobs[job].size() == tags.size());
    for (std::size_t op = 0; op < tags.size(); ++op) {
      const record::Histogram& latency = tick.jobs[job][op].latency();
      if (latency.empty()) continue;
      lines += record::hdr_log_line(tags[op], stage_start_ + tick.start, tick.length, latency);
    }
  }
  return lines;
}

void FolderWriter::Log::append(const std::string& text) {
  if (text.empty()) return;
  Result<void> written = file.append(text);
  if (written) return;
  ++lost;
  if (!first_error) first_error = std::move(written.error());
}

void FolderWriter::Log::close(std::vector<Error>& errors) {
  if (first_error) {
    first_error->what += " (" + std::to_string(lost) + " ticks are missing)";
    errors.push_back(*first_error);
  }
  if (Result<void> synced = file.sync(); !synced && !first_error) errors.push_back(synced.error());
}

Result<void> FolderWriter::finish(const record::RunResult& result) {
  std::vector<Error> errors;
  Result<void> written = write_file(folder_ / k_result_file, to_text(result, Histograms::included));
  if (!written) errors.push_back(written.error());
  ticks_.close(errors);
  latencies_.close(errors);
  add_up(result, row_);
  if (Result<void> put = index_.put(row_); !put) errors.push_back(put.error());
  return joined(errors);
}

}  // namespace loadline::store
