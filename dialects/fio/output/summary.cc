#include "dialects/fio/output/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <utility>

namespace loadline::dialects::fio::output {
namespace {

constexpr std::array<std::uint64_t, 11> k_limits = {2,   4,   10,  20,   50,  100,
                                                    250, 500, 750, 1000, 2000};

std::uint64_t milliseconds_of(Duration d) {
  return d.ns() <= 0 ? 0 : static_cast<std::uint64_t>((d.ns() + 500'000) / 1'000'000);
}

// Adds to the share of the bucket that the value lies in: below 2, 4, 10, .. 1000 (, 2000).
void add_share(std::uint64_t value, double percent, std::span<double> shares) {
  const auto below = std::upper_bound(k_limits.begin(), k_limits.end(), value);
  const auto index = static_cast<std::size_t>(below - k_limits.begin());
  shares[std::min(index, shares.size() - 1)] += percent;
}

PercentBuckets percent_of(const record::DepthBuckets& counts) {
  double total = 0;
  for (const std::uint64_t count : counts) total += static_cast<double>(count);
  PercentBuckets shares{};
  for (std::size_t i = 0; i < counts.size() && total > 0; ++i) {
    shares[i] = 100 * static_cast<double>(counts[i]) / total;
  }
  return shares;
}

void add_up(record::DepthBuckets& into, const record::DepthBuckets& counts) {
  for (std::size_t i = 0; i < counts.size(); ++i) into[i] += counts[i];
}

// What the members of a block add up to before it becomes shares.
struct Totals {
  record::DepthBuckets depth{};
  record::DepthBuckets submits{};
  record::DepthBuckets completes{};
  Duration user;
  Duration system;
  Duration elapsed;
};

void add_direction(const record::OpStats& stats, std::uint64_t runtime_ms, DirectionSummary& into) {
  into.bytes += stats.bytes;
  into.operations += stats.successes();
  into.issued += stats.samples();
  if (stats.samples() > 0) {
    into.runtime_ms = std::max({into.runtime_ms, runtime_ms, std::uint64_t{1}});
  }
  into.slat.merge(stats.submission);
  into.clat.merge(stats.completion.empty() ? stats.service : stats.completion);
  into.lat.merge(stats.service);
}

// The run time of a direction: that of the job, but where writing and reading back are two phases.
std::uint64_t runtime_ms_of(const plan::Job& plan, const record::JobResult& job, std::size_t i) {
  Duration own;
  if (job.block) own = job.block->directions[i].runtime;
  const bool phases = plan.block && plan.block->verify.checksum != plan::Checksum::none;
  if (phases && own > Duration()) return milliseconds_of(own);
  return milliseconds_of(std::max(own, job.window));
}

void add_error(const record::BlockCounters& counters, Block& block) {
  // In fio, a job whose process was killed made no error.
  if (counters.signal != 0) return;
  block.total_errors += counters.total_errors();
  const record::BlockFailure& failure = counters.failure;
  if (failure.error == 0) {
    if (counters.errors.empty()) return;
    // All were tolerated, and fio shows them all the same.
    const int first = counters.errors.front().first;
    if (block.first_error == 0) block.first_error = first;
    if (block.error != 0) return;
    block.error = first;
    block.error_text = fmt::format("func=io_u error, error={}", errno_text(first));
    return;
  }
  if (block.first_error == 0) block.first_error = failure.error;
  if (block.error != 0) return;
  block.error = failure.error;
  block.error_text = fmt::format("file:{}, func={}, error={}", failure.file, func_of(failure),
                                 errno_text(failure.error));
}

void add_counters(const record::BlockCounters& counters, Block& block, Totals& totals) {
  add_up(totals.depth, counters.depth);
  add_up(totals.submits, counters.submits);
  add_up(totals.completes, counters.completes);
  totals.user += counters.cpu_user;
  totals.system += counters.cpu_system;
  totals.elapsed += counters.elapsed;
  for (std::size_t i = 0; i < plan::k_directions; ++i) {
    block.directions[i].short_transfers += counters.directions[i].short_transfers;
    block.directions[k_mixed].short_transfers += counters.directions[i].short_transfers;
  }
  block.context_switches += counters.context_switches;
  block.major_faults += counters.major_faults;
  block.minor_faults += counters.minor_faults;
  if (block.pid == 0) block.pid = counters.thread_id;
  if (counters.latency_target) block.latency_depth = counters.latency_target->depth;
  if (!block.steady) block.steady = counters.steady;
  const auto elapsed_ms = milliseconds_of(counters.elapsed);
  block.elapsed_s = std::max(block.elapsed_s, (elapsed_ms + 999) / 1000);
  add_error(counters, block);
}

void add_job(const plan::Job& plan, const record::JobResult& job, Block& block, Totals& totals) {
  std::uint64_t longest = 0;
  for (std::size_t i = 0; i < std::min(job.ops.size(), plan::k_directions); ++i) {
    const std::uint64_t runtime = runtime_ms_of(plan, job, i);
    add_direction(job.ops[i].stats, runtime, block.directions[i]);
    add_direction(job.ops[i].stats, runtime, block.directions[k_mixed]);
    if (job.ops[i].stats.samples() > 0) longest = std::max(longest, runtime);
  }
  if (job.ops.size() > plan::k_directions) {
    const record::OpStats& sync = job.ops[plan::k_directions].stats;
    block.sync.merge(sync.service);
    block.sync_operations += sync.successes();
    block.sync_issued += sync.samples();
  }
  block.job_runtime_ms += longest;
  if (job.block) add_counters(*job.block, block, totals);
}

void finish_block(const Totals& totals, Block& block) {
  block.depth = percent_of(totals.depth);
  block.submits = percent_of(totals.submits);
  block.completes = percent_of(totals.completes);
  if (totals.elapsed > Duration()) {
    block.user_percent = 100 * totals.user.as_seconds() / totals.elapsed.as_seconds();
    block.system_percent = 100 * totals.system.as_seconds() / totals.elapsed.as_seconds();
  }
  block.latency = latency_shares(block.directions[k_mixed].clat);
  if (block.latency_depth == 0) block.latency_depth = block.source.iodepth;
  const ReportOptions& report = block.source.report;
  for (DirectionSummary& direction : block.directions) {
    if (report.disable_lat) direction.lat.clear();
    if (report.disable_clat) direction.clat.clear();
    if (report.disable_slat) direction.slat.clear();
  }
  if (report.disable_clat) block.latency = {};
}

// gtod_reduce is all four, and what is not measured has no percentiles.
void settle(ReportOptions& report) {
  if (report.gtod_reduce) {
    report.disable_lat = report.disable_clat = report.disable_slat = report.disable_bw = true;
  }
  report.lat_percentiles = report.lat_percentiles && !report.disable_lat;
  report.clat_percentiles = report.clat_percentiles && !report.disable_clat;
  report.slat_percentiles = report.slat_percentiles && !report.disable_slat;
}

void add_to_group(const Block& block, Group& group) {
  group.report = block.source.report;
  for (std::size_t i = 0; i < k_series; ++i) {
    const DirectionSummary& direction = block.directions[i];
    if (!block.shows(i) || direction.runtime_ms == 0) continue;
    const double rate = direction.bytes_per_second();
    std::optional<GroupDirection>& into = group.directions[i];
    if (!into) {
      into = GroupDirection{.bytes = {},
                            .min = rate,
                            .max = rate,
                            .shortest_ms = direction.runtime_ms,
                            .longest_ms = direction.runtime_ms};
    }
    into->bytes += direction.bytes;
    into->min = std::min(into->min, rate);
    into->max = std::max(into->max, rate);
    into->shortest_ms = std::min(into->shortest_ms, direction.runtime_ms);
    into->longest_ms = std::max(into->longest_ms, direction.runtime_ms);
  }
}

std::vector<Group> groups_of(const std::vector<Block>& blocks) {
  std::vector<Group> groups;
  for (const Block& block : blocks) {
    auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
      return group.number == block.source.group;
    });
    if (found == groups.end()) {
      groups.push_back({.number = block.source.group, .report = {}, .directions = {}});
      found = groups.end() - 1;
    }
    add_to_group(block, *found);
  }
  for (Group& group : groups) {
    for (auto& direction : group.directions) {
      if (!direction) continue;
      direction->bytes_per_second = static_cast<double>(direction->bytes.count()) * 1000 /
                                    static_cast<double>(direction->longest_ms);
    }
  }
  return groups;
}

void set_shares_of_group(const std::vector<Group>& groups, std::vector<Block>& blocks) {
  for (Block& block : blocks) {
    for (const Group& group : groups) {
      if (group.number != block.source.group) continue;
      for (std::size_t i = 0; i < k_series; ++i) {
        DirectionSummary& direction = block.directions[i];
        const auto& sum = group.directions[i];
        if (!sum || sum->bytes_per_second <= 0 || direction.bandwidth.samples == 0) continue;
        direction.share_of_group =
            std::min(100.0, direction.bandwidth.mean * 1024 * 100 / sum->bytes_per_second);
      }
    }
  }
}

using Places = std::set<std::pair<std::size_t, std::size_t>>;  // stage and job

// Jobs side by side see the same device: the widest view of each stage counts, and stages follow
// each other.
// `unwatched`: stage and job of those with disk_util=0.
std::vector<target::DeviceCounters> devices_of(const record::RunResult& result,
                                               const Places& unwatched) {
  std::vector<target::DeviceCounters> all;
  const auto slot = [](std::vector<target::DeviceCounters>& list,
                       const std::string& name) -> target::DeviceCounters& {
    for (target::DeviceCounters& device : list) {
      if (device.name == name) return device;
    }
    list.push_back({.name = name});
    return list.back();
  };
  for (std::size_t stage = 0; stage < result.stages.size(); ++stage) {
    std::vector<target::DeviceCounters> widest;
    const auto& jobs = result.stages[stage].jobs;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const record::JobResult& job = jobs[i];
      if (!job.block || !job.block->observed || unwatched.contains({stage, i})) continue;
      for (const target::DeviceCounters& device : job.block->observed->devices) {
        target::DeviceCounters view = device;
        // It was looked at for as long as the job ran.
        if (view.watched <= Duration()) view.watched = job.block->elapsed;
        slot(widest, view.name).widen(view);
      }
    }
    for (const target::DeviceCounters& device : widest) slot(all, device.name).add(device);
  }
  return all;
}

}  // namespace

std::string_view func_of(const record::BlockFailure& failure) {
  if (failure.text.starts_with("latency of ")) return "max latency exceeded";
  if (failure.operation == "rate") return "check_min_rate";
  return failure.operation;
}

double DirectionSummary::operations_per_second() const {
  if (runtime_ms == 0) return 0;
  return static_cast<double>(operations) * 1000 / static_cast<double>(runtime_ms);
}

double DirectionSummary::bytes_per_second() const {
  if (runtime_ms == 0) return 0;
  return static_cast<double>(bytes.count()) * 1000 / static_cast<double>(runtime_ms);
}

double busy_percent(const target::DeviceCounters& device) {
  if (device.watched <= Duration()) return 0;
  return std::min(100.0, 100 * device.busy.as_seconds() / device.watched.as_seconds());
}

bool Block::idle() const { return directions[k_mixed].issued == 0; }

bool Block::shows(std::size_t series) const {
  switch (source.report.unified_rw_reporting) {
    case UnifiedReporting::none: return series != k_mixed;
    case UnifiedReporting::mixed: return series == k_mixed;
    case UnifiedReporting::both: return true;
  }
  return true;
}

std::uint64_t percentile_ns(const record::Histogram& histogram, double percentile) {
  const double share = std::clamp(percentile, 0.0, 100.0) * 100'000;
  return static_cast<std::uint64_t>(
      histogram.quantile(static_cast<std::uint32_t>(std::lround(share))).ns());
}

LatencyShares latency_shares(const record::Histogram& histogram) {
  LatencyShares shares;
  if (histogram.empty()) return shares;
  const double total = static_cast<double>(histogram.count());
  for (std::size_t i = histogram.first_used(); i <= histogram.last_used(); ++i) {
    const std::uint64_t times = histogram.at(i);
    if (times == 0) continue;
    const std::uint64_t low = record::Histogram::lowest_of(i);
    const std::uint64_t value = low + (record::Histogram::highest_of(i) - low) / 2;
    const double percent = 100 * static_cast<double>(times) / total;
    if (value < 1000) {
      add_share(value, percent, shares.nanoseconds);
    } else if (value < 1'000'000) {
      add_share(value / 1000, percent, shares.microseconds);
    } else {
      add_share(value / 1'000'000, percent, shares.milliseconds);
    }
  }
  shares.milliseconds.back() += 100 * static_cast<double>(histogram.past_top()) / total;
  return shares;
}

SummaryBuilder::SummaryBuilder(const plan::Plan& plan) : run_(run_source(plan)) {
  std::optional<std::uint32_t> last_group;
  for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
    for (std::size_t job = 0; job < plan.stages[stage].jobs.size(); ++job) {
      const plan::Job& spec = plan.stages[stage].jobs[job];
      Member member{.stage = stage, .job = job, .source = {}, .window = {}};
      if (auto source = JobSource::from_text(spec.source)) member.source = std::move(*source);
      if (member.source.section.empty()) member.source.section = spec.name;
      settle(member.source.report);
      if (!member.source.report.stats) continue;
      member.window = {spec.start_delay + spec.stop.ramp_up, Duration::max()};
      const ReportOptions& report = member.source.report;
      const bool joins =
          !units_.empty() && member.source.group_reporting && last_group == member.source.group;
      last_group = member.source.group;
      if (!joins) {
        units_.push_back({.members = {},
                          .windows = {},
                          .bandwidth = Sampler(report.bwavgtime),
                          .iops = Sampler(report.iopsavgtime)});
      }
      units_.back().members.push_back(std::move(member));
    }
  }
  for (Unit& unit : units_) set_windows(unit);
}

void SummaryBuilder::set_windows(Unit& unit) {
  unit.windows.clear();
  for (const Member& member : unit.members) {
    const auto [at, added] = unit.windows.try_emplace(member.stage, member.window);
    at->second.begin = std::min(at->second.begin, member.window.begin);
    at->second.end = std::max(at->second.end, member.window.end);
  }
}

void SummaryBuilder::know_windows(const record::RunResult& result) {
  for (Unit& unit : units_) {
    for (Member& member : unit.members) {
      if (member.stage >= result.stages.size()) continue;
      const auto& jobs = result.stages[member.stage].jobs;
      if (member.job >= jobs.size()) continue;
      const record::JobResult& job = jobs[member.job];
      member.window = {job.window_start, job.window_start + job.window};
    }
    set_windows(unit);
  }
}

void SummaryBuilder::add(const TickCounts& tick) {
  for (Unit& unit : units_) {
    const auto window = unit.windows.find(tick.stage);
    if (window == unit.windows.end()) continue;
    std::array<Counts, plan::k_directions> counts{};
    for (const Member& member : unit.members) {
      if (member.stage != tick.stage || member.job >= tick.jobs.size()) continue;
      for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += tick.jobs[member.job][i];
    }
    const Duration begin = std::max(tick.start, window->second.begin);
    const Duration end = std::min(tick.start + tick.length, window->second.end);
    const Duration covered = std::max(Duration(), end - begin);
    unit.bandwidth.add(covered, counts);
    unit.iops.add(covered, counts);
  }
}

Summary SummaryBuilder::build(const plan::Plan& plan, const record::RunResult& result,
                              WallTime at) const {
  Summary summary{.at = at, .run = run_, .blocks = {}, .groups = {}, .devices = {}};
  for (const Unit& unit : units_) {
    Block& block = summary.blocks.emplace_back();
    block.source = unit.members.front().source;
    block.members = static_cast<std::uint32_t>(unit.members.size());
    Totals totals;
    for (const Member& member : unit.members) {
      if (member.stage >= result.stages.size()) continue;
      const auto& jobs = result.stages[member.stage].jobs;
      if (member.job >= jobs.size()) continue;
      add_job(plan.stages[member.stage].jobs[member.job], jobs[member.job], block, totals);
    }
    finish_block(totals, block);
    for (std::size_t i = 0; i < k_series; ++i) {
      DirectionSummary& direction = block.directions[i];
      if (direction.issued == 0 || block.source.report.disable_bw) continue;
      direction.bandwidth = unit.bandwidth.bandwidth(i);
      direction.iops = unit.iops.operations(i);
    }
  }
  summary.groups = groups_of(summary.blocks);
  set_shares_of_group(summary.groups, summary.blocks);
  std::set<std::pair<std::size_t, std::size_t>> unwatched;
  for (const Unit& unit : units_) {
    for (const Member& member : unit.members) {
      if (!member.source.report.disk_util) unwatched.emplace(member.stage, member.job);
    }
  }
  summary.devices = devices_of(result, unwatched);
  return summary;
}

Summary summary_of(const store::StoredRun& run) {
  SummaryBuilder builder(run.plan());
  builder.know_windows(run.result());
  // Where the file of ticks is damaged there are fewer samples, and all else stands.
  const Result<void> read =
      run.for_each_tick([&](const store::TickRow& row) { builder.add(counts_of(row)); });
  static_cast<void>(read);
  const WallTime ended = run.result().ended;
  return builder.build(run.plan(), run.result(), ended > WallTime() ? ended : WallTime::now());
}

}  // namespace loadline::dialects::fio::output
