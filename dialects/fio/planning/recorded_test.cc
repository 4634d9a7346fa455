// Jobs that record their operations, and jobs that repeat recorded ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/blktrace_api.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "dialects/fio/job_source.h"
#include "dialects/fio/planning/fake_files.h"
#include "plan/check.h"
#include "record/trace.h"

namespace loadline::dialects::fio {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class RecordedTest : public ::testing::Test {
 protected:
  RecordedTest()
      : path_(std::filesystem::temp_directory_path() /
              ("recorded_test." + std::to_string(getpid()))) {}
  ~RecordedTest() override { std::filesystem::remove(path_); }

  PlannedFio planned(std::vector<std::string> words) const {
    words.insert(words.begin(), "--name=a");
    return plan_of(parse_words(words));
  }
  PlannedFio replay(const std::string& iolog, std::vector<std::string> words = {}) const {
    std::ofstream(path_) << iolog;
    words.push_back("--read_iolog=" + path_.string());
    return planned(words);
  }
  static const plan::BlockIo& block_of(const PlannedFio& planned, std::size_t job = 0) {
    static const plan::BlockIo none;
    for (const auto& d : planned.diagnostics) EXPECT_EQ(d.message(), "");
    EXPECT_TRUE(planned.plan.has_value());
    if (!planned.plan) return none;
    EXPECT_TRUE(plan::check(*planned.plan).has_value());
    return *planned.plan->stages[0].jobs[job].block;
  }
  // "ms kind file offset length", as the engine will read it.
  static std::vector<std::string> rows_of(const plan::BlockIo& block) {
    auto reader = record::TraceReader::open(block.trace.replay);
    EXPECT_TRUE(reader.has_value());
    std::vector<std::string> rows;
    for (record::TraceRow row; reader && reader->next(row).value();) {
      if (row.kind == record::TraceKind::file) continue;
      rows.push_back(std::to_string(row.at.ns() / 1'000'000) + " " +
                     std::to_string(static_cast<int>(row.kind)) + " " + reader->files()[row.file] +
                     " " + std::to_string(row.offset.count()) + " " +
                     std::to_string(row.length.count()));
    }
    return rows;
  }
  static std::string first_word(const PlannedFio& planned) {
    EXPECT_FALSE(planned.diagnostics.empty());
    return planned.diagnostics.empty() ? "" : planned.diagnostics[0].message();
  }

  std::filesystem::path path_;
};

constexpr const char* k_iolog =
    "fio version 3 iolog\n"
    "0 x add\n0 y add\n1 x open\n2 y open\n"
    "1000 x write 8192 4096\n"
    "2000 y read 12288 16384\n"
    "3000 x sync 0 0\n"
    "3000 x datasync 0 0\n"
    "9000 x close\n";

TEST_F(RecordedTest, a_replay_has_the_files_and_directions_of_its_iolog) {
  const PlannedFio planned = replay(k_iolog, {"--replay_time_scale=50"});
  const plan::BlockIo& block = block_of(planned);
  ASSERT_EQ(block.files.size(), 2U);
  EXPECT_EQ(block.files[0].path, "x");
  EXPECT_EQ(block.files[1].path, "y");
  EXPECT_EQ(block.uses, (plan::PerDirection<bool>{true, true, false}));
  EXPECT_EQ(block.sizes[0].max, Bytes(16384));
  EXPECT_EQ(block.sizes[1].max, Bytes(4096));
  EXPECT_FALSE(block.lay_out);
  EXPECT_FALSE(block.trace.at_once);
  EXPECT_EQ(block.trace.speed_percent, 50U);
  EXPECT_THAT(rows_of(block),
              ElementsAre("1 1 x 8192 4096", "2 0 y 12288 16384", "3 3 x 0 0", "3 4 x 0 0"));
}

TEST_F(RecordedTest, a_replay_can_go_elsewhere_and_leave_things_out) {
  const PlannedFio moved = replay(k_iolog, {"--replay_redirect=z", "--replay_scale=2",
                                            "--replay_align=4k", "--replay_no_stall=1"});
  const plan::BlockIo& block = block_of(moved);
  EXPECT_EQ(block.files.size(), 1U);
  EXPECT_TRUE(block.trace.at_once);
  EXPECT_THAT(rows_of(block),
              ElementsAre("1 1 z 4096 4096", "2 0 z 4096 16384", "3 3 z 0 0", "3 4 z 0 0"));
  const PlannedFio less = replay(k_iolog, {"--replay_skip=write,sync"});
  EXPECT_THAT(rows_of(block_of(less)), ElementsAre("2 0 y 12288 16384"));
}

TEST_F(RecordedTest, clones_share_one_trace_or_have_one_each_by_the_list) {
  const PlannedFio shared = replay(k_iolog, {"--numjobs=2"});
  EXPECT_EQ(block_of(shared, 0).trace.replay, block_of(shared, 1).trace.replay);
  const PlannedFio listed =
      planned({"--numjobs=2", "--read_iolog=" + path_.string() + ":/dev/null"});
  EXPECT_THAT(first_word(listed), HasSubstr("read_iolog: /dev/null: read_iolog is empty"));
}

TEST_F(RecordedTest, an_iolog_that_is_wrong_is_said_with_file_and_line) {
  EXPECT_THAT(first_word(replay("fio version 3 iolog\n0 x add\n5 x reed 0 1\n")),
              HasSubstr(path_.string() + ":3: bad iolog file action: reed"));
  EXPECT_THAT(first_word(replay("fio version 3 iolog\n5 x read 0 1\n")),
              HasSubstr(path_.string() + ":2: x was not added before"));
  EXPECT_THAT(first_word(replay("fio version 3 iolog\n0 x add\n")), HasSubstr("no operation"));
  EXPECT_THAT(first_word(replay(std::string(100'000, 'x'))), HasSubstr("no line of an iolog"));
  EXPECT_THAT(first_word(replay("\x07"
                                "tae 123")),
              HasSubstr("blktrace"));
  EXPECT_THAT(first_word(planned({"--read_iolog=/no/such"})), HasSubstr("No such file"));
}

// An event of blktrace that was queued on device 250:7, with its category bits.
std::string event(std::uint32_t category, std::uint64_t ms, std::uint64_t sector,
                  std::uint32_t bytes) {
  blk_io_trace event{};
  event.magic = BLK_IO_TRACE_MAGIC | BLK_IO_TRACE_VERSION;
  event.time = ms * 1'000'000;
  event.sector = sector;
  event.bytes = bytes;
  event.action = BLK_TC_ACT(category | BLK_TC_QUEUE) | __BLK_TA_QUEUE;
  event.device = (250U << 20U) | 7U;
  event.pdu_len = 3;
  return std::string(reinterpret_cast<const char*>(&event), sizeof event) + "pdu";
}

TEST_F(RecordedTest, repeats_what_blktrace_saw_in_the_queue) {
  const std::string merged = [] {
    std::string text = event(BLK_TC_WRITE, 6, 0, 4096);
    text[28] = __BLK_TA_BACKMERGE;
    return text;
  }();
  const std::string trace = event(BLK_TC_WRITE, 5, 8, 4096) + merged +
                            event(BLK_TC_READ, 7, 16, 512) + event(BLK_TC_FLUSH, 8, 0, 0) +
                            event(BLK_TC_WRITE | BLK_TC_DISCARD, 9, 32, 8192);
  EXPECT_THAT(first_word(replay(trace)), HasSubstr("device 250:7 that is not there"));
  const PlannedFio planned = replay(trace, {"--replay_redirect=z"});
  EXPECT_THAT(rows_of(block_of(planned)),
              ElementsAre("0 1 z 4096 4096", "2 0 z 8192 512", "3 3 z 0 0", "4 2 z 16384 8192"));
  EXPECT_THAT(first_word(replay(trace.substr(0, trace.size() - 5), {"--replay_redirect=z"})),
              HasSubstr("in the middle"));
  EXPECT_THAT(first_word(replay(event(BLK_TC_READ, 1, 0, 512) + std::string(48, 'x'),
                                {"--replay_redirect=z"})),
              HasSubstr("no event of blktrace"));
}

TEST_F(RecordedTest, what_a_replay_cannot_honour_is_refused_or_said) {
  EXPECT_THAT(first_word(replay(k_iolog, {"--verify=md5"})), HasSubstr("read_iolog with verify"));
  EXPECT_THAT(first_word(replay(k_iolog, {"--rate_iops=5"})), HasSubstr("read_iolog with rate"));
  EXPECT_THAT(first_word(replay(k_iolog, {"--readonly"})), HasSubstr("--readonly"));
  EXPECT_THAT(first_word(replay(k_iolog, {"--filename=q"})), HasSubstr("no effect"));
  EXPECT_THAT(first_word(replay(k_iolog, {"--write_iolog=q"})),
              HasSubstr("read iolog overrides write_iolog"));
}

TEST_F(RecordedTest, what_needs_a_line_an_operation_is_recorded_beside_it) {
  const auto trace_of = [&](std::vector<std::string> words) {
    words.emplace_back("--size=1m");
    const PlannedFio plan = planned(words);
    return block_of(plan).trace.record;
  };
  EXPECT_EQ(trace_of({}), "");
  EXPECT_EQ(trace_of({"--write_iolog=d/io.log"}), "d/io.log.1.trace");
  EXPECT_EQ(trace_of({"--write_lat_log=d/l"}), "d/l.1.trace");
  EXPECT_EQ(trace_of({"--write_lat_log=d/l", "--log_avg_msec=100"}), "");
  const PlannedFio recorded = planned({"--size=1m", "--write_iolog=i"});
  const auto source = JobSource::from_text(recorded.plan->stages[0].jobs[0].source);
  EXPECT_EQ(source->write_iolog, "i");
}

}  // namespace
}  // namespace loadline::dialects::fio
