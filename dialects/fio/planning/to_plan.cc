#include "dialects/fio/planning/to_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/rng.h"
#include "dialects/fio/job_source.h"
#include "dialects/fio/planning/parts.h"
#include "report/utf8.h"

namespace loadline::dialects::fio {
namespace {

constexpr std::uint64_t k_jobs_max = 8192;  // each has a thread of the driver

constexpr std::uint64_t k_seed = 0x89;  // fio's own, so that runs repeat
constexpr std::size_t k_name_max = 100;
constexpr Duration k_tick_least = Duration::milliseconds(10);
constexpr Duration k_tick_most = Duration::seconds(1);

RunSource run_source_of(const ParsedFio& parsed, bool terminal) {
  const CommandOptions& command = parsed.command;
  RunSource run;
  run.formats = command.formats.value_or(CommandOptions::Formats{.normal = true});
  run.formats.terse |= command.append_terse;
  run.terse_version = command.terse_version;
  run.output = command.output;
  run.eta = command.eta;
  run.eta_interval = command.eta_interval;
  run.eta_newline = command.eta_newline;
  run.status_interval = command.status_interval;
  run.bandwidth_log = command.bandwidth_log;
  run.terminal = terminal;
  run.global_options = without_secrets(parsed.global_options);
  return run;
}

// What becomes part of a file name: whole characters of UTF-8.
std::string file_name_of(std::string_view text) {
  std::string name;
  while (!text.empty()) {
    const report::Character next = report::first_character(text);
    if (name.size() + next.bytes > k_name_max) break;
    const bool fit = next.valid && !next.control() && text.front() != '/';
    name += fit ? text.substr(0, next.bytes) : "_";
    text.remove_prefix(next.bytes);
  }
  return name.empty() || name == "." || name == ".." ? "fio" : name;
}

// Fine enough for every row that an output wants.
Duration tick_of(const ParsedFio& parsed) {
  std::int64_t ns = k_tick_most.ns();
  const auto wants = [&](Duration row) {
    if (row > Duration()) ns = std::gcd(ns, row.ns());
  };
  for (const JobOptions& job : parsed.jobs) {
    wants(job.bwavgtime);
    wants(job.iopsavgtime);
    if (job.log_avg) wants(*job.log_avg);
    if (job.histogram_log.on && job.log_hist) wants(*job.log_hist);
  }
  return std::clamp(Duration::nanoseconds(ns), k_tick_least, k_tick_most);
}

class Planner {
 public:
  Planner(const ParsedFio& parsed, const FileView& files, const PlanningOptions& options)
      : parsed_(parsed), files_(files), replays_(files), options_(options) {}

  PlannedFio plan() {
    plan_.name = file_name_of(options_.name);
    plan_.dialect = "fio";
    plan_.tick = tick_of(parsed_);
    choose_seed();
    if (options_.files_matter) check_run_outputs(parsed_.command, files_, outputs_, findings_);
    for (const JobOptions& job : parsed_.jobs) add(job);
    if (options_.files_matter) {
      check_memory_files(parsed_.jobs, plan_, files_, findings_);
      if (!findings_.failed()) check_outputs_are_no_data(outputs_, plan_, files_, findings_);
    }
    PlannedFio planned;
    if (!findings_.failed()) planned.failed_clones = findings_.failed_clones();
    if (!findings_.failed() && planned.failed_clones == 0) planned.plan = std::move(plan_);
    planned.diagnostics = findings_.take();
    return planned;
  }

 private:
  // randseed= switches randrepeat off in fio, and is the seed all the same.
  std::uint64_t seed_of(const JobOptions& job) const {
    if (job.randseed) return *job.randseed;
    return job.randrepeat ? k_seed : options_.seed;
  }

  void choose_seed() {
    if (parsed_.jobs.empty()) return;
    plan_.seed = seed_of(parsed_.jobs.front());
  }

  void add(const JobOptions& job) {
    check_job(job, findings_);
    if (parsed_.command.readonly) check_readonly(job, findings_);
    check_http(job, findings_);
    if (options_.refuses) refuse_unsupported(job, findings_);
    const bool walled = job.stonewall || job.starts_file;
    if ((walled || job.new_group) && jobs_of_group_ > 0) {
      ++group_;
      jobs_of_group_ = 0;
    }
    if (!has_room(job)) return;
    if (plan_.stages.empty() || (walled && !plan_.stages.back().jobs.empty())) begin_stage();
    for (std::uint32_t number = 0; number < job.numjobs; ++number) {
      add_clone({.job = job,
                 .number = number,
                 .overall = overall_,
                 .readonly = parsed_.command.readonly,
                 .files_matter = options_.files_matter,
                 .so_far = &plan_,
                 .state_folder = parsed_.command.aux_path});
      ++overall_;
      ++jobs_of_group_;
      if (findings_.failed()) return;
    }
  }

  // Refused here, before as many jobs are planned.
  bool has_room(const JobOptions& job) {
    if (overall_ + std::uint64_t{job.numjobs} <= k_jobs_max) return true;
    findings_.error(job, fmt::format("error: maximum number of jobs reached: {} at most, all "
                                     "numjobs= together",
                                     k_jobs_max));
    return false;
  }

  void begin_stage() {
    const std::string id = fmt::format("stage{}", plan_.stages.size() + 1);
    plan_.stages.push_back({.id = id, .name = id});
  }

  void add_clone(const Clone& clone) {
    const JobOptions& job = clone.job;
    plan::Job out{.name = job.name, .label = std::string(word_of(job.rw))};
    out.target = target_of(job);
    out.workers = is_synchronous(job.engine) ? 1 : job.iodepth;
    out.stop = {.ramp_up = job.ramp_time, .runtime = job.runtime.value_or(Duration())};
    plan::BlockIo& block = out.block.emplace();
    block.action = action_of(job.engine);
    block.client.own_process = !job.thread;
    put_order(clone, block, findings_);
    if (job.read_iolog.empty()) {
      put_files(clone, files_, block, findings_);
    } else {
      put_replay(clone, replays_, block, findings_);
    }
    put_record(clone, block);
    put_pace(clone, block, findings_);
    put_data(clone, block, findings_);
    put_verify_state(clone, files_, block, findings_);
    put_processors(clone, files_, block, findings_);
    put_client(clone, block);
    if (is_busy(job.engine)) put_busy(clone, block, findings_);
    put_others(clone, group_, block);
    if (seed_of(job) != plan_.seed) block.seed = seed_of(job);
    out.start_delay = delay_of(clone);
    out.after = waits_for(job);
    const JobSource source = source_of(clone);
    if (options_.files_matter) {
      check_devices(clone, files_, block, findings_);
      check_outputs(clone, source, files_, block, outputs_, findings_);
    }
    out.source = source.to_text();
    plan_.stages.back().jobs.push_back(std::move(out));
  }

  Duration delay_of(const Clone& clone) const {
    const DurationRange& range = clone.job.startdelay;
    if (range.high <= range.low) return range.low;
    Rng rng = Rng::split(plan_.seed, clone.overall);
    const auto span = static_cast<std::uint64_t>((range.high - range.low).ns());
    return range.low + Duration::nanoseconds(static_cast<std::int64_t>(rng.below(span + 1)));
  }

  // A job of an earlier stage has ended by then.
  std::string waits_for(const JobOptions& job) const {
    const std::vector<plan::Job>& jobs = plan_.stages.back().jobs;
    return std::ranges::find(jobs, job.wait_for, &plan::Job::name) != jobs.end() ? job.wait_for
                                                                                 : std::string();
  }

  JobSource source_of(const Clone& clone) const {
    const JobOptions& job = clone.job;
    JobSource source{.section = job.name,
                     .group = group_,
                     .clone = clone.number,
                     .clones = job.numjobs,
                     .number = clone.overall + 1,
                     .direction = std::string(word_of(job.rw)),
                     .ioengine = job.ioengine,
                     .iodepth = job.iodepth,
                     .thread = job.thread,
                     .group_reporting = job.group_reporting,
                     .exitall = job.exitall,
                     .description = job.description,
                     .given = without_secrets(job.given),
                     .report = static_cast<const ReportOptions&>(job),  // NOLINT(*-slicing)
                     .latency_target = job.latency_target,
                     .latency_window = job.latency_window,
                     .latency_percentile = job.latency_percentile};
    const ContinueOnError& on = job.continue_on_error;
    if (writes_iolog(job)) source.write_iolog = job.write_iolog;
    source.continue_on_error = on.read || on.write || on.verify;
    if (clone.overall == 0) source.run = run_source_of(parsed_, options_.terminal);
    return source;
  }

  const ParsedFio& parsed_;
  const FileView& files_;
  Replays replays_;
  const PlanningOptions& options_;
  Findings findings_;
  std::vector<OutputFile> outputs_;
  plan::Plan plan_;
  std::uint32_t group_ = 0;
  std::uint32_t jobs_of_group_ = 0;
  std::uint32_t overall_ = 0;
};

}  // namespace

PlannedFio to_plan(const ParsedFio& parsed, const FileView& files, const PlanningOptions& options) {
  return Planner(parsed, files, options).plan();
}

}  // namespace loadline::dialects::fio
