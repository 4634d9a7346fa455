// What is refused before a run begins because it would destroy something.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dialects/fio/planning/fake_files.h"

namespace loadline::dialects::fio {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> refused(const std::vector<std::string>& words) {
  const FakeFiles files{.files = {{"data", 1U << 20U}}, .devices = {"/dev/loop0"}};
  const PlannedFio planned = plan_of(parse_words(words), files);
  std::vector<std::string> lines;
  for (const auto& d : planned.diagnostics) lines.push_back(d.message());
  EXPECT_EQ(planned.plan.has_value(), lines.empty()) << ::testing::PrintToString(words);
  return lines;
}

TEST(FioSafety, writes_and_trims_of_a_device_need_the_option) {
  for (const char* rw : {"--rw=write", "--rw=randwrite", "--rw=randrw", "--rw=trim",
                         "--rw=randtrim", "--rw=trimwrite"}) {
    EXPECT_THAT(refused({"--name=a", "--filename=data:/dev/loop0", "--numjobs=3", rw}),
                ElementsAre(HasSubstr("a: /dev/loop0: refusing to write: it is a raw device")))
        << rw;
    EXPECT_THAT(refused({"--name=a", "--filename=/dev/loop0", "--allow_mounted_write=1", rw}),
                IsEmpty())
        << rw;
  }
  EXPECT_THAT(refused({"--name=/dev/loop0", "--rw=write"}),
              ElementsAre(HasSubstr("it is a raw device")));
  EXPECT_THAT(refused({"--name=a", "--filename=/dev/loop0", "--size=1m", "--ioengine=falloc"}),
              ElementsAre(HasSubstr("it is a raw device")));
}

TEST(FioSafety, a_later_stage_is_looked_at_before_the_first_begins) {
  EXPECT_THAT(refused({"--name=a", "--filename=data", "--rw=write", "--name=b", "--stonewall",
                       "--filename=/dev/loop0", "--rw=write"}),
              ElementsAre(HasSubstr("b: /dev/loop0: refusing")));
}

TEST(FioSafety, devices_that_nobody_writes_to_are_left_to_the_job) {
  EXPECT_THAT(refused({"--name=a", "--filename=/dev/loop0", "--rw=randread"}), IsEmpty());
  EXPECT_THAT(refused({"--name=a", "--filename=/dev/loop0", "--rw=write", "--verify=crc32c",
                       "--verify_only"}),
              IsEmpty());
  EXPECT_THAT(
      refused({"--name=a", "--filename=/dev/loop0", "--rw=write", "--size=1m", "--ioengine=null"}),
      IsEmpty());
}

TEST(FioSafety, no_output_becomes_a_file_under_dev) {
  const std::vector<std::string> job{"--name=a", "--filename=data", "--rw=write"};
  for (const auto& [option, what] : std::vector<std::pair<std::string, std::string>>{
           {"--output=/dev/x", "output: /dev/x: would be a new file under /dev"},
           {"--bandwidth-log=/dev/x", "bandwidth-log: /dev/x-read_bw.log: would be"},
           {"--write_bw_log=/dev/x", "write_bw_log: /dev/x_bw.1.log: would be"},
           {"--write_iops_log=/dev/x", "write_iops_log: /dev/x_iops.1.log: would be"},
           {"--write_lat_log=/dev/x", "write_lat_log: /dev/x_lat.1.log: would be"},
           {"--write_hist_log=/dev/x", "write_hist_log: /dev/x_clat_hist.1.log: would be"},
           {"--write_iolog=/dev/x", "write_iolog: /dev/x: would be"},
           {"--mem=mmapshared:/dev/x", "mem: /dev/x: would be"}}) {
    std::vector<std::string> words = job;
    words.push_back(option);
    EXPECT_THAT(refused(words), ElementsAre(HasSubstr(what))) << option;
  }
  EXPECT_THAT(
      refused({"--name=a", "--filename=data", "--rw=write", "--verify=crc32c", "--aux-path=/dev"}),
      ElementsAre(HasSubstr("verify_state_save: /dev/local-a-0-verify.state: would be")));
  EXPECT_THAT(refused({"--name=a", "--filename=data", "--rw=write", "--output=/dev/null",
                       "--write_iolog=/dev/null"}),
              IsEmpty());
}

TEST(FioSafety, memory_for_blocks_is_no_file_of_data) {
  for (const char* kind : {"mmap", "mmapshared"}) {
    EXPECT_THAT(refused({"--name=a", "--filename=data", std::string("--mem=") + kind + ":data"}),
                ElementsAre(HasSubstr("mem: data is a data file of job a")));
    EXPECT_THAT(refused({"--name=a", "--filename=data", "--name=b", "--filename=other", "--size=1m",
                         std::string("--mem=") + kind + ":data"}),
                ElementsAre(HasSubstr("mem: data is a data file of job a")));
  }
  EXPECT_THAT(refused({"--name=a", "--filename=data", "--mem=mmapshared:memory"}), IsEmpty());
}

TEST(FioSafety, no_output_takes_the_place_of_data) {
  const std::vector<std::string> job{"--name=a", "--filename=data.1.log", "--rw=write",
                                     "--size=1m"};
  for (const auto& [option, what] : std::vector<std::pair<std::string, std::string>>{
           {"--output=data.1.log", "output: data.1.log is a data file of job a"},
           {"--output=./data.1.log", "output: ./data.1.log is a data file of job a"},
           {"--write_iolog=data.1.log", "write_iolog: data.1.log is a data file of job a"}}) {
    std::vector<std::string> words = job;
    words.push_back(option);
    EXPECT_THAT(refused(words), ElementsAre(HasSubstr(what))) << option;
  }
  EXPECT_THAT(refused({"--name=a", "--filename=d", "--rw=write", "--size=1m", "--output=x/d"}),
              IsEmpty());
}

}  // namespace
}  // namespace loadline::dialects::fio
