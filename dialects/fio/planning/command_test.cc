#include "dialects/fio/planning/command.h"

#include <gmock/gmock.h>

#include "dialects/fio/job_source.h"
#include "dialects/fio/planning/fake_files.h"

namespace loadline::dialects::fio {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

Answer ask(const std::vector<std::string>& words, const FakeFiles& files = {},
           const FakeWorld& world = {}) {
  return answer({.words = words}, world.surroundings(), files.view());
}

// A mistake: fio's status, nothing on standard output, this among the lines.
void expect_refused(const std::vector<std::string>& words, const std::string& text) {
  const Answer told = ask(words);
  EXPECT_EQ(told.exit_status, 1);
  EXPECT_FALSE(told.plan.has_value());
  EXPECT_THAT(told.errors, Contains(HasSubstr(text)));
}

TEST(FioCommand, answers_questions_at_once) {
  EXPECT_EQ(ask({"--version"}).out, "fio-3.33\n");
  EXPECT_EQ(ask({"--version"}).exit_status, 0);
  EXPECT_THAT(ask({"--help"}).out, HasSubstr("--parse-only"));
  EXPECT_THAT(ask({"--cmdhelp=bs"}).out, HasSubstr("bs"));
  EXPECT_THAT(ask({"--enghelp"}).out, HasSubstr("io_uring"));
}

TEST(FioCommand, parses_only_and_runs_nothing) {
  const Answer told = ask({"--name=a", "--directory=/no", "--parse-only"});
  EXPECT_EQ(told.exit_status, 0);
  EXPECT_FALSE(told.plan.has_value());
  EXPECT_THAT(told.errors, IsEmpty());
  EXPECT_THAT(told.out, IsEmpty());
}

TEST(FioCommand, shows_the_same_command) {
  EXPECT_THAT(ask({"--name=a", "--size=1m", "--showcmd"}).out, HasSubstr("--size=1m"));
}

TEST(FioCommand, refuses_what_fio_refuses) {
  expect_refused({"--blcksize=4k"}, "unrecognized option '--blcksize=4k'");
  expect_refused({"--name=a", "--rw=reed"}, "failed parsing rw=reed");
  expect_refused({"--name=a", "--iodepth=0"}, "min value out of range: 0 (1 min)");
  expect_refused({"--name=a", "--direct=2"}, "max value out of range: 2 (1 max)");
  expect_refused({"gone.fio"}, "unable to open 'gone.fio' job file");
  expect_refused({"--name=a"}, "a: you need to specify size=");
  expect_refused({"--name=a", "--size=1m", "--bs=2m"},
                 "size too small, must not be less than minimum block size: 1048576 < 2097152");
  expect_refused({"--readonly", "--name=a", "--size=1m", "--rw=write"},
                 "job <a> has write or trim bit set, but fio is in read-only mode");
  for (const std::string engine : {"filecreate", "filedelete", "dircreate", "dirdelete"}) {
    expect_refused({"--readonly", "--name=a", "--filesize=1m", "--ioengine=" + engine},
                   "allowed with the --readonly parameter");
  }
  expect_refused({"--name=a", "--size=1m", "--rw=write", "--readonly"},
                 "trim and write operations are not allowed with the --readonly parameter");
  expect_refused({"--name=a", "--size=1m", "--ioengine=foo"}, "foo");
  expect_refused({}, "No job(s) defined");
}

TEST(FioCommand, ends_with_the_number_of_clones_without_a_size) {
  EXPECT_EQ(ask({"--name=a", "--numjobs=3"}).exit_status, 3);
  EXPECT_EQ(ask({"--name=a", "--size=50%", "--numjobs=2"}).exit_status, 2);
  EXPECT_EQ(ask({"--name=a", "--name=b", "--size=1m"}).exit_status, 1);
  EXPECT_EQ(ask({"--name=a", "--numjobs=300"}).exit_status, 255);
  const Answer told = ask({"--name=a", "--numjobs=3", "--name=b", "--size=1m", "--bs=2m"});
  EXPECT_EQ(told.exit_status, 1) << "fio's own mistakes come before those of its jobs";
  EXPECT_FALSE(told.plan.has_value());
}

TEST(FioCommand, drops_a_job_file_with_a_bad_option) {
  FakeWorld world;
  world.files["x.fio"] = "[a]\nblcksize=4k\n";
  const Answer told = ask({"x.fio"}, {}, world);
  EXPECT_EQ(told.exit_status, 1);
  EXPECT_THAT(told.errors, Contains(HasSubstr("Bad option <blcksize=4k>")));
  EXPECT_THAT(told.errors, Contains(HasSubstr("job a dropped")));
}

TEST(FioCommand, warns_of_a_time_base_without_a_time_and_runs) {
  const Answer told = ask({"--name=a", "--size=1m", "--time_based"});
  EXPECT_EQ(told.exit_status, 0);
  ASSERT_TRUE(told.plan.has_value());
  EXPECT_FALSE(told.plan->stages[0].jobs[0].block->time_based);
  EXPECT_THAT(told.errors, ElementsAre(HasSubstr("time_based requires a runtime/timeout setting")));
}

TEST(FioCommand, names_the_plan_after_the_job_file) {
  FakeWorld world;
  world.files["/jobs/x.fio"] = "[a]\nsize=1m\n";
  const Answer told = ask({"/jobs/x.fio"}, {}, world);
  ASSERT_TRUE(told.plan.has_value());
  EXPECT_EQ(told.plan->name, "x.fio");
  EXPECT_EQ(told.plan->dialect, "fio");
  EXPECT_THAT(told.folder_text, StartsWith("fio"));
}

TEST(FioCommand, repeats_its_source_text) {
  const Answer told =
      ask({"--name=a", "--size=1m", "--percentile_list=50:99.9", "--output-format=json",
           "--write_bw_log=x", "--log_avg_msec=500", "--description=what it is"});
  ASSERT_TRUE(told.plan.has_value());
  const std::string& text = told.plan->stages[0].jobs[0].source;
  const auto source = JobSource::from_text(text);
  ASSERT_TRUE(source.has_value()) << source.error().message();
  EXPECT_EQ(source->to_text(), text);
  EXPECT_THAT(source->report.percentile_list, ElementsAre(50, 99.9));
  EXPECT_EQ(source->report.bandwidth_log.name, "x");
  EXPECT_EQ(source->description, "what it is");
  EXPECT_TRUE(source->run->formats.json);
  EXPECT_FALSE(source->run->formats.normal);
}

}  // namespace
}  // namespace loadline::dialects::fio
