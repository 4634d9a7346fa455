#include "record/stream_verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline::record {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::uint64_t k_mb = 1'000'000;

StageResult reads(std::uint64_t megabytes, std::vector<InterfaceCounters> interfaces) {
  StageResult stage;
  JobResult& job = stage.jobs.emplace_back();
  OpResult read{.name = "read", .action = plan::Action::read};
  read.stats.bytes = Bytes(megabytes * k_mb);
  job.ops.push_back(std::move(read));
  job.interfaces = std::move(interfaces);
  return stage;
}

std::vector<Verdict> judge(const StageResult& stage) {
  return judge_stream(stage, stage.jobs[0], "s1");
}

TEST(StreamVerdict, compares_what_was_read_with_what_the_network_brought) {
  EXPECT_THAT(judge(reads(1000, {{"eth0", Bytes(1100 * k_mb)}})), IsEmpty());
  EXPECT_THAT(judge(reads(1000, {{"eth0", Bytes(600 * k_mb)}, {"lo", Bytes(300 * k_mb)}})),
              IsEmpty());
  const auto more = judge(reads(1000, {{"eth0", Bytes(1300 * k_mb)}}));
  ASSERT_THAT(more, SizeIs(1));
  EXPECT_EQ(more[0].id, "network_disagrees");
  EXPECT_EQ(more[0].level, Verdict::Level::note);
  EXPECT_THAT(more[0].text, HasSubstr("1000 MB were read"));
  EXPECT_THAT(more[0].text, HasSubstr("(eth0 1300 MB)"));
  EXPECT_THAT(judge(reads(1000, {{"eth0", Bytes(700 * k_mb)}})), SizeIs(1));
}

TEST(StreamVerdict, says_nothing_of_a_network_that_is_not_used_or_shared) {
  EXPECT_THAT(judge(reads(1000, {{"eth0", Bytes(50 * k_mb)}})), IsEmpty());
  EXPECT_THAT(judge(reads(10, {{"eth0", Bytes(50 * k_mb)}})), IsEmpty());
  EXPECT_THAT(judge(reads(1000, {})), IsEmpty());
  StageResult shared = reads(1000, {{"eth0", Bytes(3000 * k_mb)}});
  shared.jobs.emplace_back();
  EXPECT_THAT(judge(shared), IsEmpty());
}

TEST(StreamVerdict, warns_of_files_that_ended_early_and_passes_remarks_on) {
  StageResult stage = reads(1, {});
  stage.jobs[0].files = {{.number = 4}, {.number = 5, .bytes = Bytes(77), .short_of_size = true}};
  stage.jobs[0].remarks = {"the folder /d stays"};
  const auto verdicts = judge(stage);
  ASSERT_THAT(verdicts, SizeIs(2));
  EXPECT_EQ(verdicts[0].text, "the folder /d stays");
  EXPECT_EQ(verdicts[1].id, "short_file");
  EXPECT_EQ(verdicts[1].level, Verdict::Level::warning);
  EXPECT_THAT(verdicts[1].text, HasSubstr("1 of 2 files ended"));
  EXPECT_THAT(verdicts[1].text, HasSubstr("number 5 after 77 bytes"));
}

}  // namespace
}  // namespace loadline::record
