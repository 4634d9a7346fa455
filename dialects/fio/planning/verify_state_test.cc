#include <gmock/gmock.h>

#include "dialects/fio/planning/fake_files.h"
#include "dialects/fio/planning/to_plan.h"

namespace loadline::dialects::fio {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

PlannedFio planned(std::vector<std::string> words, const FakeFiles& files = {}) {
  return plan_of(parse_words(words), files);
}

plan::VerifySpec verify_of(const PlannedFio& planned, std::size_t stage = 0) {
  EXPECT_TRUE(planned.plan.has_value());
  return planned.plan ? planned.plan->stages[stage].jobs.back().block->verify : plan::VerifySpec();
}

const std::vector<std::string> k_write = {"--name=a/b", "--size=1m", "--rw=write", "--verify=md5"};

std::vector<std::string> with(std::vector<std::string> words,
                              const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(VerifyState, is_kept_under_fios_name) {
  EXPECT_EQ(verify_of(planned(k_write)).state_save, "local-a.b-0-verify.state");
  EXPECT_EQ(verify_of(planned(with(k_write, {"--numjobs=2"}))).state_save,
            "local-a.b-1-verify.state");
  EXPECT_EQ(verify_of(planned(with(k_write, {"--verify_state_save=0"}))).state_save, "");
}

TEST(VerifyState, is_taken_where_it_is_there) {
  FakeFiles files;
  EXPECT_EQ(verify_of(planned(with(k_write, {"--verify_only"}), files)).state_load, "");
  files.files["local-a.b-0-verify.state"] = 10;
  const PlannedFio told = planned(with(k_write, {"--verify_only"}), files);
  EXPECT_EQ(verify_of(told).state_load, "local-a.b-0-verify.state");
  EXPECT_EQ(verify_of(told).state_save, "");
  ASSERT_EQ(told.diagnostics.size(), 1U);
  EXPECT_THAT(told.diagnostics[0].what, HasSubstr("local-a.b-0-verify.state says"));
}

TEST(VerifyState, has_to_be_there_where_it_is_asked_for) {
  const PlannedFio told = planned(with(k_write, {"--verify_only", "--verify_state_load=1"}));
  EXPECT_FALSE(told.plan.has_value());
  ASSERT_FALSE(told.diagnostics.empty());
  EXPECT_THAT(told.diagnostics[0].what, HasSubstr("there is no local-a.b-0-verify.state"));
}

TEST(VerifyState, goes_from_a_job_that_writes_to_one_that_reads) {
  const PlannedFio told = planned(
      with({"--name=w", "--rw=write", "--size=1m", "--filename=f", "--bs=64k", "--verify=md5"},
           {"--name=r", "--stonewall", "--rw=read", "--filename=f", "--bs=64k", "--verify=md5"}));
  EXPECT_THAT(told.diagnostics, IsEmpty()) << "no size: the file is there by then";
  EXPECT_EQ(verify_of(told, 1).state_load, "local-w-0-verify.state");
  const PlannedFio other = planned(
      with({"--name=w", "--rw=write", "--size=1m", "--filename=f", "--bs=64k", "--verify=md5"},
           {"--name=r", "--stonewall", "--rw=read", "--filename=f", "--bs=4k", "--verify=md5"}));
  EXPECT_EQ(verify_of(other, 1).state_load, "") << "its intervals are others";
}

TEST(VerifyState, files_named_twice_cannot_be_verified) {
  const PlannedFio told = planned(with(k_write, {"--filename=f:g:./f"}));
  EXPECT_FALSE(told.plan.has_value());
  ASSERT_FALSE(told.diagnostics.empty());
  EXPECT_THAT(told.diagnostics[0].what, HasSubstr("has ./f twice"));
}

TEST(VerifyState, trims_and_offsets_of_headers_go_into_the_plan) {
  const PlannedFio told = planned(
      with(k_write, {"--trim_percentage=10", "--trim_backlog=64", "--trim_backlog_batch=8",
                     "--trim_verify_zero=0", "--verify_offset=100", "--experimental_verify=1"}));
  ASSERT_TRUE(told.plan.has_value());
  const plan::BlockIo& block = *told.plan->stages[0].jobs[0].block;
  EXPECT_EQ(block.trims,
            (plan::TrimRule{.percent = 10, .backlog = 64, .batch = 8, .expect_zero = false}));
  EXPECT_EQ(block.verify.header_offset, Bytes(100));
}

TEST(VerifyState, without_one_a_job_that_reads_verifies_what_it_reads) {
  EXPECT_FALSE(verify_of(planned({"--name=a", "--filename=f", "--size=1m", "--rw=read",
                                  "--verify=crc32c", "--verify_only"}))
                   .only);
}

}  // namespace
}  // namespace loadline::dialects::fio
