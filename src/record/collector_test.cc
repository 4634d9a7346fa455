#include "record/collector.h"

#include <gtest/gtest.h>

#include "base/rng.h"

namespace loadline::record {
namespace {

constexpr Instant k_start = Instant::from_ns(5'000'000'000);
constexpr WallTime k_wall = WallTime::from_ns(1'700'000'000'000'000'000);

class Ticks final : public TickSink {
 public:
  void consume(const Tick& tick) override { seen.push_back(tick); }

  OpStats sum(std::size_t job, std::size_t op) const {
    OpStats total;
    for (const Tick& tick : seen) total.merge(tick.jobs[job][op]);
    return total;
  }
  Duration length() const {
    Duration total;
    for (const Tick& tick : seen) total += tick.length;
    return total;
  }
  void expect_gapless() const {
    Duration until;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      EXPECT_EQ(seen[i].index, i);
      EXPECT_EQ(seen[i].start, until);
      until += seen[i].length;
      EXPECT_EQ(seen[i].ended, k_wall + until);
    }
  }

  std::vector<Tick> seen;
};

struct Worker {
  Mailbox mailbox;
  Recorder recorder{{.ops = 2, .start = k_start}, mailbox};

  void sample(std::uint32_t op, std::int64_t done_ms) {
    const Instant done = k_start + Duration::milliseconds(done_ms);
    recorder.record(
        {.op = op, .bytes = Bytes(10), .issued = done - Duration::milliseconds(1), .done = done});
  }
  void roll(std::int64_t ms) { recorder.roll(k_start + Duration::milliseconds(ms)); }
};

Collector collector_of(std::vector<std::size_t> ops_of_job) {
  return Collector({.stage = 3, .ops_of_job = std::move(ops_of_job), .started = k_wall});
}

class FakeLoad final : public LoadSource {
 public:
  WorkerLoad load() const override {
    return {.depth = {0, 7}, .cpu_user = Duration::milliseconds(30), .context_switches = 2};
  }
};

TEST(Collector, tells_what_the_workers_of_a_job_cost_so_far) {
  const FakeLoad load;
  Mailbox mailbox_a;
  Mailbox mailbox_b;
  Recorder a({.ops = 1, .start = k_start, .load = &load}, mailbox_a);
  Recorder b({.ops = 1, .start = k_start, .load = &load}, mailbox_b);
  Ticks ticks;
  Collector collector = collector_of({1, 1});
  collector.add_worker(1, mailbox_a);
  collector.add_worker(1, mailbox_b);
  a.roll(k_start + Duration::milliseconds(1100));
  b.roll(k_start + Duration::milliseconds(1100));
  collector.pull(ticks);
  ASSERT_EQ(ticks.seen.size(), 1U);
  ASSERT_EQ(ticks.seen[0].loads.size(), 2U);
  EXPECT_EQ(ticks.seen[0].loads[0].context_switches, 0U);
  EXPECT_EQ(ticks.seen[0].loads[1].context_switches, 4U);
  EXPECT_EQ(ticks.seen[0].loads[1].depth[1], 14U);
  EXPECT_EQ(ticks.seen[0].loads[1].cpu_user, Duration::milliseconds(60));
}

TEST(Collector, passes_a_tick_on_when_every_worker_has_passed_it) {
  Worker a;
  Worker b;
  Ticks ticks;
  Collector collector = collector_of({2});
  collector.add_worker(0, a.mailbox);
  collector.add_worker(0, b.mailbox);
  a.sample(0, 100);
  a.sample(1, 1100);
  collector.pull(ticks);
  EXPECT_TRUE(ticks.seen.empty());
  b.roll(1000);
  collector.pull(ticks);
  ASSERT_EQ(ticks.seen.size(), 1U);
  EXPECT_EQ(ticks.seen[0].stage, 3U);
  EXPECT_EQ(ticks.seen[0].jobs[0][0].successes(), 1U);
  EXPECT_EQ(ticks.seen[0].jobs[0][1].successes(), 0U);
}

TEST(Collector, idle_ticks_are_rows_of_zeros) {
  Worker a;
  Ticks ticks;
  Collector collector = collector_of({2});
  collector.add_worker(0, a.mailbox);
  a.sample(0, 500);
  a.sample(0, 4500);
  a.recorder.finish();
  collector.finish(ticks, Duration::milliseconds(4700));
  ASSERT_EQ(ticks.seen.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(ticks.seen[i].jobs[0][0].successes(), i == 0 || i == 4 ? 1U : 0U);
  }
  ticks.expect_gapless();
  EXPECT_EQ(ticks.length(), Duration::milliseconds(4700));
}

TEST(Collector, ticks_add_up_to_the_totals) {
  Rng rng(11);
  std::vector<Worker> workers(5);
  Ticks ticks;
  Collector collector = collector_of({2, 2});
  for (std::size_t i = 0; i < workers.size(); ++i) collector.add_worker(i % 2, workers[i].mailbox);
  std::uint64_t samples = 0;
  for (std::int64_t ms = 0; ms < 20'000; ms += 37) {
    Worker& worker = workers[rng.below(workers.size())];
    worker.sample(static_cast<std::uint32_t>(rng.below(2)), ms);
    ++samples;
    if (rng.below(3) == 0) workers[rng.below(workers.size())].roll(ms);
    if (rng.below(5) == 0) collector.pull(ticks);
  }
  for (Worker& worker : workers) worker.recorder.finish();
  collector.finish(ticks, Duration::milliseconds(20'500));
  std::uint64_t counted = 0;
  for (std::size_t job = 0; job < 2; ++job) {
    for (std::size_t op = 0; op < 2; ++op) {
      EXPECT_EQ(ticks.sum(job, op), collector.totals()[job][op]);
      counted += collector.totals()[job][op].successes();
    }
  }
  EXPECT_EQ(counted, samples);
  ticks.expect_gapless();
  EXPECT_EQ(ticks.length(), Duration::milliseconds(20'500));
}

TEST(Collector, late_counts_go_into_the_next_tick) {
  Worker fast;
  Worker stuck;
  Ticks ticks;
  Collector collector = collector_of({2});
  collector.add_worker(0, fast.mailbox);
  collector.add_worker(0, stuck.mailbox);
  stuck.sample(0, 100);
  for (std::int64_t second = 0; second <= 60; ++second) fast.sample(0, second * 1000 + 1);
  collector.pull(ticks);
  // The stuck worker holds back no more than k_ticks_held.
  ASSERT_EQ(ticks.seen.size(), 60 - Collector::k_ticks_held);
  EXPECT_EQ(ticks.seen[0].jobs[0][0].successes(), 1U);
  stuck.recorder.finish();
  fast.recorder.finish();
  collector.finish(ticks, Duration::seconds(61));
  EXPECT_EQ(ticks.seen[30].jobs[0][0].successes(), 2U);
  EXPECT_EQ(ticks.sum(0, 0), collector.totals()[0][0]);
  ticks.expect_gapless();
}

TEST(Collector, a_stuck_worker_does_not_hold_back_those_that_have_finished) {
  Worker done;
  Worker stuck;
  Ticks ticks;
  Collector collector = collector_of({2});
  collector.add_worker(0, done.mailbox);
  collector.add_worker(0, stuck.mailbox);
  for (std::int64_t second = 0; second < 100; ++second) done.sample(0, second * 1000 + 1);
  done.recorder.finish();
  collector.pull(ticks);
  EXPECT_EQ(ticks.seen.size(), 99 - Collector::k_ticks_held);
}

TEST(Collector, lengths_add_up_to_the_elapsed_time_whatever_it_is) {
  for (const std::int64_t elapsed_ms : {0, 1, 999, 1000, 1001, 2500, 3000}) {
    for (const bool pulled : {false, true}) {
      Worker a;
      Ticks ticks;
      Collector collector = collector_of({2});
      collector.add_worker(0, a.mailbox);
      a.sample(0, 0);
      a.sample(0, elapsed_ms);  // on the very end
      if (pulled) collector.pull(ticks);
      a.recorder.finish();
      collector.finish(ticks, Duration::milliseconds(elapsed_ms));
      EXPECT_EQ(ticks.length(), Duration::milliseconds(elapsed_ms)) << pulled;
      EXPECT_EQ(ticks.sum(0, 0).successes(), 2U) << elapsed_ms << " " << pulled;
      ticks.expect_gapless();
    }
  }
}

TEST(Collector, a_stage_without_samples_still_has_its_ticks) {
  Worker a;
  Ticks ticks;
  Collector collector = collector_of({2});
  collector.add_worker(0, a.mailbox);
  a.recorder.finish();
  collector.pull(ticks);
  collector.finish(ticks, Duration::milliseconds(2200));
  EXPECT_EQ(ticks.seen.size(), 3U);
  EXPECT_EQ(ticks.length(), Duration::milliseconds(2200));
}

}  // namespace
}  // namespace loadline::record
