#include "dialects/testdfsio/summary.h"

#include <gtest/gtest.h>

#include "dialects/testdfsio/testing.h"
#include "dialects/testdfsio/words.h"

namespace loadline::dialects::testdfsio {
namespace {

using testing::stream_file;

constexpr Bytes k_100_mb{100U << 20U};

class SummaryTest : public ::testing::Test {
 protected:
  SummaryTest() {
    const auto world = testing::World().surroundings();
    const auto parsed =
        parse(testing::words("-read -nrFiles 4 -size 100MB --concurrency 2"), world);
    planned_ = *to_plan(*parsed.options, 1, world);
    result_ = testing::run_of(planned_.plan);
  }
  record::JobResult& job() { return result_.stages.back().jobs.front(); }
  Summary summary() { return *summary_of(planned_.plan, planned_.source, result_); }

  PlannedCommand planned_;
  record::RunResult result_;
};

// Two workers: one moves files 0 and 2 from 0 to 2 s, the other 1 and 3 from 0.5 to 4.5 s.
TEST_F(SummaryTest, common_window_is_when_all_workers_move) {
  job().files = {stream_file(0, 0, k_100_mb, 0, 1000), stream_file(2, 0, k_100_mb, 1000, 1000),
                 stream_file(1, 1, k_100_mb, 500, 2000), stream_file(3, 1, k_100_mb, 2500, 2000)};
  const Summary seen = summary();
  EXPECT_EQ(seen.wall.length, Duration::milliseconds(4500));
  EXPECT_DOUBLE_EQ(seen.wall.megabytes, 400);
  ASSERT_TRUE(seen.common);
  EXPECT_EQ(seen.common->length, Duration::milliseconds(1500));
  // Half of file 0, all of file 2, three quarters of file 1.
  EXPECT_DOUBLE_EQ(seen.common->megabytes, 225);
  EXPECT_DOUBLE_EQ(seen.common->rate(), 150);
}

TEST_F(SummaryTest, workers_one_after_the_other_have_no_common_window) {
  job().files = {stream_file(0, 0, k_100_mb, 0, 1000), stream_file(1, 1, k_100_mb, 1000, 1000)};
  EXPECT_FALSE(summary().common);
  EXPECT_NE(text_of(summary()).find("there was no time in which all streams"), std::string::npos);
}

TEST_F(SummaryTest, spread_is_of_single_files) {
  job().files = {stream_file(0, 0, k_100_mb, 0, 1000), stream_file(1, 1, k_100_mb, 0, 2000),
                 stream_file(2, 0, k_100_mb, 1000, 1000), stream_file(3, 1, k_100_mb, 2000, 500)};
  const Spread spread = summary().spread;  // 100, 50, 100, 200 MB/s
  EXPECT_DOUBLE_EQ(spread.min, 50);
  EXPECT_DOUBLE_EQ(spread.median, 100);
  EXPECT_DOUBLE_EQ(spread.max, 200);
  EXPECT_DOUBLE_EQ(spread.mean, 112.5);
  EXPECT_NEAR(spread.deviation, 54.486, 0.001);
}

TEST_F(SummaryTest, one_file_does_not_differ_from_itself) {
  job().files = {stream_file(0, 0, k_100_mb, 0, 13)};
  EXPECT_EQ(summary().spread.deviation, 0);
}

TEST_F(SummaryTest, every_file_is_accounted_for) {
  job().files = {stream_file(0, 0, k_100_mb, 0, 1000), stream_file(1, 1, Bytes(5), 0, 1000),
                 stream_file(2, 0, Bytes(), 1000, 0)};
  job().files[1].short_of_size = true;
  job().files[2].outcome = target::Outcome::not_found;
  job().files[2].detail = "File does not exist";
  const Summary seen = summary();
  EXPECT_EQ(seen.asked, 4U);
  EXPECT_EQ(seen.done, 2U);
  EXPECT_EQ(seen.short_of_size, 1U);
  EXPECT_EQ(seen.failures, 1U);
  EXPECT_EQ(seen.not_ended, 1U);
  ASSERT_EQ(seen.failed.size(), 1U);
  EXPECT_EQ(seen.failed[0].name, "/benchmarks/TestDFSIO/io_data/test_io_2");
  EXPECT_EQ(seen.failed[0].why, "not_found: File does not exist");
}

TEST_F(SummaryTest, calls_are_told_apart) {
  record::OpStats opens;
  opens.service.add(Duration::milliseconds(2));
  record::OpStats reads;
  reads.service.add(Duration::milliseconds(40));
  reads.first_byte.add(Duration::milliseconds(5));
  job().ops = {{"open", "open", plan::Action::open, opens},
               {"read", "read", plan::Action::read, reads},
               {"close", "close", plan::Action::close, {}}};
  const Summary seen = summary();
  ASSERT_EQ(seen.calls.size(), 3U);
  EXPECT_EQ(seen.calls[0].name, "open");
  EXPECT_EQ(seen.calls[1].name, "first byte");
  EXPECT_EQ(seen.calls[1].max, Duration::milliseconds(5));
  EXPECT_EQ(seen.calls[2].name, "read");
}

TEST_F(SummaryTest, interfaces_are_compared_with_the_speed_of_their_link) {
  job().client.wall = Duration::seconds(2);
  job().interfaces = {{.name = "eth0",
                       .received = Bytes(250'000'000),
                       .sent = Bytes(1000),
                       .megabits_per_second = 2000},
                      {.name = "lo", .received = Bytes(10), .sent = Bytes(10)}};
  const Summary seen = summary();
  ASSERT_EQ(seen.interfaces.size(), 1U);
  EXPECT_NEAR(seen.interfaces[0].received, 119.2, 0.01);
  EXPECT_NEAR(seen.interfaces[0].line_share, 0.5, 1e-9);
}

TEST_F(SummaryTest, clock_of_the_test_covers_removal_and_run) {
  EXPECT_EQ(whole_test(result_), Duration::milliseconds(1100));
  EXPECT_EQ(summary().prepared, Duration::seconds(2));
}

TEST_F(SummaryTest, run_that_did_not_get_there_has_none) {
  result_.stages.pop_back();
  EXPECT_FALSE(summary_of(planned_.plan, planned_.source, result_));
}

}  // namespace
}  // namespace loadline::dialects::testdfsio
