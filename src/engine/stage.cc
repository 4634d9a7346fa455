#include "engine/stage.h"

#include <algorithm>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <thread>

#include "engine/job_state.h"
#include "engine/worker.h"
#include "record/collector.h"

namespace loadline::engine {
namespace {

// One worker thread and what it owns.
struct Thread {
  std::size_t job = 0;
  std::uint32_t first_worker = 0;
  std::uint32_t slots = 1;
  std::unique_ptr<target::Session> session;
  std::unique_ptr<record::Mailbox> mailbox;
  Worker::Report report;
  Duration wall;
  Instant ended;
};

std::uint32_t threads_of(const plan::Job& job, const target::Capabilities& can,
                         std::uint32_t fair_share) {
  return can.blocking ? job.workers : std::min(job.workers, std::max(fair_share, 1U));
}

class StageRun {
 public:
  explicit StageRun(const StageOptions& options) : options_(options) {}

  Result<void> prepare();
  StageOutcome run();

 private:
  Result<void> prepare_job(std::size_t index, std::uint32_t threads);
  void work(Thread& thread, Instant start);
  void collect(record::Collector& collector);
  record::JobResult result_of(std::size_t job, const record::Collector& collector) const;
  Duration window_of(const plan::StopRule& stop, Instant first, Instant last, Instant end,
                     record::JobResult& result) const;

  const StageOptions& options_;
  std::vector<std::unique_ptr<JobState>> states_;
  std::vector<Thread> threads_;
  record::Bell bell_;
  std::mutex mutex_;
  std::size_t running_ = 0;  // guarded by mutex_
  Instant start_;
};

Result<void> StageRun::prepare() {
  const auto& jobs = options_.stage->jobs;
  const std::uint32_t cores = options_.clock->simulated() ? 1 : options_.threads;
  const auto fair_share = static_cast<std::uint32_t>(cores / jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const auto prepared =
        prepare_job(i, threads_of(jobs[i], options_.targets[i]->capabilities(), fair_share));
    if (!prepared) return prepared;
  }
  return {};
}

Result<void> StageRun::prepare_job(std::size_t index, std::uint32_t threads) {
  const plan::Job& job = options_.stage->jobs[index];
  if (threads_.size() + threads > k_threads_max) {
    return fail(ErrorCode::bad_input,
                "the target needs a thread per worker: at most " + std::to_string(k_threads_max) +
                    " workers a stage",
                job.name);
  }
  const std::uint64_t seed =
      options_.seed + 0x9e3779b97f4a7c15ULL * (options_.index * 64 + index + 1);
  auto state = JobState::make(job, *options_.content, seed);
  if (!state) return propagate(state);
  states_.push_back(std::move(*state));
  std::uint32_t first = 0;
  for (std::uint32_t t = 0; t < threads; ++t) {
    Thread thread{.job = index, .first_worker = first};
    thread.slots = job.workers / threads + (t < job.workers % threads ? 1 : 0);
    first += thread.slots;
    thread.mailbox = std::make_unique<record::Mailbox>(&bell_);
    auto session = options_.targets[index]->open_session(
        {.worker = WorkerId(static_cast<std::uint32_t>(threads_.size())),
         .slots = thread.slots,
         .clock = options_.clock,
         .seed = seed + t});
    if (!session) return propagate(session);
    thread.session = std::move(*session);
    threads_.push_back(std::move(thread));
  }
  return {};
}

StageOutcome StageRun::run() {
  std::vector<std::size_t> ops_of_job;
  for (const plan::Job& job : options_.stage->jobs) ops_of_job.push_back(job.ops.size());
  record::Collector collector({.stage = options_.index, .ops_of_job = ops_of_job});
  for (Thread& thread : threads_) collector.add_worker(thread.job, *thread.mailbox);

  std::latch ready(static_cast<std::ptrdiff_t>(threads_.size()) + 1);
  running_ = threads_.size();
  std::vector<std::jthread> running;
  start_ = options_.clock->now();
  for (Thread& thread : threads_) {
    running.emplace_back([this, &thread, &ready] {
      ready.arrive_and_wait();
      work(thread, start_);
      const std::scoped_lock lock(mutex_);
      --running_;
      bell_.ring();
    });
  }
  start_ = options_.clock->now();
  ready.arrive_and_wait();
  collect(collector);
  running.clear();

  StageOutcome outcome;
  outcome.elapsed = options_.clock->now() - start_;
  collector.finish(*options_.ticks, outcome.elapsed);
  outcome.stopped = options_.stop.stop_requested();
  for (std::size_t i = 0; i < states_.size(); ++i) {
    outcome.jobs.push_back(result_of(i, collector));
    if (states_[i]->given_up() && !outcome.given_up) outcome.given_up = states_[i]->reason();
  }
  return outcome;
}

void StageRun::work(Thread& thread, Instant start) {
  const Instant begun = options_.clock->now();
  Worker worker(*states_[thread.job], *thread.session, *thread.mailbox, *options_.clock,
                {.first_worker = thread.first_worker,
                 .slots = thread.slots,
                 .start = start,
                 .drain = options_.drain,
                 .stop = options_.stop});
  worker.run();
  thread.report = worker.report();
  thread.ended = options_.clock->now();
  thread.wall = thread.ended - begun;
}

void StageRun::collect(record::Collector& collector) {
  while (true) {
    bell_.wait();
    {
      const std::scoped_lock lock(mutex_);
      if (running_ == 0) return;
    }
    collector.pull(*options_.ticks);
  }
}

record::JobResult StageRun::result_of(std::size_t job, const record::Collector& collector) const {
  const plan::Job& spec = options_.stage->jobs[job];
  record::JobResult result{.name = spec.name,
                           .label = spec.label,
                           .workers = spec.workers,
                           .target = spec.target.type,
                           .target_says = options_.targets[job]->describe()};
  Instant first = Instant::max();
  Instant last;
  Instant ended;
  Duration wall;
  for (const Thread& thread : threads_) {
    if (thread.job != job) continue;
    const Worker::Report& report = thread.report;
    first = std::min(first, report.first_issued);
    last = std::max(last, report.last_done);
    wall = std::max(wall, thread.wall);
    ended = std::max(ended, thread.ended);
    result.in_flight_at_end += report.in_flight_at_end;
    result.never_issued += report.never_issued;
    result.client.threads += 1;
    result.client.cpu_of_threads += report.cpu;
    result.client.cpu_of_busiest = std::max(result.client.cpu_of_busiest, report.cpu);
    result.client.loops += report.loops;
    result.client.lag_max = std::max(result.client.lag_max, report.lag_max);
    result.client.late_issues += report.late_issues;
  }
  result.client.wall = wall;
  if (spec.pace.arrival != plan::Arrival::closed) result.offered = spec.pace.rate;
  result.window = window_of(spec.stop, first, last, ended, result);
  for (std::size_t i = 0; i < spec.ops.size(); ++i) {
    result.ops.push_back({.name = spec.ops[i].name,
                          .label = spec.ops[i].label,
                          .action = spec.ops[i].action,
                          .stats = collector.totals()[job][i]});
  }
  return result;
}

// The measured time: the runtime that was asked for, or as much of it as the job used; without one,
// from the first operation to the end of the last.
Duration StageRun::window_of(const plan::StopRule& stop, Instant first, Instant last, Instant end,
                             record::JobResult& result) const {
  const bool measured = first != Instant::max();
  if (stop.runtime == Duration()) {
    if (!measured) return {};
    result.window_start = first - start_;
    return last - first;
  }
  const Instant begin = start_ + stop.ramp_up;
  result.window_start = stop.ramp_up;
  if (end >= begin + stop.runtime) return stop.runtime;
  return measured && last > begin ? last - begin : Duration();
}

}  // namespace

Result<StageOutcome> run_stage(const StageOptions& options) {
  StageRun run(options);
  const auto prepared = run.prepare();
  if (!prepared)
    return fail(prepared.error().code, prepared.error().what, prepared.error().context);
  return run.run();
}

}  // namespace loadline::engine
