#include "report/figures.h"

#include <gtest/gtest.h>

namespace loadline::report {
namespace {

TEST(LatencyText, has_three_digits_and_a_unit_that_fits) {
  EXPECT_EQ(latency_text(Duration()), "0 ns");
  EXPECT_EQ(latency_text(Duration::nanoseconds(812)), "812 ns");
  EXPECT_EQ(latency_text(Duration::nanoseconds(1'234)), "1.23 us");
  EXPECT_EQ(latency_text(Duration::nanoseconds(12'345)), "12.3 us");
  EXPECT_EQ(latency_text(Duration::nanoseconds(999'499)), "999 us");
  EXPECT_EQ(latency_text(Duration::nanoseconds(999'500)), "1.00 ms");
  EXPECT_EQ(latency_text(Duration::milliseconds(123)), "123 ms");
  EXPECT_EQ(latency_text(Duration::milliseconds(62'140)), "62.1 s");
  EXPECT_EQ(latency_text(Duration::seconds(3600)), "3600 s");
  EXPECT_EQ(latency_text(Duration::milliseconds(-5)), "-5.00 ms");
}

TEST(SpanText, speaks_of_seconds_then_minutes_then_hours) {
  EXPECT_EQ(span_text(Duration()), "0.0 s");
  EXPECT_EQ(span_text(Duration::milliseconds(42'340)), "42.3 s");
  EXPECT_EQ(span_text(Duration::milliseconds(99'960)), "1 min 40 s");
  EXPECT_EQ(span_text(Duration::seconds(302)), "5 min 02 s");
  EXPECT_EQ(span_text(Duration::milliseconds(3'599'600)), "1 h 00 min");
  EXPECT_EQ(span_text(Duration::seconds(3600 + 170)), "1 h 03 min");
  EXPECT_EQ(span_text(Duration::seconds(-1)), "0.0 s");
}

TEST(RateText, keeps_small_rates_visible) {
  EXPECT_EQ(rate_text(0), "0");
  EXPECT_EQ(rate_text(0.25), "0.25");
  EXPECT_EQ(rate_text(99.994), "99.99");
  EXPECT_EQ(rate_text(99.996), "100.0");
  EXPECT_EQ(rate_text(123.44), "123.4");
  EXPECT_EQ(rate_text(12'345.4), "12345");
  EXPECT_EQ(megabytes_text(126'400'000), "126.4");
  EXPECT_EQ(megabytes_text(12'000), "0.01");
}

TEST(BytesText, uses_decimal_prefixes) {
  EXPECT_EQ(bytes_text(Bytes(812)), "812 B");
  EXPECT_EQ(bytes_text(Bytes(64'000)), "64.0 kB");
  EXPECT_EQ(bytes_text(Bytes(1'230'000'000)), "1.23 GB");
  EXPECT_EQ(bytes_text(Bytes(UINT64_MAX)), "18.4 EB");
}

TEST(PercentText, is_whole_only_where_it_is_exact) {
  EXPECT_EQ(percent_text(0, 0), "-");
  EXPECT_EQ(percent_text(5, 5), "100 %");
  EXPECT_EQ(percent_text(0, 5), "0 %");
  EXPECT_EQ(percent_text(999'999, 1'000'000), "99.99 %");
  EXPECT_EQ(percent_text(1, 1'000'000), "0.01 %");
  EXPECT_EQ(percent_text(1, 3), "33.33 %");
}

TEST(Grouped, sets_threes_apart) {
  EXPECT_EQ(grouped(0, " "), "0");
  EXPECT_EQ(grouped(999, " "), "999");
  EXPECT_EQ(grouped(1'000, " "), "1 000");
  EXPECT_EQ(grouped(12'345'678, " "), "12 345 678");
}

TEST(Figures, of_operations_that_a_job_on_blocks_never_did_are_no_row) {
  record::JobResult job;
  job.ops.resize(4);
  EXPECT_TRUE(has_row(job, job.ops[2])) << "of other jobs each operation was asked for";
  job.block.emplace();
  EXPECT_TRUE(has_row(job, job.ops[0])) << "a job that did nothing has one row of zeros";
  EXPECT_FALSE(has_row(job, job.ops[1]));
  job.ops[1].stats.outcomes[0] = 7;
  job.ops[3].stats.outside = 1;
  EXPECT_FALSE(has_row(job, job.ops[0]));
  EXPECT_TRUE(has_row(job, job.ops[1]));
  EXPECT_TRUE(has_row(job, job.ops[3])) << "all of it outside the window";
}

}  // namespace
}  // namespace loadline::report
