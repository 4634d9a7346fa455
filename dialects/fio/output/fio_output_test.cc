#include "dialects/fio/output/fio_output.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "dialects/fio/output/testing.h"

namespace loadline::dialects::fio::output {
namespace {

using testing::FakeRun;
using testing::Folder;

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The two streams as files.
struct Captured {
  Folder folder;
  FioOutput::Streams streams{.out = std::fopen((folder / "out").c_str(), "w"),
                             .err = std::fopen((folder / "err").c_str(), "w")};
  ~Captured() {
    std::fclose(streams.out);
    std::fclose(streams.err);
  }
  std::string out() const { return text_of(folder / "out"); }
  std::string err() const { return text_of(folder / "err"); }
};

int play(FakeRun& run, const Captured& captured) {
  auto output = FioOutput::open(run.plan(), captured.streams);
  EXPECT_TRUE(output.has_value());
  if (!output) return -1;
  (*output)->begin();
  (*output)->stage_begins(0);
  for (const record::Tick& tick : run.ticks()) (*output)->consume(tick);
  return (*output)->finish(run.stored());
}

TEST(FioOutput, prints_the_formats_in_the_order_of_fio) {
  FakeRun run;
  run.add_job("a").run->formats = {.normal = true, .terse = true, .json = true};
  run.fill(10);
  Captured captured;
  EXPECT_EQ(play(run, captured), 0);
  const std::string out = captured.out();
  const std::size_t opening = out.find("a: (g=0): rw=randrw");
  const std::size_t terse = out.find("3;fio-3.33;a;0;0;");
  const std::size_t json = out.find("{\n  \"fio version\"");
  const std::size_t normal = out.find("}\n\na: (groupid=0");
  EXPECT_EQ(opening, 0U);
  EXPECT_LT(opening, terse);
  EXPECT_LT(terse, json);
  EXPECT_LT(json, normal);
  EXPECT_NE(normal, std::string::npos);
}

TEST(FioOutput, keeps_messages_out_of_the_output_file) {
  FakeRun run;
  Captured captured;
  JobSource& source = run.add_job("a");
  source.run->formats = {.json = true};
  source.run->output = captured.folder / "result.json";
  run.fill(10);
  record::BlockCounters& counters = *run.result().stages[0].jobs[0].block;
  counters.stop = record::BlockStop::error;
  counters.failure = {.error = 28,
                      .operation = "write",
                      .file = "t.dat",
                      .offset = Bytes(4096),
                      .length = Bytes(512),
                      .text = ""};
  EXPECT_EQ(play(run, captured), 1);
  EXPECT_EQ(captured.out(), "");
  EXPECT_TRUE(nlohmann::json::accept(text_of(captured.folder / "result.json")));
  EXPECT_EQ(captured.err(),
            "fio: io_u error on file t.dat: No space left on device: write offset=4096, "
            "buflen=512\n"
            "fio: pid=16684, err=28/file:t.dat, func=write, error=No space left on device\n");
}

TEST(FioOutput, says_in_fios_words_that_an_operation_took_too_long) {
  FakeRun run;
  Captured captured;
  run.add_job("a");
  run.fill(10);
  record::BlockCounters& counters = *run.result().stages[0].jobs[0].block;
  counters.stop = record::BlockStop::error;
  counters.failure = {.error = 110,
                      .operation = "write",
                      .file = "x",
                      .offset = Bytes(0),
                      .length = Bytes(4096),
                      .text = "latency of 26940 nsec exceeds specified max (1000 nsec)"};
  EXPECT_EQ(play(run, captured), 1);
  EXPECT_EQ(captured.err(),
            "fio: latency of 26940 nsec exceeds specified max (1000 nsec): x write 0 4096\n"
            "fio: pid=16684, err=110/file:x, func=max latency exceeded, error=Connection timed "
            "out\n");
  const std::string block = "err=110 (file:x, func=max latency exceeded, error=Connection timed";
  EXPECT_NE(captured.out().find(block), std::string::npos) << captured.out();
}

TEST(FioOutput, refuses_a_file_in_a_folder_that_is_missing) {
  FakeRun run;
  run.add_job("a").run->output = "no/such/file";
  auto output = FioOutput::open(run.plan());
  ASSERT_FALSE(output.has_value());
  EXPECT_TRUE(output.error().message().starts_with(
      "output file open error: No such file or directory; there is no folder 'no/such' in /"))
      << output.error().message();
  EXPECT_TRUE(output.error().message().ends_with("make it with: mkdir -p no/such"));
}

TEST(FioOutput, counts_failed_jobs_in_its_exit_status) {
  record::RunResult result;
  result.state = record::RunState::finished;
  EXPECT_EQ(exit_status(result), 0);
  record::JobResult bad;
  bad.block.emplace().stop = record::BlockStop::error;
  result.stages.emplace_back().jobs.assign(2, bad);
  EXPECT_EQ(exit_status(result), 2);
  result.stages[0].jobs.assign(256, bad);
  EXPECT_EQ(exit_status(result), 255);
  result.state = record::RunState::cancelled;
  EXPECT_EQ(exit_status(result), 128);
}

TEST(FioOutput, fails_where_a_stage_failed_without_a_job_to_blame) {
  record::RunResult result;
  result.state = record::RunState::terminated;
  result.stages.emplace_back().state = record::StageState::terminated;
  EXPECT_EQ(exit_status(result), 1);
}

TEST(FioOutput, says_at_once_which_signal_ends_the_run) {
  FakeRun run;
  run.add_job("a");
  const Captured captured;
  auto output = FioOutput::open(run.plan(), captured.streams);
  ASSERT_TRUE(output.has_value());
  (*output)->stopping(15);
  std::fflush(captured.streams.err);
  EXPECT_EQ(captured.err(), "\nfio: terminating on signal 15\n");
}

TEST(FioOutput, a_killed_process_is_a_failed_job) {
  record::RunResult result;
  result.state = record::RunState::failed;
  record::StageResult& stage = result.stages.emplace_back();
  stage.state = record::StageState::failed;
  record::BlockCounters& counters = stage.jobs.emplace_back().block.emplace();
  counters.stop = record::BlockStop::error;
  counters.signal = 9;
  EXPECT_EQ(exit_status(result), 1);
}

TEST(FioOutput, dumps_what_was_done_so_far) {
  FakeRun run;
  JobSource& source = run.add_job("a");
  source.run->formats = {.terse = true};
  source.run->status_interval = Duration::seconds(1);
  run.fill(100);
  Captured captured;
  play(run, captured);
  std::istringstream lines(captured.out());
  std::vector<std::string> kbytes;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string field;
    for (int i = 0; i < 6; ++i) std::getline(fields, field, ';');
    kbytes.push_back(field);
  }
  EXPECT_EQ(kbytes, (std::vector<std::string>{"1200", "2400", "2400"}));
}

TEST(FioOutput, dumps_what_jobs_cost_and_how_deep_they_were_so_far) {
  FakeRun run;
  JobSource& source = run.add_job("a");
  source.run->formats = {.json = true};
  source.run->status_interval = Duration::seconds(1);
  run.fill(100);
  Captured captured;
  play(run, captured);
  const std::string out = captured.out();
  const auto first = nlohmann::json::parse(out.substr(0, out.find("\n}\n") + 3));
  EXPECT_EQ(first["jobs"][0]["usr_cpu"], 10.0) << "100 ms of a second";
  EXPECT_EQ(first["jobs"][0]["ctx"], 14);
  EXPECT_EQ(first["jobs"][0]["iodepth_level"]["2"], 100.0);
}

TEST(FioOutput, shows_a_line_of_progress_where_it_is_asked_for) {
  FakeRun run;
  JobSource& source = run.add_job("a");
  source.run->eta = CommandOptions::Eta::always;
  run.job(0).stop.runtime = Duration::seconds(4);
  run.job(0).block->time_based = true;
  run.fill(100);
  Captured captured;
  play(run, captured);
  EXPECT_NE(captured.out().find("Jobs: 1 (f=1): [M(1)][25.0%][r=1200KiB/s,w=600KiB/s]"
                                "[r=300,w=150 IOPS][eta 00m:03s]\r"),
            std::string::npos)
      << captured.out();
}

TEST(FioOutput, is_silent_on_the_terminal_with_an_output_file) {
  FakeRun run;
  Captured captured;
  JobSource& source = run.add_job("a");
  source.run->terminal = true;
  source.run->output = captured.folder / "result.log";
  run.fill(10);
  EXPECT_EQ(play(run, captured), 0);
  EXPECT_EQ(captured.out() + captured.err(), "");
  EXPECT_TRUE(text_of(captured.folder / "result.log").starts_with("a: (g=0): rw=randrw, bs="));
}

TEST(Logs, have_each_interval_once_on_a_fixed_grid) {
  FakeRun run;
  Captured captured;
  JobSource& source = run.add_job("a");
  source.report.bandwidth_log = {true, captured.folder / "x"};
  source.report.iops_log = source.report.bandwidth_log;
  source.report.latency_log = source.report.bandwidth_log;
  source.report.log_avg = Duration::seconds(1);
  run.fill(100);
  play(run, captured);
  EXPECT_EQ(text_of(captured.folder / "x_iops.1.log"),
            "1000, 300, 0, 0, 0\n1000, 150, 1, 0, 0\n2000, 300, 0, 0, 0\n2000, 150, 1, 0, 0\n");
  EXPECT_EQ(text_of(captured.folder / "x_bw.1.log"),
            "1000, 1200, 0, 0, 0\n1000, 600, 1, 0, 0\n2000, 1200, 0, 0, 0\n2000, 600, 1, 0, 0\n");
  EXPECT_TRUE(text_of(captured.folder / "x_clat.1.log").starts_with("1000, "));
  EXPECT_TRUE(std::filesystem::exists(captured.folder / "x_slat.1.log"));
}

TEST(Logs, of_histograms_have_the_columns_of_fio) {
  FakeRun run;
  Captured captured;
  JobSource& source = run.add_job("a");
  source.report.histogram_log = {true, captured.folder / "x"};
  source.report.log_hist = Duration::milliseconds(500);
  run.fill(100);
  play(run, captured);
  std::istringstream lines(text_of(captured.folder / "x_clat_hist.1.log"));
  std::size_t count = 0;
  std::uint64_t sum = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_EQ(std::ranges::count(line, ','), 1858);
    std::istringstream fields(line);
    std::string field;
    for (int i = 0; std::getline(fields, field, ','); ++i) {
      if (i >= 3) sum += std::stoul(field);
    }
  }
  EXPECT_EQ(count, 8U);
  EXPECT_EQ(sum, 900U);
  EXPECT_EQ(fio_bucket(127), 127U);
  EXPECT_EQ(fio_bucket(128), 128U);
  EXPECT_EQ(fio_bucket(130), 129U);
  EXPECT_EQ(fio_bucket(UINT64_MAX), 1855U);
}

}  // namespace
}  // namespace loadline::dialects::fio::output
