#include "dialects/testdfsio/testdfsio_output.h"

#include <gtest/gtest.h>

#include "dialects/testdfsio/command.h"
#include "dialects/testdfsio/testing.h"

namespace loadline::dialects::testdfsio {
namespace {

using testing::stream_file;
using testing::text_of_file;

class OutputTest : public ::testing::Test {
 protected:
  OutputTest() { testing::set_zone_to_utc(); }

  void start(const std::string& line) {
    const std::vector<std::string> types{"hadoop", "webhdfs", "posix"};
    Answer told = answer(testing::words(line), {.seed = 1, .target_types = types},
                         testing::World().surroundings());
    ASSERT_TRUE(told.planned) << told.err;
    planned_ = std::move(*told.planned);
    console_ = std::fopen((folder_ / "console").c_str(), "we");
    auto output = TestDfsioOutput::open(
        planned_.plan, planned_.source,
        {.result = folder_ / "results.log", .json = folder_ / "result.json"}, console_);
    ASSERT_TRUE(output) << output.error().message();
    output_ = std::move(*output);
    result_ = testing::run_of(planned_.plan);
  }
  ~OutputTest() override {
    if (console_ != nullptr) std::fclose(console_);
  }

  record::StreamFiles& files() { return result_.stages.back().jobs.front().files; }
  store::StoredRun stored() {
    return {folder_.path(), folder_.path(), "w1", planned_.plan, result_};
  }
  int finish() { return output_->finish(stored()); }
  std::string console() const { return text_of_file(folder_ / "console"); }
  bool says(const std::string& text) const { return console().find(text) != std::string::npos; }

  testing::Folder folder_;
  PlannedCommand planned_;
  record::RunResult result_;
  std::FILE* console_ = nullptr;
  std::unique_ptr<TestDfsioOutput> output_;
};

TEST_F(OutputTest, block_is_appended_to_the_result_file_and_logged) {
  std::ofstream(folder_ / "results.log") << "what was there\n";
  start("-write -nrFiles 2 -size 10MB");
  files() = {stream_file(1, 1, Bytes(10U << 20U), 0, 500),
             stream_file(0, 0, Bytes(10U << 20U), 0, 1000)};
  EXPECT_EQ(finish(), 0);
  EXPECT_EQ(text_of_file(folder_ / "results.log"),
            "what was there\n"
            "----- TestDFSIO ----- : write\n"
            "           Date & time: Thu Jan 01 00:00:00 UTC 1970\n"
            "       Number of files: 2\n"
            "Total MBytes processed: 20.0\n"
            "     Throughput mb/sec: 13.333333333333334\n"
            "Average IO rate mb/sec: 15.0\n"
            " IO rate std deviation: 5.0\n"
            "    Test exec time sec: 1.1\n"
            "\n");
  EXPECT_TRUE(says(" INFO fs.TestDFSIO:      Throughput mb/sec: 13.333333333333334\n"));
  EXPECT_TRUE(says(" INFO fs.TestDFSIO: \nLoadline: (MB are 2^20 bytes)\n")) << console();
  EXPECT_TRUE(
      says("  files       2 asked, 2 done, 0 of them short, 0 failed; 2 at once, so 1 wave"));
}

TEST_F(OutputTest, prelude_is_that_of_testdfsio) {
  start("-read -skip -nrFiles 3 -size 4GB -bufferSize 8388608");
  output_->begin();
  for (std::size_t stage = 0; stage < planned_.plan.stages.size(); ++stage) {
    output_->stage_begins(stage);
  }
  std::string bare;
  std::istringstream lines(console());
  for (std::string line; std::getline(lines, line);) {
    bare += line.substr(line.find("DFSIO: ") + 7) + "\n";
  }
  EXPECT_EQ(bare,
            "nrFiles = 3\n"
            "nrBytes (MB) = 4096.0\n"
            "bufferSize = 8388608\n"
            "skipSize = 8388608\n"
            "baseDir = /benchmarks/TestDFSIO\n"
            "creating control file: 4294967296 bytes, 3 files\n"
            "created control files for: 3 files\n");
}

TEST_F(OutputTest, missing_file_is_named_and_there_is_no_block) {
  start("-read -nrFiles 2");
  files() = {stream_file(0, 0, Bytes(1U << 20U), 0, 10), stream_file(1, 1, Bytes(), 0, 0)};
  files()[1].outcome = target::Outcome::not_found;
  files()[1].detail = "File does not exist: /benchmarks/TestDFSIO/io_data/test_io_1";
  result_.state = record::RunState::failed;
  result_.stages.back().state = record::StageState::failed;
  EXPECT_EQ(output_->epilogue(stored()), std::nullopt);
  EXPECT_EQ(finish(), 254);
  output_.reset();
  EXPECT_FALSE(std::filesystem::exists(folder_ / "results.log"));
  EXPECT_FALSE(says("----- TestDFSIO -----"));
  EXPECT_TRUE(
      says("failed      /benchmarks/TestDFSIO/io_data/test_io_1: not_found: File does not"));
}

TEST_F(OutputTest, keep_going_has_a_block_of_the_others) {
  start("-read -nrFiles 2 --keep-going");
  files() = {stream_file(0, 0, Bytes(1U << 20U), 0, 10), stream_file(1, 1, Bytes(), 0, 0)};
  files()[1].outcome = target::Outcome::not_found;
  result_.state = record::RunState::failed;
  result_.stages.back().state = record::StageState::failed;
  EXPECT_EQ(finish(), 254);
  EXPECT_NE(text_of_file(folder_ / "results.log").find("Number of files: 1\n"), std::string::npos);
}

TEST_F(OutputTest, short_files_are_counted_and_have_their_block) {
  start("-read -nrFiles 1 -size 5MB");
  files() = {stream_file(0, 0, Bytes(2U << 20U), 0, 10)};
  files()[0].short_of_size = true;
  EXPECT_EQ(finish(), 0);
  EXPECT_TRUE(says("Total MBytes processed: 2.0\n"));
  EXPECT_TRUE(says("1 asked, 1 done, 1 of them short"));
}

TEST_F(OutputTest, remarks_of_the_engine_are_told) {
  start("-clean");
  result_.stages[0].jobs[1].remarks = {"the folder stays"};
  EXPECT_EQ(finish(), 0);
  EXPECT_TRUE(says("loadline: the folder stays\n"));
}

TEST_F(OutputTest, stopped_run_ends_as_shells_say_it) {
  start("-write");
  output_->stopping(15);
  result_.state = record::RunState::cancelled;
  EXPECT_EQ(finish(), 143);
  EXPECT_FALSE(says("----- TestDFSIO -----"));
}

TEST_F(OutputTest, failure_before_the_run_is_told) {
  start("-write");
  result_.state = record::RunState::terminated;
  result_.reason = "stage old-control could not go on";
  result_.stages.resize(1);
  result_.stages[0].state = record::StageState::terminated;
  record::StreamFile denied = stream_file(0, 0, Bytes(), 0, 0);
  denied.outcome = target::Outcome::denied;
  denied.detail = "Permission denied: user=bench";
  result_.stages[0].jobs[0].files = {denied};
  EXPECT_EQ(finish(), 254);
  EXPECT_TRUE(
      says("loadline: /benchmarks/TestDFSIO/io_control/in_file_test_io_0: denied: "
           "Permission denied: user=bench\n"))
      << console();
  EXPECT_FALSE(says("could not go on"));
}

TEST_F(OutputTest, run_that_failed_for_no_file_gives_its_reason) {
  start("-write");
  result_.state = record::RunState::terminated;
  result_.stages[0].state = record::StageState::terminated;
  result_.stages[0].reason = "no session";
  result_.reason = "stage old-control: no session";
  EXPECT_EQ(finish(), 254);
  EXPECT_TRUE(says("loadline: old-control: no session\n"));
  EXPECT_FALSE(says("loadline: stage"));
}

TEST_F(OutputTest, epilogue_is_the_output_of_the_reducer) {
  start("-append -nrFiles 1");
  files() = {stream_file(0, 0, Bytes(1U << 20U), 0, 13)};
  const auto plan = output_->epilogue(stored());
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->stages[0].jobs[0].stream->folder, "benchmarks/TestDFSIO/io_append");
}

TEST_F(OutputTest, json_has_both_results) {
  std::ofstream(folder_ / "result.json") << std::string(4096, 'x');
  start("-write -nrFiles 1");
  files() = {stream_file(0, 0, Bytes(1U << 20U), 0, 0)};
  finish();
  const std::string json = text_of_file(folder_ / "result.json");
  EXPECT_NE(json.find("\"throughput_mb_s\": null"), std::string::npos) << json;
  EXPECT_NE(json.find("\"aggregate_wall\""), std::string::npos);
  EXPECT_EQ(json.find('x', json.rfind('}')), std::string::npos);
}

TEST_F(OutputTest, result_file_is_tried_before_anything) {
  start("-write");
  const auto refused = TestDfsioOutput::open(planned_.plan, planned_.source,
                                             {.result = folder_ / "none/x"}, console_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message(),
            "-resFile: cannot write to '" + (folder_ / "none/x") + "': No such file or directory");
}

TEST(Command, storage_that_is_not_built_is_named) {
  const std::vector<std::string> types{"posix", "s3"};
  const Answer told = answer(testing::words("-write"), {.seed = 1, .target_types = types},
                             testing::World().surroundings());
  EXPECT_EQ(told.exit_status, 254);
  EXPECT_EQ(told.err, "loadline: --target: this build has no storage hadoop; it has posix, s3\n");
}

TEST(Command, text_for_the_folder_has_no_secrets) {
  EXPECT_EQ(command_text(testing::words("-D fs.s3a.secret.key=geheim -write")),
            "testdfsio -D fs.s3a.secret.key=REDACTED -write\n");
}

}  // namespace
}  // namespace loadline::dialects::testdfsio
