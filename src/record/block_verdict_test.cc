#include "record/block_verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline::record {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

JobResult reads() {
  JobResult job{.name = "a", .workers = 1, .block = BlockCounters{}};
  job.ops.push_back({.name = "read", .label = "read", .action = plan::Action::read});
  job.ops[0].stats.bytes = Bytes(100 << 20);
  job.block->asked = job.block->used = Bytes(100 << 20);
  job.block->observed = target::Observed{.storage = "ext4 on /dev/vda"};
  return job;
}

TEST(BlockVerdict, says_nothing_of_a_clean_job) {
  JobResult job = reads();
  job.workers = 32;
  job.block->observed->cached_share = 0.01;
  job.block->observed->holes = Bytes();
  job.block->observed->direct_refused = false;
  job.block->observed->depth = 32;
  EXPECT_THAT(judge_block(job, "s"), IsEmpty());
  EXPECT_THAT(judge_block(JobResult{.name = "objects"}, "s"), IsEmpty());
}

TEST(BlockVerdict, names_the_share_of_the_cache) {
  JobResult job = reads();
  job.block->observed->cached_share = 0.87;
  const auto verdicts = judge_block(job, "s");
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].id, "from_cache");
  EXPECT_EQ(verdicts[0].level, Verdict::Level::warning);
  EXPECT_THAT(verdicts[0].text,
              HasSubstr("87 % of these reads came from the page cache, not from ext4"));
  job.block->observed->cached_share = 0.2;
  EXPECT_EQ(judge_block(job, "s")[0].level, Verdict::Level::note);
}

TEST(BlockVerdict, names_the_share_of_writes_that_are_in_memory_alone) {
  JobResult job = reads();
  job.ops[0].action = plan::Action::write;
  job.block->observed->unwritten_share = 0.04;
  EXPECT_THAT(judge_block(job, "s"), IsEmpty());
  job.block->observed->unwritten_share = 0.92;
  const auto verdicts = judge_block(job, "s");
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].id, "only_in_memory");
  EXPECT_EQ(verdicts[0].level, Verdict::Level::warning);
  EXPECT_THAT(verdicts[0].text,
              HasSubstr("92 % of these writes had only reached the page cache when the job ended, "
                        "not ext4 on /dev/vda"));
  job.block->observed->unwritten_share = 0.2;
  EXPECT_EQ(judge_block(job, "s")[0].level, Verdict::Level::note);
}

TEST(BlockVerdict, flags_holes_in_what_is_read) {
  JobResult job = reads();
  job.block->observed->holes = Bytes(50 << 20);
  const auto verdicts = judge_block(job, "s");
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].id, "holes");
  EXPECT_THAT(verdicts[0].text, HasSubstr("50 MiB of the 100 MiB that were read (50 %)"));
}

TEST(BlockVerdict, flags_direct_io_that_did_not_happen) {
  JobResult job = reads();
  job.block->observed->direct_refused = true;
  EXPECT_EQ(judge_block(job, "s")[0].id, "direct_refused");
}

TEST(BlockVerdict, flags_a_queue_that_was_none) {
  JobResult job = reads();
  job.workers = 32;
  job.block->observed->depth = 1;
  const auto verdicts = judge_block(job, "s");
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].id, "shallow_queue");
  EXPECT_THAT(verdicts[0].text, HasSubstr("at most 1 operation was"));
}

TEST(BlockVerdict, flags_files_that_are_short) {
  JobResult job = reads();
  job.block->used = Bytes(60 << 20);
  EXPECT_EQ(judge_block(job, "s")[0].id, "short_file");
}

TEST(BlockCounters, sorts_depths_and_calls_into_doubling_buckets) {
  EXPECT_EQ(depth_bucket(1), 0U);
  EXPECT_EQ(depth_bucket(2), 1U);
  EXPECT_EQ(depth_bucket(3), 1U);
  EXPECT_EQ(depth_bucket(63), 5U);
  EXPECT_EQ(depth_bucket(64), 6U);
  EXPECT_EQ(depth_bucket(5000), 6U);
  EXPECT_EQ(call_bucket(0), 0U);
  EXPECT_EQ(call_bucket(1), 1U);
  EXPECT_EQ(call_bucket(4), 1U);
  EXPECT_EQ(call_bucket(5), 2U);
  EXPECT_EQ(call_bucket(8), 2U);
  EXPECT_EQ(call_bucket(64), 5U);
  EXPECT_EQ(call_bucket(65), 6U);
}

}  // namespace
}  // namespace loadline::record
