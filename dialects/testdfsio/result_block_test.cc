#include "dialects/testdfsio/result_block.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <functional>

namespace loadline::dialects::testdfsio {
namespace {

constexpr std::uint64_t k_mb = 1U << 20U;

TaskSums sums(int tasks, std::uint64_t size, const std::function<std::int64_t(int)>& ms) {
  TaskSums sums;
  for (int i = 0; i < tasks; ++i) sums.add(Bytes(size), Duration::milliseconds(ms(i)));
  return sums;
}

// The figures of a block, as its lines have them, in their order.
std::vector<std::string> figures(const TaskSums& sums, std::int64_t exec_ms, Compat compat) {
  std::vector<std::string> out;
  const auto lines =
      lines_of({.sums = sums, .whole_test = Duration::milliseconds(exec_ms)}, compat);
  for (std::size_t i = 3; i + 1 < lines.size(); ++i) {
    out.push_back(lines[i].substr(lines[i].find(": ") + 2));
  }
  return out;
}

using Texts = std::vector<std::string>;

// Computed by the formulas in Java.
TEST(ResultBlock, one_file_has_the_noise_of_floats_as_deviation) {
  const TaskSums one = sums(1, k_mb, [](int) { return 13; });
  EXPECT_EQ(
      figures(one, 1234, Compat::v2_7),
      (Texts{"1.0", "76.92307692307692", "76.92308044433594", "0.012198187485516421", "1.234"}));
  EXPECT_EQ(figures(one, 1234, Compat::v3), (Texts{"1", "76.92", "76.92", "0.01", "1.23"}));
}

TEST(ResultBlock, no_time_is_infinitely_fast) {
  const TaskSums one = sums(1, k_mb, [](int) { return 0; });
  EXPECT_EQ(figures(one, 1234, Compat::v2_7),
            (Texts{"1.0", "Infinity", "Infinity", "NaN", "1.234"}));
  EXPECT_EQ(figures(one, 1234, Compat::v3), (Texts{"1", "∞", "∞", "NaN", "1.23"}));
}

TEST(ResultBlock, nothing_in_no_time_is_no_number) {
  const TaskSums one = sums(1, 0, [](int) { return 0; });
  EXPECT_EQ(figures(one, 1234, Compat::v2_7), (Texts{"0.0", "NaN", "NaN", "NaN", "1.234"}));
  EXPECT_EQ(figures(one, 1234, Compat::v3), (Texts{"0", "NaN", "NaN", "NaN", "1.23"}));
}

TEST(ResultBlock, five_hundred_files_of_4_gb) {
  const TaskSums many = sums(500, 4096 * k_mb, [](int i) { return 20000 + 37 * i; });
  EXPECT_EQ(figures(many, 61234, Compat::v2_7),
            (Texts{"2048000.0", "140.12281271915572", "145.1027069091797", "27.64876936915452",
                   "61.234"}));
  EXPECT_EQ(figures(many, 61234, Compat::v2_8),
            (Texts{"2048000", "140.12", "33.45", "145.1", "27.65", "61.23"}));
  EXPECT_EQ(figures(many, 61234, Compat::v3),
            (Texts{"2048000", "140.12", "145.1", "27.65", "61.23"}));
}

TEST(ResultBlock, three_thousand_files_of_4_gb) {
  const TaskSums many = sums(3000, 4096 * k_mb, [](int i) { return 20000 + 3 * i; });
  EXPECT_EQ(figures(many, 612345, Compat::v2_7),
            (Texts{"1.2288E7", "167.19390983121414", "169.11309814453125", "18.184231794555995",
                   "612.345"}));
  EXPECT_EQ(figures(many, 612345, Compat::v3),
            (Texts{"12288000", "167.19", "169.11", "18.18", "612.34"}));
}

TEST(ResultBlock, four_files_of_different_speed) {
  const TaskSums four = sums(4, 128 * k_mb, [](int i) { return 1000 * (i + 1); });
  EXPECT_EQ(figures(four, 9876, Compat::v2_7),
            (Texts{"512.0", "51.2", "66.66667175292969", "37.23796070182787", "9.876"}));
  EXPECT_EQ(figures(four, 9876, Compat::v3), (Texts{"512", "51.2", "66.67", "37.24", "9.88"}));
}

// The sums of three files of 2 MB in 1, 4 and 6 ms, as the reducer of Hadoop 3.5.0 wrote them.
TEST(ResultBlock, sums_are_the_text_of_the_reducer) {
  TaskSums three;
  for (const int ms : {1, 4, 6}) three.add(Bytes(2 * k_mb), Duration::milliseconds(ms));
  EXPECT_EQ(three.text(),
            "f:rate\t2833333.2\nf:sqrate\t4.361111E9\nl:size\t6291456\nl:tasks\t3\nl:time\t11\n");
}

TEST(ResultBlock, failed_files_are_no_tasks) {
  record::StreamFiles files(2);
  files[0].bytes = files[1].bytes = Bytes(k_mb);
  files[0].transfer = files[1].transfer = Duration::microseconds(1499);
  files[1].outcome = target::Outcome::not_found;
  const TaskSums sums = sums_of(files);
  EXPECT_EQ(sums.tasks, 1);
  EXPECT_EQ(sums.bytes, 1 << 20);
  EXPECT_EQ(sums.milliseconds, 1);
}

class Layout : public ::testing::Test {
 protected:
  Layout() {
    setenv("TZ", "UTC", 1);
    tzset();
  }
  ResultBlock block_{.operation = Operation::write,
                     .ended = WallTime::from_ns(0),
                     .sums = sums(500, 4096 * k_mb, [](int i) { return 20000 + 37 * i; }),
                     .whole_test = Duration::milliseconds(61234)};
};

TEST_F(Layout, hadoop_2_7_prints_numbers_as_they_are) {
  EXPECT_EQ(text_of(lines_of(block_, Compat::v2_7)),
            "----- TestDFSIO ----- : write\n"
            "           Date & time: Thu Jan 01 00:00:00 UTC 1970\n"
            "       Number of files: 500\n"
            "Total MBytes processed: 2048000.0\n"
            "     Throughput mb/sec: 140.12281271915572\n"
            "Average IO rate mb/sec: 145.1027069091797\n"
            " IO rate std deviation: 27.64876936915452\n"
            "    Test exec time sec: 61.234\n"
            "\n");
}

TEST_F(Layout, hadoop_2_8_has_a_line_more) {
  EXPECT_EQ(text_of(lines_of(block_, Compat::v2_8)),
            "----- TestDFSIO ----- : write\n"
            "            Date & time: Thu Jan 01 00:00:00 UTC 1970\n"
            "        Number of files: 500\n"
            " Total MBytes processed: 2048000\n"
            "      Throughput mb/sec: 140.12\n"
            "Total Throughput mb/sec: 33.45\n"
            " Average IO rate mb/sec: 145.1\n"
            "  IO rate std deviation: 27.65\n"
            "     Test exec time sec: 61.23\n"
            "\n");
}

TEST_F(Layout, hadoop_3_is_that_without_the_line) {
  block_.operation = Operation::read_random;
  const auto lines = lines_of(block_, Compat::v3);
  EXPECT_EQ(lines.size(), 9U);
  EXPECT_EQ(lines[0], "----- TestDFSIO ----- : random read");
  EXPECT_EQ(lines[5], " Average IO rate mb/sec: 145.1");
}

TEST_F(Layout, console_lines_begin_as_log4j_begins_them) {
  const WallTime when = WallTime::from_ns(1566910130'045'000'000);
  EXPECT_EQ(log_prefix(Compat::v2_7, when), "19/08/27 12:48:50 INFO fs.TestDFSIO: ");
  EXPECT_EQ(log_prefix(Compat::v3, when), "2019-08-27 12:48:50,045 INFO fs.TestDFSIO: ");
}

TEST_F(Layout, every_operation_has_its_words) {
  EXPECT_EQ(title_of(Operation::append), "append");
  EXPECT_EQ(title_of(Operation::read_backward), "backward read");
  EXPECT_EQ(title_of(Operation::read_skip), "skip read");
  EXPECT_EQ(title_of(Operation::truncate), "truncate");
}

}  // namespace
}  // namespace loadline::dialects::testdfsio
