// Work that is no storage: it lasts as long as it is to, and ends when it is asked to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "target/target.h"

namespace loadline::targets {

target::TargetType cpu_target();
target::TargetType program_target();

namespace {

using target::Completion;
using target::OpKind;
using target::Outcome;
using ::testing::HasSubstr;

class BusyTest : public ::testing::Test {
 protected:
  void open(const target::TargetType& type,
            const std::vector<target::Parameters::Entry>& parameters) {
    target::Parameters set;
    for (const auto& [key, value] : parameters) set.set(key, value);
    auto opened = type.open(set);
    ASSERT_TRUE(opened.has_value()) << opened.error().message();
    target_ = std::move(*opened);
    auto session = target_->open_session({.clock = &clock_});
    ASSERT_TRUE(session.has_value());
    session_ = std::move(*session);
  }
  void start() {
    EXPECT_EQ(session_->submit({.kind = OpKind::head, .object = "x"}), target::Submitted::accepted);
  }
  Completion wait(Duration longest = Duration::seconds(20)) {
    Completion completion;
    EXPECT_EQ(session_->reap({&completion, 1}, clock_.now() + longest), 1U);
    return completion;
  }

  SteadyClock clock_;
  std::unique_ptr<target::Target> target_;
  std::unique_ptr<target::Session> session_;
};

TEST_F(BusyTest, a_chunk_takes_its_time_of_the_processor) {
  open(cpu_target(), {{"chunk_us", "20000"}});
  const Duration before = thread_cpu_time();
  start();
  EXPECT_EQ(wait().outcome, Outcome::ok);
  EXPECT_GE(thread_cpu_time() - before, Duration::milliseconds(5));
}

TEST_F(BusyTest, a_program_runs_to_its_end) {
  open(program_target(), {{"program", "true"}, {"arguments", "a  b"}});
  start();
  EXPECT_EQ(wait().outcome, Outcome::ok);
}

TEST_F(BusyTest, a_program_that_fails_is_a_failure) {
  open(program_target(), {{"program", "false"}});
  start();
  const Completion failed = wait();
  EXPECT_EQ(failed.outcome, Outcome::io_error);
  EXPECT_THAT(std::string(failed.detail), HasSubstr("status 1"));
}

TEST_F(BusyTest, a_program_that_is_not_there_is_a_failure) {
  open(program_target(), {{"program", "no-such-program-anywhere"}});
  start();
  EXPECT_EQ(wait().status, ENOENT);
}

TEST_F(BusyTest, a_program_is_asked_to_go_when_its_time_is_over) {
  open(program_target(), {{"program", "sleep"}, {"arguments", "100"}, {"time_limit_s", "0.1"}});
  start();
  EXPECT_EQ(wait().outcome, Outcome::ok);
}

TEST_F(BusyTest, a_program_is_ended_when_the_run_is) {
  open(program_target(), {{"program", "sleep"}, {"arguments", "100"}, {"grace_s", "0"}});
  start();
  Completion completion;
  EXPECT_EQ(session_->reap({&completion, 1}, clock_.now()), 0U);
  session_->cancel();
  EXPECT_EQ(wait().outcome, Outcome::cancelled);
}

TEST(ProgramTarget, needs_a_program) {
  const auto none = program_target().open({});
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().context, "program");
}

}  // namespace
}  // namespace loadline::targets
