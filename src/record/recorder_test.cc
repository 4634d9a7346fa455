#include "record/recorder.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace loadline::record {
namespace {

using target::Outcome;

constexpr Instant k_start = Instant::from_ns(1'000'000'000'000);

Instant at(std::int64_t ms) { return k_start + Duration::milliseconds(ms); }

Sample sample(std::int64_t issued_ms, std::int64_t done_ms) {
  return {.bytes = Bytes(100), .issued = at(issued_ms), .done = at(done_ms)};
}

Recorder::Options options(Window window = {}) {
  return {.ops = 1, .start = k_start, .window = window};
}

// Everything handed over so far, added up.
OpStats total(Mailbox& mailbox) {
  OpStats sum;
  for (const TickCounts& counts : mailbox.take().counts) sum.merge(counts.ops[0]);
  return sum;
}

TEST(Recorder, counts_a_success_with_its_times) {
  Mailbox mailbox;
  Recorder recorder(options(), mailbox);
  Sample s = sample(10, 30);
  s.first_byte = at(15);
  s.items = 3;
  s.retries = 2;
  EXPECT_TRUE(recorder.record(s));
  recorder.finish();
  const OpStats stats = total(mailbox);
  EXPECT_EQ(stats.successes(), 1U);
  EXPECT_EQ(stats.bytes, Bytes(100));
  EXPECT_EQ(stats.items, 3U);
  EXPECT_EQ(stats.retries, 2U);
  EXPECT_EQ(stats.service.max(), Duration::milliseconds(20));
  EXPECT_EQ(stats.first_byte.max(), Duration::milliseconds(5));
  EXPECT_TRUE(stats.response.empty());
  EXPECT_EQ(recorder.first_issued(), at(10));
  EXPECT_EQ(recorder.last_done(), at(30));
}

TEST(Recorder, counts_response_time_from_the_intended_start) {
  Mailbox mailbox;
  Recorder recorder(options(), mailbox);
  Sample s = sample(2000, 2010);
  s.paced = true;
  s.intended = at(500);
  recorder.record(s);
  recorder.finish();
  const OpStats stats = total(mailbox);
  EXPECT_EQ(stats.response.max(), Duration::milliseconds(1510));
  EXPECT_EQ(stats.service.max(), Duration::milliseconds(10));
}

TEST(Recorder, a_failure_is_timed_apart_and_moves_no_bytes) {
  Mailbox mailbox;
  Recorder recorder(options(), mailbox);
  Sample s = sample(10, 30);
  s.outcome = Outcome::throttled;
  s.status = 503;
  s.container = "c";
  s.object = "o";
  s.detail = "SlowDown";
  EXPECT_TRUE(recorder.record(s));
  recorder.finish();
  const OpStats stats = total(mailbox);
  EXPECT_EQ(stats.successes(), 0U);
  EXPECT_EQ(stats.failure_count(), 1U);
  EXPECT_EQ(stats.bytes, Bytes());
  EXPECT_TRUE(stats.service.empty());
  EXPECT_EQ(stats.failed.max(), Duration::milliseconds(20));
  ASSERT_EQ(stats.failures.size(), 1U);
  EXPECT_EQ(stats.failures[0], (FailureExample{Outcome::throttled, 503, 1, "c/o", "SlowDown"}));
}

TEST(Recorder, counts_only_what_lies_inside_the_window) {
  struct Case {
    std::int64_t issued;
    std::int64_t done;
    bool inside;
  };
  // The window is 1 s to 2 s.
  for (const Case& c : {Case{999, 1001, false},
                        {1000, 1000, true},
                        {1000, 2000, true},
                        {1999, 2000, true},
                        {1999, 2001, false},
                        {2000, 2001, false}}) {
    Mailbox mailbox;
    Recorder recorder(options({.begin = at(1000), .end = at(2000)}), mailbox);
    EXPECT_EQ(recorder.record(sample(c.issued, c.done)), c.inside) << c.issued;
    recorder.finish();
    const OpStats stats = total(mailbox);
    EXPECT_EQ(stats.samples(), c.inside ? 1U : 0U);
    EXPECT_EQ(stats.outside, c.inside ? 0U : 1U);
  }
}

TEST(Recorder, a_paced_sample_counts_where_it_was_due) {
  Mailbox mailbox;
  Recorder recorder(options({.begin = at(1000), .end = at(2000)}), mailbox);
  Sample s = sample(2500, 2600);
  s.paced = true;
  s.intended = at(1999);
  EXPECT_TRUE(recorder.record(s));
  s.intended = at(2000);
  EXPECT_FALSE(recorder.record(s));
  EXPECT_EQ(recorder.crossed_end(), 0U);
}

TEST(Recorder, counts_operations_across_the_end_of_the_window) {
  Mailbox mailbox;
  Recorder recorder(options({.begin = at(0), .end = at(2000)}), mailbox);
  recorder.record(sample(1990, 2001));
  recorder.record(sample(2001, 2002));
  EXPECT_EQ(recorder.crossed_end(), 1U);
}

TEST(Recorder, keeps_the_age_of_the_oldest_operation_across_the_end) {
  Mailbox mailbox;
  Recorder recorder(options({.begin = at(0), .end = at(2000)}), mailbox);
  recorder.record(sample(1500, 9000));
  EXPECT_EQ(recorder.oldest_crossing(), Duration::milliseconds(500));
}

TEST(Recorder, what_was_cut_off_is_neither_done_nor_lost) {
  Mailbox mailbox;
  Recorder recorder(options({.begin = at(0), .end = at(2000)}), mailbox);
  for (const bool paced : {false, true}) {
    Sample s = sample(1500, 9000);
    s.outcome = Outcome::cancelled;
    s.paced = paced;
    s.intended = at(1400);
    EXPECT_FALSE(recorder.record(s));
  }
  recorder.finish();
  const OpStats stats = total(mailbox);
  EXPECT_EQ(stats.samples(), 0U);
  EXPECT_EQ(stats.outside, 2U);
  EXPECT_TRUE(stats.failures.empty());
  EXPECT_EQ(recorder.crossed_end(), 2U);
  EXPECT_EQ(recorder.oldest_crossing(), Duration::milliseconds(7500));
}

TEST(Recorder, a_sample_lies_in_the_tick_in_which_it_ends) {
  Mailbox mailbox;
  Recorder recorder(options(), mailbox);
  recorder.record(sample(900, 999));
  recorder.record(sample(900, 1000));
  recorder.record(sample(3100, 3200));
  recorder.finish();
  const Mailbox::Taken taken = mailbox.take();
  ASSERT_EQ(taken.counts.size(), 3U);
  EXPECT_EQ(taken.counts[0].tick, 0U);
  EXPECT_EQ(taken.counts[1].tick, 1U);
  EXPECT_EQ(taken.counts[2].tick, 3U);
  EXPECT_EQ(taken.complete_before, UINT64_MAX);
}

TEST(Recorder, an_idle_worker_hands_over_nothing_but_that_time_has_passed) {
  Mailbox mailbox;
  Recorder recorder(options(), mailbox);
  recorder.roll(at(999));
  EXPECT_EQ(mailbox.take().complete_before, 0U);
  recorder.roll(at(5500));
  const Mailbox::Taken taken = mailbox.take();
  EXPECT_TRUE(taken.counts.empty());
  EXPECT_EQ(taken.complete_before, 5U);
}

TEST(Recorder, hands_over_containers_where_there_was_no_sample) {
  Mailbox mailbox;
  Recorder recorder(options(), mailbox);
  recorder.count_container_op(0);
  recorder.count_container_failure(0, Outcome::denied, 403, "c1", "AccessDenied");
  recorder.finish();
  const OpStats stats = total(mailbox);
  EXPECT_EQ(stats.container_ops, 1U);
  EXPECT_EQ(stats.container_failures, 1U);
  EXPECT_EQ(stats.failures.size(), 1U);
  EXPECT_EQ(stats.samples(), 0U);
}

TEST(Mailbox, recycles_cleared_buffers) {
  Mailbox mailbox;
  std::vector<OpStats> used(1);
  used[0].service.add(Duration::seconds(1));
  mailbox.give_back(std::move(used));
  const std::vector<OpStats> fresh = mailbox.exchange({.tick = 0, .ops = std::vector<OpStats>(1)});
  EXPECT_EQ(fresh, std::vector<OpStats>(1));
}

TEST(Mailbox, lets_nothing_get_lost_between_two_threads) {
  constexpr int k_samples = 20'000;
  Bell bell;
  Mailbox mailbox(&bell);
  OpStats sum;
  std::jthread worker([&] {
    Recorder recorder(options(), mailbox);
    // Every tenth sample opens a tick, and some ticks pass without one.
    for (int i = 0; i < k_samples; ++i) recorder.record(sample(i * 130, i * 130 + 1));
    recorder.finish();
    bell.ring();
  });
  std::uint64_t complete = 0;
  std::uint64_t last_tick = 0;
  while (complete != UINT64_MAX) {
    bell.wait();
    Mailbox::Taken taken = mailbox.take();
    EXPECT_GE(taken.complete_before, complete);
    complete = taken.complete_before;
    for (TickCounts& counts : taken.counts) {
      EXPECT_GE(counts.tick, last_tick);
      last_tick = counts.tick;
      sum.merge(counts.ops[0]);
      mailbox.give_back(std::move(counts.ops));
    }
  }
  EXPECT_EQ(sum.successes(), static_cast<std::uint64_t>(k_samples));
}

}  // namespace
}  // namespace loadline::record
