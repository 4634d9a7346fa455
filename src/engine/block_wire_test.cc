#include "engine/block_wire.h"

#include <gtest/gtest.h>

namespace loadline::engine {
namespace {

record::OpStats full_stats() {
  record::OpStats stats;
  for (std::size_t i = 0; i < stats.outcomes.size(); ++i) stats.outcomes[i] = 1000 * i + 1;
  stats.bytes = Bytes(1ULL << 40);
  stats.items = 2;
  stats.retries = 3;
  stats.outside = 4;
  stats.container_ops = 5;
  stats.container_failures = 6;
  for (const std::int64_t ns : {0L, 1L, 300L, 70'000L, 1L << 44, 1L << 50}) {
    stats.service.add(Duration::nanoseconds(ns), 7);
    stats.submission.add(Duration::nanoseconds(ns / 2));
  }
  stats.failed.add(Duration::seconds(1));
  stats.failures = {{.status = 5, .times = 9, .item = "c/o", .detail = std::string("a\0b", 3)}};
  return stats;
}

BlockWorker::Report full_report() {
  BlockWorker::Report report;
  record::BlockCounters& counters = report.counters;
  counters.depth = {1, 2, 3, 4, 5, 6, UINT64_MAX};
  counters.directions[1] = {Duration::seconds(3), 4, 5};
  counters.elapsed = Duration::seconds(10);
  counters.started = Duration::nanoseconds(-11);
  counters.thread_id = 17;
  counters.signal = 9;
  counters.stop = record::BlockStop::error;
  counters.failure = {5, "read", "/mnt/f", Bytes(4096), Bytes(512), "Input/output error"};
  counters.mismatches = {{84, "verify", "/mnt/f", Bytes(8192), Bytes(4096), "zeros"}, {}};
  counters.errors = {{5, 3}, {28, 1}};
  counters.latency_target = record::LatencyTargetReport{12, true};
  counters.steady = record::SteadyReport{true, 0.5, -0.25, {1, 2}, {3, 4}, {5, 6}};
  counters.laid_out = {"/mnt/f"};
  counters.used = Bytes(50);
  report.started = Instant::from_ns(1'000'000'000);
  report.last_done = Instant::from_ns(2'000'000'000);
  report.in_flight_at_end = 1;
  report.loops = 3;
  report.cpu = Duration::milliseconds(4);
  report.by_runtime = true;
  return report;
}

TEST(BlockWire, carries_the_counts_of_a_tick) {
  const record::TickCounts counts{.tick = 300, .ops = {full_stats(), {}, full_stats()}};
  const auto read = decode_tick(encode_tick(counts));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->tick, 300U);
  EXPECT_EQ(read->ops, counts.ops);
  EXPECT_EQ(read->ops[0].service.past_top(), counts.ops[0].service.past_top());
}

TEST(BlockWire, carries_a_report) {
  const BlockWorker::Report report = full_report();
  const auto read = decode_report(encode_report(report));
  ASSERT_TRUE(read);
  EXPECT_EQ(encode_report(*read), encode_report(report));
  EXPECT_EQ(read->counters.depth, report.counters.depth);
  EXPECT_EQ(read->counters.directions, report.counters.directions);
  EXPECT_EQ(read->counters.started, report.counters.started);
  EXPECT_EQ(read->counters.signal, 9);
  EXPECT_EQ(read->counters.stop, record::BlockStop::error);
  EXPECT_EQ(read->counters.failure, report.counters.failure);
  EXPECT_EQ(read->counters.mismatches, report.counters.mismatches);
  EXPECT_EQ(read->counters.errors, report.counters.errors);
  EXPECT_EQ(read->counters.latency_target, report.counters.latency_target);
  EXPECT_EQ(read->counters.steady, report.counters.steady);
  EXPECT_EQ(read->counters.laid_out, report.counters.laid_out);
  EXPECT_EQ(read->counters.used, report.counters.used);
  EXPECT_EQ(read->started, report.started);
  EXPECT_EQ(read->first_issued, Instant::max());
  EXPECT_EQ(read->last_done, report.last_done);
  EXPECT_EQ(read->in_flight_at_end, 1U);
  EXPECT_EQ(read->loops, 3U);
  EXPECT_EQ(read->cpu, report.cpu);
  EXPECT_TRUE(read->by_runtime);
}

TEST(BlockWire, carries_how_far_a_worker_is) {
  WirePassed passed{.tick = UINT64_MAX};
  passed.load.depth[2] = 7;
  passed.load.cpu_system = Duration::milliseconds(3);
  const auto read = decode_passed(encode_passed(passed));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->tick, UINT64_MAX);
  EXPECT_EQ(read->load.depth, passed.load.depth);
  EXPECT_EQ(read->load.cpu_system, passed.load.cpu_system);
  EXPECT_EQ(kind_of(encode_prepared()), WireKind::prepared);
  EXPECT_FALSE(kind_of(""));
  EXPECT_FALSE(kind_of("\x7f"));
}

TEST(BlockWire, refuses_what_is_cut_short_or_of_another_kind) {
  const std::string whole = encode_report(full_report());
  for (std::size_t n = 0; n < whole.size(); ++n) EXPECT_FALSE(decode_report(whole.substr(0, n)));
  EXPECT_FALSE(decode_report(whole + "x"));
  EXPECT_FALSE(decode_tick(whole));
}

TEST(BlockWire, puts_messages_together_from_single_bytes) {
  const std::string text =
      WireFrames::frame("first") + WireFrames::frame("") + WireFrames::frame("third");
  WireFrames frames;
  std::vector<std::string> got;
  for (const char byte : text) {
    frames.add({&byte, 1});
    while (auto message = frames.next()) got.push_back(*message);
  }
  EXPECT_EQ(got, (std::vector<std::string>{"first", "", "third"}));
  EXPECT_TRUE(frames.good());
}

TEST(BlockWire, does_not_wait_for_a_message_that_cannot_be) {
  WireFrames frames;
  frames.add("\xff\xff\xff\xff");
  EXPECT_FALSE(frames.next());
  EXPECT_FALSE(frames.good());
}

}  // namespace
}  // namespace loadline::engine
