#include "engine/stage.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <iterator>
#include <latch>
#include <mutex>
#include <thread>

#include "engine/block_process.h"
#include "engine/block_result.h"
#include "engine/block_worker.h"
#include "engine/job_board.h"
#include "engine/job_state.h"
#include "engine/job_times.h"
#include "engine/stream_worker.h"
#include "engine/worker.h"
#include "plan/result_operations.h"
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
  // Of a job on blocks, which opens its session itself: here, or in a process of its own.
  std::unique_ptr<BlockWorker> block{};
  std::unique_ptr<BlockProcess> process{};
  std::unique_ptr<StreamWorker> stream{};
  Worker::Report report;
  Duration wall;
  Instant ended;
  bool over = false;  // guarded by StageRun's mutex_, like all above it until then

  // Null where the job is not on blocks.
  const BlockWorker::Report* block_report() const {
    if (process) return &process->report();
    return block ? &block->report() : nullptr;
  }
  bool gave_up() const { return !over || (process && process->gave_up()); }
};

std::uint32_t threads_of(const plan::Job& job, const target::Capabilities& can,
                         std::uint32_t fair_share) {
  if (job.block) return 1;
  if (job.stream) return StreamJob::threads_of(job);
  return can.blocking ? job.workers : std::min(job.workers, std::max(fair_share, 1U));
}

class StageRun {
 public:
  explicit StageRun(StageOptions options) : options_(std::move(options)) {}

  Result<void> prepare();
  StageOutcome run();
  bool cut_short() const { return cut_short_; }

 private:
  Result<void> prepare_job(std::size_t index, std::uint32_t threads);
  void prepare_block(std::size_t index, std::uint64_t seed);
  Result<void> prepare_stream(std::size_t index);
  bool start_processes();
  void work(Thread& thread, Instant start);
  bool wait_for_turn(std::size_t index, Instant start);
  void live(Thread& thread);
  void collect(record::Collector& collector);
  bool given_up_on(Instant now);
  std::string waited_for();
  record::JobResult result_of(std::size_t job, const record::Collector& collector) const;

  const StageOptions options_;
  std::optional<JobBoard> board_;
  std::vector<std::unique_ptr<JobState>> states_;    // null where a job has no mix
  std::vector<std::unique_ptr<StreamJob>> streams_;  // null where a job is on no streams
  std::vector<Thread> threads_;
  ProcessMessages messages_;
  record::Bell bell_;
  std::mutex mutex_;
  std::condition_variable job_ended_;
  std::size_t running_ = 0;           // guarded by mutex_
  std::vector<std::size_t> working_;  // threads of each job, guarded by mutex_
  std::size_t preparing_ = 0;         // guarded by mutex_
  std::optional<std::latch> ready_;
  std::vector<std::jthread> running_threads_;
  Instant start_;
  Instant stop_seen_;
  bool told_ = false;       // what a stop waits for
  bool cut_short_ = false;  // stopped before all processes were started
};

Result<void> StageRun::prepare() {
  const auto& jobs = options_.stage->jobs;
  auto board = JobBoard::make(*options_.stage);
  if (!board) return propagate(board);
  board_.emplace(std::move(*board));
  const std::uint32_t cores = options_.clock->simulated() ? 1 : options_.threads;
  const auto fair_share = static_cast<std::uint32_t>(cores / jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const auto prepared =
        prepare_job(i, threads_of(jobs[i], options_.targets[i]->capabilities(), fair_share));
    if (!prepared) return prepared;
  }
  cut_short_ = !start_processes();
  return {};
}

// All of them before the stage has a thread: a process starts as a copy of the one thread that
// forks it. False where a stop came meanwhile: the stage does not begin.
bool StageRun::start_processes() {
  for (Thread& thread : threads_) {
    if (!thread.process) continue;
    if (options_.stop.stop_requested()) return false;
    const auto started = thread.process->start(messages_);
    if (!started) thread.block->refuse(started.error());
    // A job that cannot begin needs no process to say so.
    if (!started) thread.process.reset();
  }
  // Not between two forks: each process would sort the freed memory of all before it for itself,
  // and so have a copy of its pages.
  for (Thread& thread : threads_) {
    if (thread.process) thread.block.reset();
  }
  return true;
}

Result<void> StageRun::prepare_job(std::size_t index, std::uint32_t threads) {
  const plan::Job& job = options_.stage->jobs[index];
  if (threads_.size() + threads > k_threads_max) {
    return fail(ErrorCode::bad_input,
                "the target needs a thread per worker: at most " + std::to_string(k_threads_max) +
                    " workers a stage",
                job.name);
  }
  // Jobs that name the same seed still differ by their place.
  const std::uint64_t whole = job.block && job.block->seed ? *job.block->seed : options_.seed;
  const std::uint64_t seed = whole + 0x9e3779b97f4a7c15ULL * (options_.index * 64 + index + 1);
  streams_.emplace_back();
  if (job.block || job.stream) states_.emplace_back();
  if (job.stream) return prepare_stream(index);
  if (job.block) {
    prepare_block(index, seed);
    return {};
  }
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

void StageRun::prepare_block(std::size_t index, std::uint64_t seed) {
  Thread thread{.job = index};
  std::uint32_t sharers = 0;
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < options_.stage->jobs.size(); ++i) {
    const plan::Job& other = options_.stage->jobs[i];
    if (!other.block || !other.block->buffers.dedupe_global) continue;
    if (i < index) ++rank;
    ++sharers;
  }
  thread.mailbox = std::make_unique<record::Mailbox>(&bell_);
  const BlockWorker::Options options{
      .job = &options_.stage->jobs[index],
      .index = static_cast<std::uint32_t>(index),
      .target = options_.targets[index],
      .clock = options_.clock,
      .mailbox = thread.mailbox.get(),
      .worker = WorkerId(static_cast<std::uint32_t>(threads_.size())),
      .seed = seed,
      .shared_seed = options_.seed,
      .sharers = sharers,
      .rank = rank,
      .tick = options_.tick,
      .drain = options_.drain,
      .stop = options_.stop,
      .told_to_end = board_->told(index),
      .flow = board_->flow(index)};
  thread.block = std::make_unique<BlockWorker>(options);
  if (index < options_.refused.size() && options_.refused[index]) {
    thread.block->refuse(*options_.refused[index]);
  } else if (BlockProcess::possible(*options.job, *options.clock)) {
    thread.process = std::make_unique<BlockProcess>(
        options, BlockProcess::Patience{.until_killed = options_.drain});
  }
  threads_.push_back(std::move(thread));
}

// Every worker has a thread and a session, whatever the target: a stream is one call after another.
Result<void> StageRun::prepare_stream(std::size_t index) {
  streams_[index] =
      std::make_unique<StreamJob>(StreamJob::Options{.job = &options_.stage->jobs[index],
                                                     .content = options_.content,
                                                     .seed = options_.seed,
                                                     .stop = options_.stop,
                                                     .told_to_end = board_->told(index)});
  for (std::uint32_t worker = 0; worker < streams_[index]->threads(); ++worker) {
    Thread thread{.job = index, .first_worker = worker};
    thread.mailbox = std::make_unique<record::Mailbox>(&bell_);
    auto session = options_.targets[index]->open_session(
        {.worker = WorkerId(static_cast<std::uint32_t>(threads_.size())),
         .job = static_cast<std::uint32_t>(index),
         .clock = options_.clock,
         .seed = options_.seed + worker});
    if (!session) return propagate(session);
    thread.session = std::move(*session);
    thread.stream =
        std::make_unique<StreamWorker>(StreamWorker::Options{.job = streams_[index].get(),
                                                             .session = thread.session.get(),
                                                             .clock = options_.clock,
                                                             .mailbox = thread.mailbox.get(),
                                                             .worker = worker,
                                                             .tick = options_.tick});
    threads_.push_back(std::move(thread));
  }
  return {};
}

StageOutcome StageRun::run() {
  std::vector<std::size_t> ops_of_job;
  for (const plan::Job& job : options_.stage->jobs) {
    ops_of_job.push_back(plan::result_operations(job).size());
  }
  record::Collector collector(
      {.stage = options_.index, .tick = options_.tick, .ops_of_job = ops_of_job});
  for (Thread& thread : threads_) collector.add_worker(thread.job, *thread.mailbox);

  ready_.emplace(static_cast<std::ptrdiff_t>(threads_.size()) + 1);
  running_ = preparing_ = threads_.size();
  working_.resize(states_.size());
  for (const Thread& thread : threads_) ++working_[thread.job];
  start_ = options_.clock->now();
  for (Thread& thread : threads_) {
    running_threads_.emplace_back([this, &thread] { live(thread); });
  }
  collect(collector);
  bool left_threads = false;
  {
    const std::scoped_lock lock(mutex_);
    left_threads = running_ > 0;
  }
  for (std::jthread& thread : running_threads_) left_threads ? thread.detach() : thread.join();
  messages_.pass_on();
  // A thread that was left and ends now after all waits for what follows.
  const std::scoped_lock lock(mutex_);

  StageOutcome outcome;
  outcome.elapsed = options_.clock->now() - start_;
  collector.finish(*options_.ticks, outcome.elapsed);
  outcome.stopped = options_.stop.stop_requested();
  outcome.left_threads = left_threads;
  outcome.storage_hangs = std::ranges::any_of(threads_, &Thread::gave_up);
  outcome.ends_run = board_->ends_run();
  for (std::size_t i = 0; i < states_.size(); ++i) {
    outcome.jobs.push_back(result_of(i, collector));
    if (states_[i] && states_[i]->given_up() && !outcome.given_up) {
      outcome.given_up = states_[i]->reason();
    }
  }
  return outcome;
}

void StageRun::live(Thread& thread) {
  if (thread.block) thread.block->prepare();
  if (thread.process) thread.process->prepare();
  if (thread.stream) thread.stream->prepare();
  {
    const std::scoped_lock lock(mutex_);
    --preparing_;
    bell_.ring();
  }
  ready_->arrive_and_wait();
  work(thread, start_);
  const std::scoped_lock lock(mutex_);
  thread.over = true;
  --running_;
  --working_[thread.job];
  job_ended_.notify_all();
  bell_.ring();
}

void StageRun::work(Thread& thread, Instant start) {
  const bool its_turn = wait_for_turn(thread.job, start);
  const Instant begun = options_.clock->now();
  if (thread.block || thread.process) {
    thread.process ? thread.process->run(start) : thread.block->run(start);
    thread.ended = options_.clock->now();
    thread.wall = thread.ended - begun;
    board_->ended(thread.job, thread.block_report()->counters.failure.error != 0);
    return;
  }
  if (!its_turn) {
    thread.mailbox->pass(UINT64_MAX);
    thread.ended = begun;
    return;
  }
  if (thread.stream) {
    thread.stream->run(start);
    thread.report = thread.stream->report();
  } else {
    Worker worker(*states_[thread.job], *thread.session, *thread.mailbox, *options_.clock,
                  {.first_worker = thread.first_worker,
                   .slots = thread.slots,
                   .start = start,
                   .tick = options_.tick,
                   .drain = options_.drain,
                   .stop = options_.stop});
    worker.run();
    thread.report = worker.report();
  }
  thread.ended = options_.clock->now();
  thread.wall = thread.ended - begun;
}

// After the job it waits for and its delay; false where it was to end before.
bool StageRun::wait_for_turn(std::size_t index, Instant start) {
  const plan::Job& job = options_.stage->jobs[index];
  const std::atomic<std::uint32_t>* told = board_->told(index);
  const auto over = [&] {
    return options_.stop.stop_requested() || (told != nullptr && told->load() != 0);
  };
  constexpr auto k_look_around = std::chrono::milliseconds(50);
  if (!job.after.empty()) {
    const auto ended = [&] {
      for (std::size_t i = 0; i < states_.size(); ++i) {
        if (options_.stage->jobs[i].name == job.after && working_[i] > 0) return false;
      }
      return true;
    };
    std::unique_lock lock(mutex_);
    while (!job_ended_.wait_for(lock, k_look_around, ended)) {
      if (over()) return false;
    }
    start = options_.clock->now();
  }
  const Instant due = start + job.start_delay;
  for (Instant now = options_.clock->now(); now < due; now = options_.clock->now()) {
    if (over()) return false;
    options_.clock->sleep_until(std::min(due, now + Duration::milliseconds(50)));
  }
  return true;
}

// Lets them begin when all are prepared, and takes what they count until all have ended or are
// given up.
void StageRun::collect(record::Collector& collector) {
  bool begun = false;
  while (true) {
    bell_.wait();
    {
      const std::scoped_lock lock(mutex_);
      if (running_ == 0 || given_up_on(options_.clock->now())) return;
      if (preparing_ > 0) continue;
    }
    if (begun) {
      collector.pull(*options_.ticks);
      continue;
    }
    begun = true;
    start_ = options_.clock->now();
    ready_->count_down();
  }
}

// Those still running are given up where they go on long after a stop.
bool StageRun::given_up_on(Instant now) {
  constexpr Duration k_soon = Duration::seconds(1);
  // Processes are killed and left before that.
  constexpr Duration k_grace = Duration::seconds(3);
  if (options_.clock->simulated() || !options_.stop.stop_requested()) return false;
  if (!stop_seen_.stamped()) stop_seen_ = now;
  if (!told_ && options_.waiting && now >= stop_seen_ + k_soon) {
    told_ = true;
    options_.waiting(waited_for());
  }
  return now >= stop_seen_ + options_.drain + k_grace;
}

std::string StageRun::waited_for() {
  std::string names;
  std::size_t count = 0;
  for (const Thread& thread : threads_) {
    if (thread.over) continue;
    ++count;
    constexpr std::size_t k_named = 3;
    const std::string& name = options_.stage->jobs[thread.job].name;
    if (count <= k_named) names += (count > 1 ? ", " : "") + name;
    if (count == k_named + 1) names += ", ...";
  }
  return "stopping: " + std::to_string(count) + (count == 1 ? " worker" : " workers") + " (" +
         names + ") still waiting for the storage to answer; the run ends within " +
         std::to_string(options_.drain.ns() / 1'000'000'000) +
         " s all the same, a second signal ends it at once";
}

record::JobResult StageRun::result_of(std::size_t job, const record::Collector& collector) const {
  const plan::Job& spec = options_.stage->jobs[job];
  record::JobResult result{.name = spec.name,
                           .label = spec.label,
                           .workers = spec.workers,
                           .target = spec.target.type,
                           .target_says = options_.targets[job]->describe()};
  for (plan::ResultOperation& op : plan::result_operations(spec)) {
    result.ops.push_back({.name = std::move(op.name),
                          .label = std::move(op.label),
                          .action = op.action,
                          .stats = collector.totals()[job][result.ops.size()]});
  }
  for (const Thread& thread : threads_) {
    if (thread.job != job || thread.block_report() == nullptr) continue;
    if (thread.over) result.client.wall = thread.wall;
    add_block(spec, thread.over ? *thread.block_report() : report_of_left(), start_, result);
    if (result.window == Duration() && !thread.over) result.window = options_.clock->now() - start_;
    return result;
  }
  Instant first = Instant::max();
  Instant last;
  Instant ended;
  Duration wall;
  std::uint64_t without_hash = 0;
  for (const Thread& thread : threads_) {
    if (thread.job != job) continue;
    if (!thread.over) {
      result.in_flight_at_end += thread.slots;
      continue;
    }
    if (thread.stream) std::ranges::copy(thread.stream->files(), std::back_inserter(result.files));
    const Worker::Report& report = thread.report;
    first = std::min(first, report.first_issued);
    last = std::max(last, report.last_done);
    wall = std::max(wall, thread.wall);
    ended = std::max(ended, thread.ended);
    without_hash += report.without_hash;
    add_load(report, result);
  }
  result.client.wall = wall;
  if (spec.pace.arrival != plan::Arrival::closed) result.offered = spec.pace.rate;
  result.window = window_of(spec.stop, {start_, first, last, ended}, result);
  if (streams_[job]) result.remarks = streams_[job]->remarks();
  if (without_hash > 0) {
    result.remarks.push_back(std::to_string(without_hash) + " reads with hashCheck found no hash");
  }
  // As they ended, whoever moved them.
  std::ranges::sort(result.files, {}, [](const record::StreamFile& file) {
    return std::pair(file.begin + file.open + file.transfer, file.number);
  });
  return result;
}

}  // namespace

Result<StageOutcome> run_stage(const StageOptions& options) {
  auto run = std::make_unique<StageRun>(options);
  const auto prepared = run->prepare();
  if (!prepared)
    return fail(prepared.error().code, prepared.error().what, prepared.error().context);
  // Nothing has begun: processes that were started go with the run.
  if (run->cut_short()) return StageOutcome{.stopped = true};
  StageOutcome outcome = run->run();
  // Its threads use it until the process ends.
  if (outcome.left_threads) {
    [[maybe_unused]] const StageRun* left = run.release();
  }
  return outcome;
}

}  // namespace loadline::engine
