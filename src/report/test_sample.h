// For tests and for looking at reports: a made-up run of the usual five stages with every feature
// that a report shows. The same bytes every time.
#pragma once

#include <string>
#include <vector>

#include "base/rng.h"
#include "plan/plan.h"
#include "record/run_result.h"
#include "store/stored_run.h"

namespace loadline::report::test {

struct Sample {
  plan::Plan plan;
  record::RunResult result;
  std::vector<store::TickRow> ticks;
};

inline plan::OpSpec op_spec(std::string name, plan::Action action, std::uint32_t share) {
  plan::OpSpec op;
  op.name = op.label = std::move(name);
  op.action = action;
  op.share_percent = share;
  op.container = {"mycontainers", "", plan::Selector::range(1, 2)};
  op.object = {"myobjects", "", plan::Selector::range(1, 50)};
  if (plan::is_write(action)) {
    op.size = plan::SizeSpec{.value = plan::Selector::constant(64), .unit = Bytes(1000)};
  }
  return op;
}

inline plan::Job job_spec(std::string name, std::vector<plan::OpSpec> ops) {
  plan::Job job;
  job.name = std::move(name);
  job.target.type = "s3";
  job.target.parameters.set("endpoint", "http://127.0.0.1:29998");
  job.target.parameters.set("secretkey", "REDACTED");
  job.workers = 8;
  job.ops = std::move(ops);
  job.stop.one_pass = plan::is_walk(job.ops[0].action);
  return job;
}

inline plan::Stage stage_spec(std::string id, std::vector<plan::Job> jobs) {
  plan::Stage stage;
  stage.name = id.substr(3);
  stage.id = std::move(id);
  stage.jobs = std::move(jobs);
  return stage;
}

// `count` latencies around `typical`, with a tail of one in a hundred ten times as long.
inline void fill(record::Histogram& h, std::uint64_t count, Duration typical, Rng& rng) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const double factor = 0.6 + 0.3 * rng.exponential() + (rng.below(100) == 0 ? 9.0 : 0.0);
    h.add(Duration::from_seconds(typical.as_seconds() * factor));
  }
}

inline record::OpResult op_result(const plan::OpSpec& spec, std::uint64_t ok, Bytes each,
                                  Duration typical, Rng& rng) {
  record::OpResult op;
  op.name = spec.name;
  op.label = spec.label;
  op.action = spec.action;
  op.stats.outcomes[0] = ok;
  op.stats.bytes = each * ok;
  fill(op.stats.service, ok, typical, rng);
  return op;
}

inline record::JobResult job_result(const plan::Job& spec, Duration window) {
  record::JobResult job;
  job.name = spec.name;
  job.workers = spec.workers;
  job.target = spec.target.type;
  job.window = window;
  job.client.threads = 2;
  job.client.wall = window;
  job.client.cpu_of_threads = window / 2;
  job.client.cpu_of_busiest = window / 3;
  return job;
}

inline record::StageResult stage_result(const plan::Stage& spec, WallTime started,
                                        Duration elapsed) {
  record::StageResult stage;
  stage.id = spec.id;
  stage.name = spec.name;
  stage.state = record::StageState::completed;
  stage.started = started;
  stage.ended = started + elapsed;
  stage.elapsed = elapsed;
  return stage;
}

// One operation in one tick: its share of what was counted, slower and failing in a dip.
inline store::OpTick op_tick(const record::OpStats& stats, double share, bool measured, bool dip,
                             Rng& rng) {
  store::OpTick tick;
  const auto part = [&](std::uint64_t n) {
    return static_cast<std::uint64_t>(static_cast<double>(n) * share);
  };
  if (!measured) {
    tick.outside = part(stats.samples());
    return tick;
  }
  tick.successes = part(stats.successes());
  tick.failures = dip ? part(stats.failure_count() * 10) : 0;
  tick.bytes = Bytes(part(stats.bytes.count()));
  const double slow = (0.9 + 0.2 * rng.unit()) * (dip ? 4.0 : 1.0);
  const auto slowed = [&](std::uint32_t quantile) {
    return Duration::from_seconds(stats.latency().quantile(quantile).as_seconds() * slow);
  };
  tick.p50 = slowed(5'000'000);
  tick.p99 = slowed(9'900'000);
  tick.max = slowed(9'999'000);
  return tick;
}

// Spreads what a stage counted evenly over its ticks, with a dip in the middle.
inline void add_ticks(Sample& sample, std::uint32_t stage, Rng& rng) {
  const record::StageResult& result = sample.result.stages[stage];
  const Duration second = Duration::seconds(1);
  const auto ticks = (result.elapsed.ns() + second.ns() - 1) / second.ns();
  for (std::int64_t t = 0; t < ticks; ++t) {
    store::TickRow row;
    row.stage = stage;
    row.index = static_cast<std::uint64_t>(t);
    row.start = second * t;
    row.length = std::min(second, result.elapsed - row.start);
    row.ended = result.started + row.start + row.length;
    const bool dip = ticks > 10 && t * 2 / ticks == 1 && t < ticks / 2 + ticks / 10;
    for (const record::JobResult& job : result.jobs) {
      std::vector<store::OpTick>& ops = row.jobs.emplace_back();
      for (const record::OpResult& op : job.ops) {
        const double share = row.length.as_seconds() / job.window.as_seconds() *
                             (0.95 + 0.1 * rng.unit()) * (dip ? 0.3 : 1.0);
        ops.push_back(op_tick(op.stats, share, row.start >= job.window_start, dip, rng));
      }
    }
    sample.ticks.push_back(std::move(row));
  }
}

inline plan::Plan sample_plan() {
  using plan::Action;
  plan::Plan plan;
  plan.name = "s3-sample";
  plan.description = "sample benchmark for s3";
  plan.dialect = "cosbench";
  plan.seed = 42;
  plan.stages = {
      stage_spec("s1-init", {job_spec("init", {op_spec("init", Action::prepare, 100)})}),
      stage_spec("s2-prepare", {job_spec("prepare", {op_spec("prepare", Action::prepare, 100)})}),
      stage_spec("s3-main", {job_spec("main", {op_spec("read", Action::read, 80),
                                               op_spec("write", Action::write, 20)}),
                             job_spec("paced", {op_spec("head", Action::head, 100)})}),
      stage_spec("s4-cleanup", {job_spec("cleanup", {op_spec("cleanup", Action::cleanup, 100)})}),
      stage_spec("s5-dispose", {job_spec("dispose", {op_spec("dispose", Action::cleanup, 100)})}),
  };
  plan::OpSpec& init = plan.stages[0].jobs[0].ops[0];
  init.object.index.reset();
  init.size.reset();
  init.create_containers = true;
  for (plan::Job& job : plan.stages[2].jobs) {
    job.stop.ramp_up = Duration::seconds(5);
    job.stop.runtime = Duration::seconds(30);
  }
  plan.stages[2].jobs[1].pace = {plan::Arrival::poisson, Rate::per_second(200)};
  return plan;
}

inline void add_failures(record::OpStats& reads, Rng& rng) {
  reads.count_failure(target::Outcome::not_found, 404, "mycontainers1", "myobjects7", "NoSuchKey");
  reads.count_failure(target::Outcome::throttled, 503, "mycontainers2", "myobjects50", "SlowDown");
  reads.failures[0].times = 12;
  reads.failures[1].times = 240;
  reads.outcomes[static_cast<std::size_t>(target::Outcome::not_found)] = 12;
  reads.outcomes[static_cast<std::size_t>(target::Outcome::throttled)] = 240;
  fill(reads.failed, 252, Duration::milliseconds(1), rng);
}

inline void add_stages(Sample& s, Rng& rng) {
  struct Counted {
    std::uint64_t ok;
    Bytes each;
    Duration typical;
  };
  const Bytes size(64'000);
  const std::vector<Counted> counted = {
      {2, Bytes(), Duration::milliseconds(1)},     {100, size, Duration::milliseconds(20)},
      {40'000, size, Duration::milliseconds(4)},   {10'000, size, Duration::milliseconds(9)},
      {6'000, Bytes(), Duration::milliseconds(1)}, {100, Bytes(), Duration::milliseconds(2)},
      {2, Bytes(), Duration::milliseconds(1)}};
  const std::vector<Duration> lengths = {Duration::milliseconds(4), Duration::milliseconds(312),
                                         Duration::seconds(35), Duration::milliseconds(95),
                                         Duration::milliseconds(3)};
  WallTime at = s.result.started;
  std::size_t op = 0;
  for (std::size_t i = 0; i < s.plan.stages.size(); ++i) {
    record::StageResult& stage =
        s.result.stages.emplace_back(stage_result(s.plan.stages[i], at, lengths[i]));
    at = at + lengths[i];
    for (const plan::Job& spec : s.plan.stages[i].jobs) {
      record::JobResult& job = stage.jobs.emplace_back(job_result(spec, lengths[i]));
      for (const plan::OpSpec& op_spec : spec.ops) {
        const Counted& c = counted.at(op++);
        job.ops.push_back(op_result(op_spec, c.ok, c.each, c.typical, rng));
      }
    }
  }
  record::OpStats& init = s.result.stages[0].jobs[0].ops[0].stats;
  init.clear();
  init.container_ops = 2;
  s.result.ended = at;
  s.result.elapsed = at - s.result.started;
}

// Five stages; the main one reads, writes and has failures, and a second job is paced.
inline Sample sample_run() {
  Sample s;
  s.plan = sample_plan();
  s.result.state = record::RunState::finished;
  s.result.submitted = s.result.started = WallTime::from_ns(1'790'000'000'000'000'000);
  Rng rng(7);
  add_stages(s, rng);

  std::vector<record::JobResult>& main = s.result.stages[2].jobs;
  for (record::JobResult& job : main) {
    job.window_start = Duration::seconds(5);
    job.window = Duration::seconds(30);
    job.target_says = "Loadline";
  }
  main[0].in_flight_at_end = 8;
  main[0].oldest_in_flight = Duration::milliseconds(7);
  add_failures(main[0].ops[0].stats, rng);
  main[1].offered = Rate::per_second(200);
  fill(main[1].ops[0].stats.response, 6'000, Duration::milliseconds(3), rng);

  s.result.verdicts = {{"client_bound", record::Verdict::Level::warning, "s3-main, job main",
                        "the worker threads spent 87 % of the time on the CPU, the busiest one 93 "
                        "%: the storage may "
                        "be faster than this; give it more --threads"},
                       {"first_error", record::Verdict::Level::note, "s3-main, job main",
                        "252 of 40252 read operations failed, mostly throttled (503)"}};
  s.result.context = {{"loadline", "0.1.0, Release, g++ 12.2.0"},
                      {"host", "bench1"},
                      {"kernel", "Linux 6.1.0"},
                      {"cpu", "Intel(R) Xeon(R), 2 cores"},
                      {"seed", "42"},
                      {"command line", "loadline run s3-sample.xml"}};
  for (std::uint32_t i = 0; i < 5; ++i) add_ticks(s, i, rng);
  return s;
}

}  // namespace loadline::report::test
