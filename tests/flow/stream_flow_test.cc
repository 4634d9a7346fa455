// Jobs on streams from a plan to a stored result, on files of this machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/count_command.h"
#include "app/epilogue.h"
#include "app/tables.h"
#include "base/cycle_clock.h"
#include "drive/run.h"
#include "report/console.h"
#include "store/archive.h"

namespace loadline::flow {
namespace {

namespace fs = std::filesystem;
using plan::StreamAction;
using record::RunState;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class StreamFlowTest : public ::testing::Test {
 protected:
  StreamFlowTest() {
    std::string pattern = "/var/tmp/loadline-streams-XXXXXX";
    if (const char* made = ::mkdtemp(pattern.data())) folder_ = made;
    fs::create_directories(folder_ / "data");
  }
  ~StreamFlowTest() override { fs::remove_all(folder_); }

  plan::TargetSpec target() const {
    plan::TargetSpec spec{.type = "posix"};
    spec.parameters.set("root", (folder_ / "data").string());
    return spec;
  }
  void add(plan::Plan& plan, const plan::StreamIo& stream, std::uint32_t workers = 2) const {
    const std::string name(to_string(stream.action));
    plan::Stage stage{.id = "s" + std::to_string(plan.stages.size() + 1), .name = name};
    stage.jobs.push_back({.name = name, .target = target(), .workers = workers, .stream = stream});
    plan.stages.push_back(std::move(stage));
  }
  static plan::StreamIo io(StreamAction action) {
    return {.action = action,
            .folder = "benchmarks/io_data",
            .prefix = "test_io_",
            .files = 5,
            .size = Bytes(300'000),
            .buffer = Bytes(65'536),
            .fill = plan::StreamFill::random};
  }
  static plan::Plan empty() { return {.name = "streams", .dialect = "none", .seed = 5}; }

  // Runs, stores, and gives back what was stored.
  store::StoredRun run(const plan::Plan& plan) {
    auto prepared = drive::Run::prepare(plan, {.target_types = &types_, .clock = &clock_});
    EXPECT_TRUE(prepared.has_value()) << prepared.error().message();
    auto archive = store::Archive::open(folder_ / "archive");
    auto writer = (*archive)->begin(plan, {});
    const record::RunResult result = (*prepared)->execute(**writer);
    EXPECT_TRUE((*writer)->finish(result).has_value());
    auto stored = (*archive)->load("last");
    EXPECT_TRUE(stored.has_value());
    return std::move(*stored);
  }
  fs::path data() const { return folder_ / "data/benchmarks/io_data"; }

  CycleClock clock_;
  const std::vector<target::TargetType> types_ = targets::all();
  fs::path folder_;
};

TEST_F(StreamFlowTest, writes_reads_and_removes_files) {
  plan::Plan plan = empty();
  add(plan, io(StreamAction::remove));
  add(plan, io(StreamAction::write));
  plan::StreamIo append = io(StreamAction::append);
  append.size = Bytes(100'000);
  add(plan, append);
  plan::StreamIo read = io(StreamAction::read);
  read.size = Bytes(400'000);
  read.verify = true;
  add(plan, read);
  read.action = StreamAction::read_random;
  add(plan, read);
  plan::StreamIo cut = io(StreamAction::truncate);
  cut.size = Bytes(1000);
  add(plan, cut);
  const store::StoredRun done = run(plan);
  ASSERT_EQ(done.result().state, RunState::finished) << done.result().reason;
  EXPECT_EQ(done.plan(), plan);
  EXPECT_EQ(fs::file_size(data() / "test_io_4"), 1000U);
  const auto& stages = done.result().stages;
  for (const std::size_t stage : {1, 2, 3, 4, 5}) {
    ASSERT_THAT(stages[stage].jobs[0].files, SizeIs(5)) << stage;
    EXPECT_EQ(stages[stage].jobs[0].ops[0].stats.successes(), 5U);
    EXPECT_EQ(stages[stage].jobs[0].ops[2].stats.successes(), 5U);
  }
  EXPECT_EQ(stages[1].jobs[0].ops[1].stats.bytes, Bytes(5 * 300'000));
  EXPECT_EQ(stages[1].jobs[0].ops[1].stats.successes(), 25U);
  EXPECT_EQ(stages[3].jobs[0].ops[1].stats.bytes, Bytes(5 * 400'000));
  EXPECT_EQ(stages[5].jobs[0].files[0].bytes, Bytes(399'000));
  const std::string shown = report::result_text(done.result(), {}, {});
  for (const char* row :
       {"s1 +remove +0 +0", "s2 +open +5 +0", "write +25 +0", "close +5 +0", "truncate +5 +0"}) {
    EXPECT_THAT(shown, ContainsRegex(row));
  }
  plan::Plan clean = empty();
  std::ofstream(data() / "of_another") << "x";
  add(clean, io(StreamAction::remove));
  const store::StoredRun cleaned = run(clean);
  EXPECT_EQ(cleaned.result().state, RunState::finished);
  EXPECT_FALSE(fs::exists(data() / "test_io_0"));
  EXPECT_TRUE(fs::exists(data() / "of_another"));
  ASSERT_THAT(cleaned.result().stages[0].jobs[0].remarks, SizeIs(1));
  EXPECT_THAT(cleaned.result().stages[0].jobs[0].remarks[0], HasSubstr("of_another"));
}

TEST_F(StreamFlowTest, fails_with_the_file_that_is_missing) {
  fs::create_directories(data());
  std::ofstream(data() / "test_io_0") << std::string(300'000, 'x');
  plan::Plan plan = empty();
  add(plan, io(StreamAction::read), 1);
  const store::StoredRun done = run(plan);
  EXPECT_EQ(done.result().state, RunState::failed);
  EXPECT_THAT(done.result().reason, HasSubstr("benchmarks/io_data/test_io_1: not_found: "));
  EXPECT_THAT(done.result().stages[0].jobs[0].files, SizeIs(2));
}

TEST_F(StreamFlowTest, refuses_a_folder_that_is_missing_before_anything_is_touched) {
  plan::Plan plan = empty();
  add(plan, io(StreamAction::read));
  const auto prepared = drive::Run::prepare(plan, {.target_types = &types_, .clock = &clock_});
  ASSERT_FALSE(prepared.has_value());
  EXPECT_THAT(prepared.error().message(), HasSubstr("io_data"));
}

TEST_F(StreamFlowTest, does_what_follows_a_run_and_says_what_it_cannot) {
  plan::Plan plan = empty();
  plan::StreamIo put = io(StreamAction::put);
  put.puts = {{"part-00000", "l:tasks\t5\n"}, {"_SUCCESS", ""}};
  put.folder = "benchmarks/io_write";
  add(plan, put, 1);
  const app::Epilogue done = app::run_epilogue(plan, types_, clock_);
  EXPECT_TRUE(done.done.has_value()) << done.done.error().message();
  EXPECT_FALSE(done.left_threads);
  EXPECT_EQ(fs::file_size(folder_ / "data/benchmarks/io_write/part-00000"), 10U);
  fs::remove_all(folder_ / "data");
  std::ofstream(folder_ / "data") << "no folder";
  const app::Epilogue failed = app::run_epilogue(plan, types_, clock_);
  ASSERT_FALSE(failed.done.has_value());
  EXPECT_THAT(failed.done.error().message(), HasSubstr("part-00000"));
}

TEST_F(StreamFlowTest, counts_instead_of_running) {
  fs::create_directories(data());
  std::ofstream(data() / "f") << "12345";
  plan::TargetSpec unknown{.type = "no_such_storage"};
  std::vector<std::string> shown;
  const report::CountRequest request{
      .paths = {{target(), "benchmarks"}, {target(), "none"}, {unknown, "benchmarks"}},
      .show =
          [&](std::size_t path, const Result<target::ContentSummary>& counted) {
            std::string line = std::to_string(path) + ": ";
            line += counted ? std::to_string(counted->folders) + " " +
                                  std::to_string(counted->bytes.count())
                            : std::string(to_string(counted.error().code));
            shown.push_back(std::move(line));
          },
      .finish = [] { return 7; }};
  EXPECT_EQ(app::count_command(request, types_), 7);
  EXPECT_THAT(shown, ElementsAre("0: 2 5", "1: not found", "2: unsupported"));
}

}  // namespace
}  // namespace loadline::flow
