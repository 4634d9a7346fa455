#include "store/archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>

#include "plan/testing.h"
#include "plan/text.h"
#include "record/hdr_log.h"
#include "store/testing.h"

namespace loadline::store {
namespace {

namespace fs = std::filesystem;
using plan::testing::small_plan;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::some_tick;
using ::testing::StartsWith;

std::string file_text(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class ArchiveTest : public ::testing::Test {
 protected:
  ArchiveTest() {
    std::string name = fs::temp_directory_path() / "loadline-archive-XXXXXX";
    scratch_ = ::mkdtemp(name.data());
    folder_ = scratch_ / "archive";
  }
  ~ArchiveTest() override { fs::remove_all(scratch_); }

  std::unique_ptr<Archive> open() {
    Result<std::unique_ptr<Archive>> archive = Archive::open(folder_);
    EXPECT_TRUE(archive) << archive.error().message();
    return archive ? std::move(*archive) : nullptr;
  }
  static std::unique_ptr<RunWriter> begin(Archive& archive, const std::string& name = "small") {
    plan::Plan plan = small_plan();
    plan.name = name;
    Result<std::unique_ptr<RunWriter>> writer = archive.begin(plan, {});
    EXPECT_TRUE(writer) << writer.error().message();
    return writer ? std::move(*writer) : nullptr;
  }
  static std::vector<TickRow> ticks_of(const StoredRun& run) {
    std::vector<TickRow> rows;
    const Result<void> read = run.for_each_tick([&](const TickRow& row) { rows.push_back(row); });
    EXPECT_TRUE(read) << read.error().message();
    return rows;
  }
  // Runs `work` in a process of its own, and gives back how that ended.
  static int in_child(const std::function<void()>& work) {
    const pid_t child = ::fork();
    if (child == 0) {
      work();
      ::_exit(::testing::Test::HasFailure() ? 1 : 0);  // allowed: child process
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
  }

  fs::path scratch_;
  fs::path folder_;
};

TEST_F(ArchiveTest, a_run_comes_back_as_it_was_written) {
  const auto archive = open();
  plan::Plan plan = small_plan();
  plan.stages[0].jobs[0].target.parameters.set("secretkey", "s3cr3t");
  auto writer = archive->begin(plan, {{"workload-config.xml", "<workload/>\n"}});
  ASSERT_TRUE(writer) << writer.error().message();
  EXPECT_EQ((*writer)->id(), "w1");
  EXPECT_EQ((*writer)->folder(), folder_ / "w1-small");
  (*writer)->consume(some_tick(0, 0, 10));
  (*writer)->consume(some_tick(0, 1, 0));
  (*writer)->consume(some_tick(0, 2, 20));
  const Result<void> finished = (*writer)->finish(testing::full_result());
  ASSERT_TRUE(finished) << finished.error().message();

  const Result<StoredRun> run = archive->load("w1");
  ASSERT_TRUE(run) << run.error().message();
  EXPECT_EQ(run->id(), "w1");
  EXPECT_EQ(run->archive(), folder_);
  EXPECT_EQ(run->folder(), folder_ / "w1-small");
  EXPECT_EQ(run->result().state, record::RunState::failed);
  EXPECT_EQ(run->result().stages[1].jobs[0].ops[0].stats,
            testing::full_result().stages[1].jobs[0].ops[0].stats);
  EXPECT_EQ(run->plan().stages[0].jobs[0].target.parameters.text("secretkey", ""), "REDACTED");
  EXPECT_EQ(file_text(run->folder() / "workload-config.xml"), "<workload/>\n");
  const std::vector<TickRow> rows = ticks_of(*run);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[2].jobs[0][0].successes, 20U);
  for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
    if (entry.is_regular_file()) {
      EXPECT_THAT(file_text(entry.path()), Not(HasSubstr("s3cr3t"))) << entry.path();
    }
  }
}

TEST_F(ArchiveTest, loads_by_id_by_folder_and_last) {
  const auto archive = open();
  (void)begin(*archive, "one")->finish({});
  (void)begin(*archive, "two")->finish({});
  EXPECT_EQ(archive->load("w1")->plan().name, "one");
  EXPECT_EQ(archive->load("w2-two")->id(), "w2");
  EXPECT_EQ(archive->load("last")->id(), "w2");
  for (const char* none : {"w3", "w", "1", "two", "../w1-one", ""}) {
    const Result<StoredRun> run = archive->load(none);
    ASSERT_FALSE(run) << none;
    EXPECT_EQ(run.error().code, ErrorCode::not_found);
  }
}

TEST_F(ArchiveTest, lists_what_each_run_came_to) {
  const auto archive = open();
  (void)begin(*archive)->finish(testing::full_result());
  const auto writer = begin(*archive, "going on");
  const Result<std::vector<RunSummary>> runs = archive->list();
  ASSERT_TRUE(runs);
  ASSERT_EQ(runs->size(), 2U);
  const RunSummary& done = runs->front();
  EXPECT_EQ(done.id, "w1");
  EXPECT_EQ(done.name, "small");
  EXPECT_EQ(done.dialect, "cosbench");
  EXPECT_EQ(done.state, record::RunState::failed);
  EXPECT_EQ(done.started, testing::full_result().started);
  EXPECT_EQ(done.elapsed, Duration::milliseconds(12'500));
  EXPECT_EQ(done.operations, 1000U);
  EXPECT_EQ(done.failures, 3U);
  EXPECT_EQ(done.bytes, Bytes(4'096'000));
  EXPECT_EQ(done.verdicts, 2U);
  EXPECT_EQ(runs->back().state, record::RunState::running);
  EXPECT_EQ(runs->back().state, record::RunState::running);
  EXPECT_EQ(runs->back().folder, folder_ / "w2-going on");
}

TEST_F(ArchiveTest, numbers_go_on_from_cosbench_and_from_folders) {
  fs::create_directories(folder_ / "w7-old");
  std::ofstream(folder_ / ".meta") << "41";
  const auto archive = open();
  EXPECT_EQ(begin(*archive)->id(), "w42");
  EXPECT_EQ(file_text(folder_ / ".meta"), "42");
  fs::create_directories(folder_ / "w99-newer");
  EXPECT_EQ(begin(*archive)->id(), "w100");
  EXPECT_EQ(file_text(folder_ / ".meta"), "100");
}

TEST_F(ArchiveTest, refuses_a_meta_file_that_holds_no_number) {
  const auto archive = open();
  std::ofstream(folder_ / ".meta") << "many";
  const auto writer = archive->begin(small_plan(), {});
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().message(),
            (folder_ / ".meta").native() + ": does not hold the number of the last run");
}

TEST_F(ArchiveTest, refuses_names_that_cannot_be_folders) {
  const auto archive = open();
  for (const std::string& name : {std::string("a/b"), std::string(), std::string(300, 'x')}) {
    plan::Plan plan = small_plan();
    plan.name = name;
    const auto writer = archive->begin(plan, {});
    ASSERT_FALSE(writer) << name;
    EXPECT_EQ(writer.error().code, ErrorCode::bad_input);
  }
}

TEST_F(ArchiveTest, refuses_a_place_that_cannot_be_an_archive) {
  std::ofstream(scratch_ / "file") << "x";
  const auto archive = Archive::open(scratch_ / "file" / "archive");
  ASSERT_FALSE(archive);
  EXPECT_THAT(archive.error().message(), StartsWith((scratch_ / "file" / "archive").native() +
                                                    ": cannot write the archive: "));
}

TEST_F(ArchiveTest, refuses_a_folder_without_permission) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::create_directories(folder_);
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  const auto archive = Archive::open(folder_);
  fs::permissions(folder_, fs::perms::owner_all);
  ASSERT_FALSE(archive);
  EXPECT_EQ(archive.error().code, ErrorCode::denied);
  EXPECT_THAT(archive.error().message(), HasSubstr("cannot write the archive: Permission denied"));
}

TEST_F(ArchiveTest, leaves_nothing_of_its_probe) {
  open();
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_)) names.insert(entry.path().filename());
  EXPECT_THAT(names, ElementsAre("loadline.sqlite"));
}

TEST_F(ArchiveTest, reading_creates_nothing) {
  const auto none = Archive::open_to_read(folder_);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::not_found);
  EXPECT_FALSE(fs::exists(folder_));
  (void)begin(*open())->finish({});
  const auto archive = Archive::open_to_read(folder_);
  ASSERT_TRUE(archive) << archive.error().message();
  EXPECT_EQ((*archive)->list()->size(), 1U);
  EXPECT_TRUE((*archive)->load("last"));
}

TEST_F(ArchiveTest, refuses_an_index_that_is_none_or_newer) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "loadline.sqlite") << std::string(5000, 'x');
  const auto archive = Archive::open(folder_);
  ASSERT_FALSE(archive);
  EXPECT_THAT(archive.error().message(), HasSubstr("loadline.sqlite: cannot "));
  EXPECT_THAT(archive.error().message(), Not(HasSubstr("\n")));
}

TEST_F(ArchiveTest, processes_that_race_never_share_a_number) {
  open();
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      bool fine = true;
      for (int run = 0; run < 6; ++run) {
        const auto archive = Archive::open(folder_);
        auto writer = archive ? (*archive)->begin(small_plan(), {})
                              : Result<std::unique_ptr<RunWriter>>(std::unexpected(Error{}));
        fine = fine && writer && (*writer)->finish({.state = record::RunState::finished});
      }
      ::_exit(fine ? 0 : 1);  // allowed: child process
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const Result<std::vector<RunSummary>> runs = open()->list();
  ASSERT_EQ(runs->size(), 24U);
  for (std::size_t i = 0; i < runs->size(); ++i) {
    EXPECT_EQ((*runs)[i].id, "w" + std::to_string(i + 1));
    EXPECT_EQ((*runs)[i].state, record::RunState::finished);
  }
}

TEST_F(ArchiveTest, a_killed_run_keeps_what_its_ticks_say) {
  open();
  const int status = in_child([&] {
    const auto writer = begin(*open());
    writer->consume(some_tick(0, 0, 10));
    writer->consume(some_tick(0, 1, 30));
    ::raise(SIGKILL);
  });
  ASSERT_TRUE(WIFSIGNALED(status));
  const auto archive = Archive::open_to_read(folder_);
  ASSERT_TRUE(archive);
  EXPECT_EQ((*archive)->list()->front().state, record::RunState::vanished);
  EXPECT_EQ((*archive)->list()->front().operations, 40U);
  EXPECT_EQ((*archive)->list()->front().failures, 6U);
  const Result<StoredRun> run = (*archive)->load("last");
  ASSERT_TRUE(run) << run.error().message();
  const record::RunResult& result = run->result();
  EXPECT_EQ(result.state, record::RunState::vanished);
  ASSERT_EQ(result.verdicts.size(), 1U);
  EXPECT_EQ(result.verdicts[0].id, "vanished");
  ASSERT_EQ(result.stages.size(), 1U);
  EXPECT_EQ(result.stages[0].state, record::StageState::running);
  EXPECT_EQ(result.stages[0].elapsed, Duration::seconds(2));
  const record::JobResult& job = result.stages[0].jobs[0];
  EXPECT_EQ(job.window, Duration::seconds(2));
  EXPECT_EQ(job.ops[0].stats.successes(), 40U);
  EXPECT_EQ(job.ops[0].stats.outcomes[static_cast<std::size_t>(target::Outcome::throttled)], 4U);
  EXPECT_EQ(job.ops[0].stats.bytes, Bytes(40 * 4096));
}

TEST_F(ArchiveTest, a_run_that_goes_on_can_be_looked_at) {
  const auto writer = begin(*open());
  writer->consume(some_tick(0, 0, 5));
  int status = in_child([&] {
    const auto archive = Archive::open_to_read(folder_);
    EXPECT_EQ((*archive)->list()->front().state, record::RunState::running);
    const Result<StoredRun> run = (*archive)->load("last");
    EXPECT_EQ(run->result().verdicts[0].id, "still_running");
    EXPECT_EQ(run->result().stages[0].jobs[0].ops[0].stats.successes(), 5U);
  });
  EXPECT_EQ(status, 0);
}

TEST_F(ArchiveTest, a_line_cut_short_at_the_end_is_no_damage) {
  const auto archive = open();
  const auto writer = begin(*archive);
  writer->consume(some_tick(0, 0, 5));
  std::ofstream(writer->folder() / "ticks.jsonl", std::ios::app) << R"({"stage":0,"i":1,"t")";
  EXPECT_EQ(ticks_of(*archive->load("last")).size(), 1U);
}

TEST_F(ArchiveTest, damage_in_the_middle_is_told_with_its_line) {
  const auto archive = open();
  const auto writer = begin(*archive);
  writer->consume(some_tick(0, 0, 5));
  std::ofstream(writer->folder() / "ticks.jsonl", std::ios::app) << "???\n{}\n";
  const Result<StoredRun> run = archive->load("last");
  ASSERT_TRUE(run);
  EXPECT_EQ(run->result().verdicts.back().id, "damaged");
  int rows = 0;
  const Result<void> read = run->for_each_tick([&](const TickRow&) { ++rows; });
  ASSERT_FALSE(read);
  EXPECT_EQ(rows, 1);
  EXPECT_THAT(read.error().message(), HasSubstr("ticks.jsonl: line 2 is damaged: not JSON"));
}

TEST_F(ArchiveTest, a_damaged_result_is_told_with_its_file_and_field) {
  const auto archive = open();
  const auto writer = begin(*archive);
  (void)writer->finish({});
  std::ofstream(writer->folder() / "result.json") << R"({"schema_version": 1, "state": 5})";
  const Result<StoredRun> run = archive->load("last");
  ASSERT_FALSE(run);
  EXPECT_THAT(run.error().message(), HasSubstr("w1-small/result.json: state: is none of running"));
}

TEST_F(ArchiveTest, latencies_are_logged_for_hdr_tools) {
  const auto archive = open();
  const auto writer = begin(*archive);
  const record::Tick busy = some_tick(0, 0, 100);
  writer->consume(busy);
  writer->consume(some_tick(0, 1, 0));
  const record::Tick last = some_tick(0, 2, 50);
  writer->consume(last);
  ASSERT_TRUE(writer->finish({}));
  std::ifstream log(writer->folder() / "latency.hlog");
  std::vector<record::HdrInterval> intervals;
  for (std::string line; std::getline(log, line);) {
    if (!line.starts_with("Tag=")) continue;
    Result<record::HdrInterval> interval = record::parse_hdr_log_line(line);
    ASSERT_TRUE(interval) << interval.error().message();
    intervals.push_back(std::move(*interval));
  }
  ASSERT_EQ(intervals.size(), 2U);  // no line for the idle second
  EXPECT_EQ(intervals[0].tag, "s1-main.main.read");
  EXPECT_EQ(intervals[1].start - intervals[0].start, Duration::seconds(2));
  EXPECT_EQ(intervals[0].histogram.count(), 100U);
  const std::uint32_t p99 = 9'900'000;
  EXPECT_EQ(intervals[1].histogram.quantile(p99 - 1).ns() / 1000,
            last.jobs[0][0].latency().quantile(p99 - 1).ns() / 1000);
}

TEST_F(ArchiveTest, operations_of_one_name_have_tags_of_their_own) {
  const auto archive = open();
  plan::Plan plan = small_plan();
  plan.stages[0].jobs[0].ops[0].name = "my read";
  plan.stages[0].jobs.push_back(plan::Job(plan.stages[0].jobs[0]));
  auto writer = archive->begin(plan, {});
  ASSERT_TRUE(writer);
  record::Tick tick = some_tick(0, 0, 1);
  tick.jobs.push_back(std::vector<record::OpStats>(tick.jobs[0]));
  (*writer)->consume(tick);
  const std::string log = file_text((*writer)->folder() / "latency.hlog");
  EXPECT_THAT(log, HasSubstr("\nTag=s1-main.main.my_read,"));
  EXPECT_THAT(log, HasSubstr("\nTag=s1-main.main.my_read-2,"));
}

// A file system of 256 KiB, for as long as it lives.
class TinyDisk {
 public:
  explicit TinyDisk(fs::path folder) : folder_(std::move(folder)) {
    fs::create_directories(folder_);
    mounted_ = ::mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=256k") == 0;
  }
  ~TinyDisk() {
    if (mounted_) ::umount2(folder_.c_str(), MNT_DETACH);
  }
  bool mounted() const { return mounted_; }
  // Leaves no byte free.
  void fill() const {
    std::ofstream file(folder_ / "filler", std::ios::app);
    while (file << std::string(1024, 'x') && file.flush()) {
    }
  }
  void make_room() const { fs::remove(folder_ / "filler"); }

 private:
  fs::path folder_;
  bool mounted_ = false;
};

TEST_F(ArchiveTest, refuses_a_full_disk_before_the_run) {
  const TinyDisk disk(folder_);
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a tmpfs";
  disk.fill();
  const auto archive = Archive::open(folder_);
  ASSERT_FALSE(archive);
  EXPECT_EQ(archive.error().message(),
            folder_.native() + ": no space for the archive: No space left on device");
}

TEST_F(ArchiveTest, a_disk_that_fills_up_costs_ticks_and_not_the_run) {
  const TinyDisk disk(folder_);
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a tmpfs";
  const auto archive = open();
  const auto writer = begin(*archive);
  writer->consume(some_tick(0, 0, 10));
  disk.fill();
  // The last page of each file takes some more; then every tick is lost.
  for (std::uint64_t i = 1; i < 100; ++i) writer->consume(some_tick(0, i, 10));
  disk.make_room();
  writer->consume(some_tick(0, 100, 10));
  const Result<void> finished = writer->finish(testing::full_result());
  ASSERT_FALSE(finished);
  EXPECT_THAT(finished.error().message(),
              HasSubstr("w1-small/ticks.jsonl: cannot write: No space left on device ("));
  EXPECT_THAT(finished.error().message(), HasSubstr("w1-small/latency.hlog: cannot write: "));
  const Result<StoredRun> run = archive->load("w1");
  ASSERT_TRUE(run) << run.error().message();
  EXPECT_EQ(run->result().state, record::RunState::failed);
  const std::vector<TickRow> rows = ticks_of(*run);  // none of them cut short
  EXPECT_LT(rows.size(), 100U);
  EXPECT_EQ(rows.back().index, 100U);
}

TEST_F(ArchiveTest, a_disk_full_to_the_end_is_told_by_finish) {
  const TinyDisk disk(folder_);
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a tmpfs";
  const auto archive = open();
  const auto writer = begin(*archive);
  disk.fill();
  const Result<void> finished = writer->finish(testing::full_result());
  ASSERT_FALSE(finished);
  EXPECT_THAT(finished.error().message(),
              StartsWith((folder_ / "w1-small" / "result.json").native() + ": cannot "));
  EXPECT_THAT(finished.error().message(), HasSubstr("No space left on device"));
}

TEST_F(ArchiveTest, refuses_a_read_only_file_system) {
  const TinyDisk disk(folder_);
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a tmpfs";
  ASSERT_EQ(::mount(nullptr, folder_.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr), 0);
  const auto archive = Archive::open(folder_);
  ASSERT_FALSE(archive);
  EXPECT_EQ(archive.error().code, ErrorCode::denied);
  EXPECT_EQ(archive.error().message(),
            folder_.native() + ": cannot write the archive: Read-only file system");
}

}  // namespace
}  // namespace loadline::store
