#include "dialects/fio/output/summary.h"

#include <gtest/gtest.h>

#include "dialects/fio/output/testing.h"

namespace loadline::dialects::fio::output {
namespace {

using testing::FakeRun;

TEST(Summary, has_a_block_for_each_job) {
  FakeRun run;
  run.add_job("a");
  run.add_job("b");
  run.fill(100);
  const Summary summary = summary_of(run.stored());
  ASSERT_EQ(summary.blocks.size(), 2U);
  const DirectionSummary& reads = summary.blocks[0].directions[0];
  EXPECT_EQ(reads.operations, 600U);
  EXPECT_EQ(reads.runtime_ms, 2000U);
  EXPECT_DOUBLE_EQ(reads.operations_per_second(), 300);
  EXPECT_EQ(reads.iops.samples, 4U);
  EXPECT_DOUBLE_EQ(reads.iops.min, 200);
  EXPECT_DOUBLE_EQ(reads.iops.max, 400);
  EXPECT_DOUBLE_EQ(reads.iops.mean, 300);
}

// fio adds up the extremes of unrelated moments: 400 and 800.
TEST(Summary, of_a_group_has_the_rates_of_the_group) {
  FakeRun run;
  run.add_job("a").group_reporting = true;
  run.add_job("b").group_reporting = true;
  run.fill(100);
  const Summary summary = summary_of(run.stored());
  ASSERT_EQ(summary.blocks.size(), 1U);
  const DirectionSummary& reads = summary.blocks[0].directions[0];
  EXPECT_EQ(summary.blocks[0].members, 2U);
  EXPECT_EQ(reads.operations, 1200U);
  EXPECT_DOUBLE_EQ(reads.iops.min, 600);
  EXPECT_DOUBLE_EQ(reads.iops.max, 600);
  EXPECT_DOUBLE_EQ(reads.iops.deviation, 0);
  EXPECT_NEAR(reads.share_of_group, 100, 1e-9);
}

TEST(Summary, mixed_is_the_sum_of_the_directions) {
  FakeRun run;
  run.add_job("a").report.unified_rw_reporting = UnifiedReporting::both;
  run.fill(100);
  const Block block = summary_of(run.stored()).blocks.at(0);
  EXPECT_EQ(block.directions[k_mixed].operations,
            block.directions[0].operations + block.directions[1].operations);
  EXPECT_DOUBLE_EQ(block.directions[k_mixed].iops.mean, 450);
  EXPECT_TRUE(block.shows(0));
  EXPECT_TRUE(block.shows(k_mixed));
}

TEST(Summary, counts_a_window_without_activity) {
  Sampler sampler(Duration::milliseconds(500));
  sampler.add(Duration::milliseconds(500), {Counts{100, 409600}, {}, {}});
  sampler.add(Duration::milliseconds(500), {});
  sampler.add(Duration::milliseconds(100), {Counts{100, 409600}, {}, {}});
  EXPECT_EQ(sampler.operations(0).samples, 2U);
  EXPECT_DOUBLE_EQ(sampler.operations(0).min, 0);
  EXPECT_DOUBLE_EQ(sampler.bandwidth(0).max, 800);
}

TEST(Summary, shares_of_latency_and_depth_add_up_to_all) {
  FakeRun run;
  run.add_job("a");
  run.fill(100);
  const Block block = summary_of(run.stored()).blocks.at(0);
  double depth = 0;
  for (const double share : block.depth) depth += share;
  EXPECT_NEAR(depth, 100, 1e-9);
  double latency = 0;
  for (const double share : block.latency.nanoseconds) latency += share;
  for (const double share : block.latency.microseconds) latency += share;
  for (const double share : block.latency.milliseconds) latency += share;
  EXPECT_NEAR(latency, 100, 1e-9);
}

TEST(Summary, puts_latencies_into_their_buckets) {
  record::Histogram histogram;
  for (const std::int64_t ns : {1, 900, 1000, 3000, 240'000, 260'000, 1'500'000}) {
    histogram.add(Duration::nanoseconds(ns));
  }
  histogram.add(Duration::seconds(3));
  const LatencyShares shares = latency_shares(histogram);
  EXPECT_DOUBLE_EQ(shares.nanoseconds[0], 12.5);
  EXPECT_DOUBLE_EQ(shares.nanoseconds[9], 12.5);
  EXPECT_DOUBLE_EQ(shares.microseconds[0], 12.5);
  EXPECT_DOUBLE_EQ(shares.microseconds[1], 12.5);
  EXPECT_DOUBLE_EQ(shares.microseconds[6], 12.5);
  EXPECT_DOUBLE_EQ(shares.microseconds[7], 12.5);
  EXPECT_DOUBLE_EQ(shares.milliseconds[0], 12.5);
  EXPECT_DOUBLE_EQ(shares.milliseconds[11], 12.5);
}

TEST(Summary, leaves_out_jobs_without_statistics) {
  FakeRun run;
  run.add_job("a").report.stats = false;
  run.add_job("b");
  run.fill(100);
  const Summary summary = summary_of(run.stored());
  ASSERT_EQ(summary.blocks.size(), 1U);
  EXPECT_EQ(summary.blocks[0].source.section, "b");
}

// Failures are no throughput.
TEST(Summary, of_gtod_reduce_has_no_times) {
  FakeRun run;
  run.add_job("a").report.gtod_reduce = true;
  run.fill(100);
  const Block block = summary_of(run.stored()).blocks.at(0);
  EXPECT_TRUE(block.directions[0].lat.empty());
  EXPECT_TRUE(block.directions[0].clat.empty());
  EXPECT_EQ(block.directions[0].bandwidth.samples, 0U);
  EXPECT_FALSE(block.source.report.clat_percentiles);
}

TEST(Summary, counts_failed_operations_as_issued_alone) {
  FakeRun run;
  run.add_job("a");
  run.fill(100);
  run.result().stages[0].jobs[0].ops[1].stats.outcomes[1] += 5;
  const DirectionSummary writes = summary_of(run.stored()).blocks.at(0).directions[1];
  EXPECT_EQ(writes.operations, 300U);
  EXPECT_EQ(writes.issued, 305U);
}

}  // namespace
}  // namespace loadline::dialects::fio::output
