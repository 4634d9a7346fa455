// The files of a run, against COSBench's own of the same workload.
#include "dialects/cosbench/classic_report.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <sstream>

#include "dialects/cosbench/testing.h"
#include "store/archive.h"

namespace loadline::dialects::cosbench {
namespace {

namespace fs = std::filesystem;
using record::StageState;

const std::string k_originals = LOADLINE_TESTDATA "/archive/";

// 2026-11-30 16:12:45 UTC, when the original was submitted.
constexpr WallTime k_submitted = WallTime::from_ns(1'796'055'165'000'000'000);
WallTime after(std::int64_t seconds) { return k_submitted + Duration::seconds(seconds); }

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  if (text.ends_with(separator)) parts.emplace_back();
  return parts;
}
std::vector<std::string> lines_of(const fs::path& path) {
  std::vector<std::string> lines = split(read_file(path), '\n');
  if (!lines.empty()) lines.pop_back();
  return lines;
}

// What one operation did in a second.
record::OpStats second_of(std::uint64_t successes, std::uint64_t failures, std::uint64_t bytes_each,
                          Duration latency) {
  record::OpStats stats;
  stats.outcomes[0] = successes;
  stats.bytes = Bytes(successes * bytes_each);
  if (successes > 0) {
    stats.service.add(latency, successes);
    stats.first_byte.add(latency / 2, successes);
  }
  const auto outcome = target::Outcome::server_error;
  stats.outcomes[static_cast<std::size_t>(outcome)] = failures;
  for (std::uint64_t i = 0; i < failures; ++i) {
    stats.count_failure(outcome, 500, "ref-3", "myobjects13", "error injection");
  }
  return stats;
}

// A run of the workload that the original ran as w1, with round numbers in it.
class ClassicReportTest : public ::testing::Test {
 protected:
  ClassicReportTest() {
    ::setenv("TZ", "UTC0", 1);
    ::tzset();
    std::string name = fs::temp_directory_path() / "loadline-classic-XXXXXX";
    archive_ = ::mkdtemp(name.data());
  }
  ~ClassicReportTest() override { fs::remove_all(archive_); }

  void load_plan(const std::string& text, std::vector<report::Setting> settings = {}) {
    auto parsed = parse_for_test(text, std::move(settings));
    ASSERT_TRUE(parsed.plan) << messages(parsed);
    plan_ = std::move(*parsed.plan);
    files_ = std::move(parsed.files);
    result_ = {.state = record::RunState::finished};
    result_.submitted = result_.started = k_submitted;
    result_.ended = after(64);
    for (const plan::Stage& stage : plan_.stages) {
      result_.stages.push_back(
          {.id = stage.id, .name = stage.name, .history = {{StageState::waiting, k_submitted}}});
    }
  }

  // Runs stage `index` for `seconds` seconds from `start` on; `per_second` has one entry an
  // operation, all works in order.
  void run_stage(std::size_t index, std::int64_t start, std::int64_t seconds,
                 const std::vector<record::OpStats>& per_second) {
    record::StageResult& stage = result_.stages[index];
    stage.state = StageState::completed;
    stage.started = after(start);
    stage.ended = after(start + seconds);
    stage.history.emplace_back(StageState::running, stage.started);
    stage.history.emplace_back(StageState::completed, stage.ended);
    std::vector<std::vector<record::OpStats>> jobs;
    std::size_t op = 0;
    for (const plan::Job& job : plan_.stages[index].jobs) {
      record::JobResult result{.name = job.name, .label = job.label, .workers = job.workers};
      result.window = Duration::seconds(seconds);
      auto& ops = jobs.emplace_back();
      for (const plan::OpSpec& spec : job.ops) {
        ops.push_back(per_second[op++]);
        record::OpStats total;
        for (std::int64_t s = 0; s < seconds; ++s) total.merge(ops.back());
        result.ops.push_back({spec.name, spec.label, spec.action, std::move(total)});
      }
      stage.jobs.push_back(std::move(result));
    }
    for (std::int64_t s = 0; s < seconds; ++s) {
      ticks_.push_back({.stage = static_cast<std::uint32_t>(index),
                        .index = static_cast<std::uint64_t>(s),
                        .start = Duration::seconds(s),
                        .length = Duration::seconds(1),
                        .ended = after(start + s + 1),
                        .jobs = jobs});
    }
  }

  // Stores and writes it; the run's folder.
  fs::path write() {
    auto archive = store::Archive::open(archive_);
    EXPECT_TRUE(archive);
    auto writer = (*archive)->begin(plan_, files_);
    EXPECT_TRUE(writer) << writer.error().message();
    for (const record::Tick& tick : ticks_) (*writer)->consume(tick);
    EXPECT_TRUE((*writer)->finish(result_));
    auto run = (*archive)->load((*writer)->id());
    EXPECT_TRUE(run) << run.error().message();
    const auto written = write_classic_report(*run);
    EXPECT_TRUE(written) << written.error().message();
    return run->folder();
  }

  void load_refmock() {
    load_plan(read_file(k_originals + "w1-refmock/workload-config.xml"));
    const Duration ms = Duration::milliseconds(2);
    run_stage(0, 0, 6, {second_of(0, 0, 0, ms)});
    run_stage(1, 8, 1, {second_of(198, 2, 64'000, ms)});
    run_stage(2, 16, 23,
              {second_of(1000, 21, 65'536, Duration::microseconds(280)),
               second_of(500, 0, 34'000, ms), second_of(90, 0, 0, ms), second_of(80, 0, 0, ms),
               second_of(17, 0, 65'536, ms), second_of(13, 0, 65'536, ms)});
    result_.stages[3].state = StageState::completed;
    result_.stages[3].history.emplace_back(StageState::sleeping, after(44));
    result_.stages[3].history.emplace_back(StageState::completed, after(49));
    run_stage(4, 49, 1, {second_of(400, 0, 0, ms)});
    run_stage(5, 56, 1, {second_of(0, 0, 0, ms)});
  }

  static void expect_golden(const fs::path& file) {
    const fs::path golden = fs::path(LOADLINE_TESTDATA "/report") / file.filename();
    const std::string text = read_file(file);
    if (std::getenv("LOADLINE_UPDATE_GOLDEN") != nullptr) std::ofstream(golden) << text;
    EXPECT_EQ(text, read_file(golden)) << golden;
  }

  fs::path archive_;
  plan::Plan plan_;
  std::map<std::string, std::string> files_;
  record::RunResult result_;
  std::vector<record::Tick> ticks_;
};

TEST_F(ClassicReportTest, has_the_file_names_of_the_original) {
  load_refmock();
  const fs::path folder = write();
  EXPECT_EQ(folder.filename(), "w1-refmock");
  for (const auto& entry : fs::directory_iterator(k_originals + "w1-refmock")) {
    EXPECT_TRUE(fs::exists(folder / entry.path().filename())) << entry.path().filename();
  }
  EXPECT_TRUE(fs::exists(folder / "workload.log"));
  EXPECT_TRUE(fs::exists(archive_ / "run-history.csv"));
  EXPECT_TRUE(fs::exists(archive_ / "workloads.csv"));
}

TEST_F(ClassicReportTest, has_the_header_lines_of_the_original) {
  load_refmock();
  const fs::path folder = write();
  for (const char* name : {"w1-refmock.csv", "s1-init.csv", "s2-prepare.csv", "s3-main.csv",
                           "s5-cleanup.csv", "s6-dispose.csv", "s4-delay.csv"}) {
    const auto original = lines_of(k_originals + "w1-refmock/" + name);
    const auto ours = lines_of(folder / name);
    const std::size_t heads = std::string(name) == "w1-refmock.csv" ? 1 : 2;
    for (std::size_t i = 0; i < std::min(heads, original.size()); ++i) {
      EXPECT_EQ(ours.at(i), original[i]) << name;
    }
    EXPECT_EQ(ours.empty(), original.empty()) << name;
  }
  for (const char* name : {"run-history.csv", "workloads.csv"}) {
    EXPECT_EQ(lines_of(archive_ / name).at(0), lines_of(k_originals + name).at(0)) << name;
  }
  EXPECT_EQ(read_file(folder / "scripts.log"), read_file(k_originals + "w1-refmock/scripts.log"));
}

TEST_F(ClassicReportTest, has_the_rows_of_the_original) {
  load_refmock();
  const fs::path folder = write();
  const auto original = lines_of(k_originals + "w1-refmock/w1-refmock.csv");
  const auto ours = lines_of(folder / "w1-refmock.csv");
  ASSERT_EQ(ours.size(), original.size());
  for (std::size_t i = 1; i < ours.size(); ++i) {
    const auto our_cells = split(ours[i], ',');
    const auto cells = split(original[i], ',');
    ASSERT_EQ(our_cells.size(), cells.size()) << ours[i];
    for (const std::size_t c : {0U, 1U, 2U, 16U}) EXPECT_EQ(our_cells[c], cells[c]);
    for (std::size_t c = 17; c < cells.size(); ++c) {
      EXPECT_EQ(our_cells[c].substr(0, our_cells[c].find(' ')),
                cells[c].substr(0, cells[c].find(' ')));
    }
  }
  const auto first_cells = [](const std::vector<std::string>& rows) {
    std::vector<std::string> cells;
    for (const std::string& row : rows) {
      if (row.starts_with("w1-")) cells.push_back(row.substr(0, row.find(',', row.find(',') + 1)));
    }
    return cells;
  };
  EXPECT_EQ(first_cells(lines_of(archive_ / "workloads.csv")),
            first_cells(lines_of(k_originals + "workloads.csv")));
}

TEST_F(ClassicReportTest, is_golden) {
  load_refmock();
  result_.stages[2].trigger_output = "hello";
  const fs::path folder = write();
  for (const char* name : {"w1-refmock.csv", "s1-init.csv", "s2-prepare.csv", "s3-main.csv",
                           "s5-cleanup.csv", "workload.log", "scripts.log"}) {
    expect_golden(folder / name);
  }
  expect_golden(archive_ / "run-history.csv");
  expect_golden(archive_ / "workloads.csv");
}

TEST_F(ClassicReportTest, timeline_rows_add_up_to_the_totals) {
  load_refmock();
  const fs::path folder = write();
  const auto rows = lines_of(folder / "s3-main.csv");
  ASSERT_EQ(rows.size(), 2U + 5U);
  std::uint64_t count = 0;
  for (std::size_t i = 2; i < rows.size(); ++i) {
    const auto cells = split(rows[i], ',');
    EXPECT_EQ(cells.size(), 1U + 7 * 6 + 3) << rows[i];
    count += std::stoull(cells[1]);
  }
  const auto totals = split(lines_of(folder / "w1-refmock.csv").at(3), ',');
  EXPECT_EQ(totals[1], "read");
  EXPECT_EQ(std::to_string(count), totals[3]);
}

TEST_F(ClassicReportTest, idle_intervals_are_rows_of_zeros_and_a_short_end_joins_the_last_row) {
  load_plan(read_file(LOADLINE_TESTDATA "/validation/named.xml"));
  run_stage(0, 0, 15, {second_of(10, 0, 1, {}), second_of(0, 0, 1, {})});
  for (record::Tick& tick : ticks_) {
    if (tick.index >= 5 && tick.index < 10) tick.jobs[0][0] = {};
  }
  record::Tick end = ticks_.back();
  end.index = 15;
  end.start = Duration::seconds(15);
  end.length = Duration::milliseconds(3);
  ticks_.push_back(end);
  const auto rows = lines_of(write() / "s1-m.csv");
  ASSERT_EQ(rows.size(), 2U + 3U);
  EXPECT_EQ(rows[3], "16:12:55,0,0,0,0,N/A,N/A,N/A,N/A,0,0,0,0,N/A,N/A,1,1,1");
  EXPECT_EQ(split(rows[4], ',')[1], "60");
}

TEST_F(ClassicReportTest, histogram_has_all_buckets_and_appends_what_the_original_leaves_out) {
  load_refmock();
  const auto rows = lines_of(write() / "w1-refmock-rt-histogram.csv");
  const auto original = lines_of(k_originals + "w1-refmock/w1-refmock-rt-histogram.csv");
  ASSERT_EQ(rows.size(), 50'002U);
  EXPECT_TRUE(rows[0].starts_with(original[0])) << rows[0];
  EXPECT_EQ(rows[0].substr(original[0].size()),
            ",s1-init-w1-init-init-write,(%),s2-prepare-w1-prepare-prepare-write,(%)"
            ",s3-main-w2-tworeads-1-read-read,(%),s3-main-w2-tworeads-2-read-read,(%)"
            ",s5-cleanup-w1-cleanup-cleanup-delete,(%),s6-dispose-w1-dispose-dispose-delete,(%)");
  EXPECT_EQ(
      rows[1],
      "0~10,23000,100%,11500,100%,2070,100%,1840,100%,0,0%,198,100%,391,100%,299,100%,400,100%,"
      "0,0%");
  EXPECT_EQ(rows[2].substr(0, 20), "10~20,0,100%,0,100%,");
  EXPECT_EQ(rows.back().substr(0, 17), "500000~+INF,0,100");
}

TEST_F(ClassicReportTest, slow_operations_land_in_their_bucket_and_the_last_one_is_open) {
  load_plan(read_file(LOADLINE_TESTDATA "/validation/lockstep.xml"));
  run_stage(0, 0, 1, {second_of(1, 0, 0, Duration::milliseconds(95))});
  auto& stats = result_.stages[0].jobs[0].ops[0].stats;
  stats.service.add(Duration::seconds(600));
  stats.service.add(Duration::seconds(60'000));
  const auto rows = lines_of(write() / "w1-lockstep-rt-histogram.csv");
  EXPECT_EQ(rows[1], "0~10,0,0%");
  EXPECT_EQ(rows[10], "90~100,1,33.33%");
  EXPECT_EQ(rows.back(), "500000~+INF,2,100%");
}

TEST_F(ClassicReportTest, no_histogram_asked_for_means_no_percentiles) {
  load_plan(read_file(LOADLINE_TESTDATA "/validation/lockstep.xml"),
            {{"operation.config.histogram", "false"}});
  run_stage(0, 0, 1, {second_of(1, 0, 0, Duration::milliseconds(95))});
  const fs::path folder = write();
  EXPECT_EQ(lines_of(folder / "w1-lockstep-rt-histogram.csv")[0], "ResTime");
  EXPECT_TRUE(lines_of(folder / "w1-lockstep.csv")
                  .at(1)
                  .starts_with("s1-m,read,read,1,0,95,47.5,N/A,N/A,N/A,N/A,N/A,N/A,1,0,100%,"));
}

TEST_F(ClassicReportTest, stages_without_a_report_have_one_row_of_nothing) {
  load_refmock();
  for (std::size_t i = 2; i < result_.stages.size(); ++i) {
    result_.stages[i].jobs.clear();
    result_.stages[i].state = i == 2 ? StageState::terminated : StageState::aborted;
    result_.stages[i].history = {{StageState::waiting, k_submitted},
                                 {result_.stages[i].state, after(9)}};
    result_.stages[i].reason = i == 2 ? "cannot create ref-1: 403" : "";
  }
  std::erase_if(ticks_, [](const record::Tick& tick) { return tick.stage >= 2; });
  result_.state = record::RunState::terminated;
  const fs::path folder = write();
  EXPECT_EQ(lines_of(folder / "w1-refmock.csv").at(3),
            "main,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,terminated,"
            "waiting @ 2026-11-30 16:12:45,terminated @ 2026-11-30 16:12:54");
  EXPECT_EQ(read_file(folder / "s3-main.csv"), "");
  EXPECT_NE(read_file(folder / "workload.log").find("[ERROR] [Stage] - terminated: cannot create"),
            std::string::npos);
  EXPECT_EQ(lines_of(archive_ / "workloads.csv").size(), 3U);
  EXPECT_NE(
      read_file(archive_ / "run-history.csv").find(",terminated,queuing @ 2026-11-30 16:12:45,"),
      std::string::npos);
}

TEST_F(ClassicReportTest, second_run_is_appended_without_a_header) {
  load_plan(read_file(LOADLINE_TESTDATA "/validation/lockstep.xml"), {{"workload.name", "a,b"}});
  run_stage(0, 0, 1, {second_of(1, 0, 0, {})});
  write();
  write();
  const auto lines = lines_of(archive_ / "run-history.csv");
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_TRUE(lines[1].starts_with("w1,a-b,2026-11-30 16:12:45,")) << lines[1];
  EXPECT_TRUE(lines[2].starts_with("w2,a-b,")) << lines[2];
}

TEST_F(ClassicReportTest, says_what_could_not_be_written) {
  load_plan(read_file(LOADLINE_TESTDATA "/validation/lockstep.xml"));
  const store::StoredRun run(archive_, archive_ / "gone", "w1", plan_, result_);
  const auto written = write_classic_report(run);
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message().find("gone"), std::string::npos);
  // The archive's own files are written all the same.
  EXPECT_EQ(lines_of(archive_ / "run-history.csv").size(), 2U);
}

}  // namespace
}  // namespace loadline::dialects::cosbench
