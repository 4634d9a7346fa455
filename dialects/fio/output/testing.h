// A made-up run of one or more jobs, for the tests of this folder. Never part of the product.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "dialects/fio/job_source.h"
#include "store/run_folder.h"
#include "store/stored_run.h"
#include "store/tick_text.h"

namespace loadline::dialects::fio::output::testing {

inline constexpr WallTime k_ended = WallTime::from_ns(1'796'057'987'123'000'000);

// A folder of its own that goes away with it.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "fio_output_XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// `count` operations of 4 KiB between 100 us and about 1.1 ms, in both parts where asynchronous.
inline record::OpStats some_operations(std::uint64_t count, bool asynchronous = true) {
  record::OpStats stats;
  stats.outcomes[0] = count;
  stats.bytes = Bytes(count * 4096);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto step = static_cast<std::int64_t>(i * 997 % 1000);
    const Duration submission = Duration::nanoseconds(1500 + step);
    const Duration completion = Duration::microseconds(100 + step);
    stats.service.add(submission + completion);
    if (!asynchronous) continue;
    stats.submission.add(submission);
    stats.completion.add(completion);
  }
  return stats;
}

class FakeRun {
 public:
  FakeRun() {
    plan_.tick = Duration::milliseconds(500);
    plan_.stages.resize(1);
    result_.stages.resize(1);
    result_.state = record::RunState::finished;
    result_.ended = k_ended;
  }

  // One more job of two seconds: reads and writes in every tick, a sync at times.
  JobSource& add_job(const std::string& name) {
    plan::Job job{.name = name};
    job.block.emplace().uses = {true, true, false};
    job.block->files = {{"t.dat", Bytes(1U << 20U)}};
    plan_.stages[0].jobs.push_back(std::move(job));
    JobSource source;
    source.section = name;
    source.direction = "randrw";
    source.ioengine = "libaio";
    source.iodepth = 8;
    source.number = static_cast<std::uint32_t>(sources_.size() + 1);
    if (sources_.empty()) source.run.emplace().formats.normal = true;
    sources_.push_back(std::move(source));
    return sources_.back();
  }

  // Ticks and results: `reads` of the job in each of the four ticks, half as many writes.
  void fill(std::uint64_t reads, bool asynchronous = true) {
    for (std::uint64_t i = 0; i < 4; ++i) {
      record::Tick tick{.stage = 0,
                        .index = i,
                        .start = Duration::milliseconds(static_cast<std::int64_t>(i) * 500),
                        .length = Duration::milliseconds(500),
                        .ended = k_ended,
                        .jobs = {},
                        .loads = {}};
      for (std::size_t job = 0; job < sources_.size(); ++job) {
        // Jobs take turns: where one is fast the next is slow.
        const std::uint64_t n = reads + (i + job) % 2 * reads;
        tick.jobs.push_back({some_operations(n, asynchronous),
                             some_operations(n / 2, asynchronous),
                             {},
                             some_operations(asynchronous ? 3 : 0, false)});
        tick.loads.push_back({.depth = {0, i + 1},
                              .cpu_user = Duration::milliseconds(50 * (static_cast<int>(i) + 1)),
                              .context_switches = 7 * (i + 1)});
      }
      ticks_.push_back(std::move(tick));
    }
    for (std::size_t job = 0; job < sources_.size(); ++job) {
      record::JobResult& result = result_.stages[0].jobs.emplace_back();
      result.name = plan_.stages[0].jobs[job].name;
      result.window = Duration::seconds(2);
      result.ops = {{"read", "read", plan::Action::read, {}},
                    {"write", "write", plan::Action::write, {}},
                    {"trim", "trim", plan::Action::trim, {}},
                    {"sync", "sync", plan::Action::sync, {}}};
      for (const record::Tick& tick : ticks_) {
        for (std::size_t op = 0; op < 4; ++op) {
          result.ops[op].stats.merge(tick.jobs[job][op]);
        }
      }
      record::BlockCounters& block = result.block.emplace();
      block.depth = {1, 2, 4, 993, 0, 0, 0};
      block.submits = {0, 1000, 0, 0, 0, 0, 0};
      block.completes = {0, 999, 1, 0, 0, 0, 0};
      block.elapsed = Duration::milliseconds(2004);
      block.cpu_user = Duration::milliseconds(40);
      block.cpu_system = Duration::milliseconds(130);
      block.context_switches = 9266;
      block.minor_faults = 15;
      block.thread_id = 16684 + static_cast<std::int64_t>(job);
    }
  }

  void add_device() {
    target::DeviceCounters device{.name = "vda", .reads = 19798, .writes = 10010};
    device.read_time = Duration::milliseconds(2652);
    device.busy = Duration::milliseconds(253);
    device.watched = Duration::seconds(2);
    result_.stages[0].jobs[0].block->observed.emplace().devices = {device};
  }

  std::vector<JobSource>& sources() { return sources_; }
  record::RunResult& result() { return result_; }
  const std::vector<record::Tick>& ticks() const { return ticks_; }
  plan::Plan plan() const {
    plan::Plan plan = plan_;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      plan.stages[0].jobs[i].source = sources_[i].to_text();
    }
    return plan;
  }
  plan::Job& job(std::size_t index) { return plan_.stages[0].jobs[index]; }
  store::StoredRun stored() const {
    std::ofstream file(folder_ / store::k_ticks_file);
    for (const record::Tick& tick : ticks_) file << store::to_line(store::row_of(tick));
    file.close();
    return {folder_.path(), folder_.path(), "w1", plan(), result_};
  }

 private:
  Folder folder_;
  plan::Plan plan_;
  record::RunResult result_;
  std::vector<JobSource> sources_;
  std::vector<record::Tick> ticks_;
};

}  // namespace loadline::dialects::fio::output::testing
