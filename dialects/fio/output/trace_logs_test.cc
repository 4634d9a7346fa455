#include "dialects/fio/output/trace_logs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dialects/fio/output/testing.h"
#include "record/trace.h"

namespace loadline::dialects::fio::output {
namespace {

using record::TraceKind;
using record::TraceRow;
using testing::Folder;
using ::testing::HasSubstr;

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// One job with a trace of two reads, a write and a sync.
struct Recorded {
  Folder folder;
  plan::Plan plan;
  JobSource source;

  Recorded() {
    plan.stages.resize(1);
    source.section = "a";
    source.number = 3;
    for (LogFile* log :
         {&source.report.bandwidth_log, &source.report.iops_log, &source.report.latency_log}) {
      *log = {.on = true, .name = folder / "p"};
    }
    source.write_iolog = folder / "io.log";
  }
  std::string trace() const { return folder / "x.trace"; }
  std::string log(const char* kind) const {
    return text_of(folder / (std::string("p_") + kind + ".3.log"));
  }
  TraceLogs logs() {
    plan::Job job{.name = "a"};
    job.stop.ramp_up = Duration::milliseconds(1);
    job.block.emplace().trace.record = trace();
    job.source = source.to_text();
    plan.stages[0].jobs = {job};
    return TraceLogs(plan);
  }
  static TraceRow row(TraceKind kind, std::int64_t us, std::uint64_t offset) {
    return {.at = Duration::microseconds(us),
            .kind = kind,
            .measured = us >= 1000,
            .split = kind <= TraceKind::trim,
            .offset = Bytes(offset),
            .length = Bytes(kind <= TraceKind::trim ? 4096 : 0),
            .submission = Duration::microseconds(10)};
  }
  static TraceRow end(TraceRow row, std::int64_t us) {
    row.finished = true;
    row.total = Duration::microseconds(us);
    row.completion = row.total - row.submission;
    return row;
  }
  void record() const {
    auto writer = record::TraceWriter::create(trace());
    ASSERT_TRUE(writer);
    writer->add_file("f", {});
    writer->append({.kind = TraceKind::open});
    const TraceRow early = row(TraceKind::read, 500, 0);
    const TraceRow slow = row(TraceKind::read, 1500, 4096);
    const TraceRow fast = row(TraceKind::write, 1600, 8192);
    const TraceRow sync = row(TraceKind::sync_data, 1700, 0);
    for (const TraceRow& issued : {early, slow, fast, sync}) writer->append(issued);
    writer->append(end(early, 100));
    writer->append(end(fast, 1010));
    writer->append(end(sync, 300));
    writer->append(end(slow, 3000));
    writer->append({.at = Duration::milliseconds(6), .kind = TraceKind::close});
    ASSERT_TRUE(writer->close());
  }
};

TEST(TraceLogs, has_a_line_for_each_measured_operation) {
  Recorded run;
  run.source.report.log_offset = true;
  TraceLogs logs = run.logs();
  ASSERT_TRUE(logs.make_files());
  run.record();
  EXPECT_TRUE(logs.finish().empty());
  EXPECT_EQ(run.log("lat"), "1, 1010000, 1, 4096, 8192, 0\n3, 3000000, 0, 4096, 4096, 0\n");
  EXPECT_EQ(run.log("clat"), "1, 1000000, 1, 4096, 8192, 0\n3, 2990000, 0, 4096, 4096, 0\n");
  EXPECT_EQ(run.log("slat"), "0, 10000, 0, 4096, 4096, 0\n0, 10000, 1, 4096, 8192, 0\n");
  EXPECT_EQ(run.log("iops"), "1, 1, 1, 4096, 8192, 0\n3, 1, 0, 4096, 4096, 0\n");
  EXPECT_EQ(run.log("bw"), "1, 4096, 1, 4096, 8192, 0\n3, 1369, 0, 4096, 4096, 0\n");
  EXPECT_FALSE(std::filesystem::exists(run.trace()));
}

TEST(TraceLogs, has_the_columns_that_are_asked_for) {
  Recorded run;
  run.source.report.log_prio = true;
  run.source.report.log_issue_time = true;
  run.record();
  EXPECT_TRUE(run.logs().finish().empty());
  EXPECT_EQ(run.log("iops"), "1, 1, 1, 4096, 0x0000, 600000\n3, 1, 0, 4096, 0x0000, 500000\n");
}

TEST(TraceLogs, writes_an_iolog_in_the_order_of_issue_and_appends_to_one) {
  const std::string once =
      "fio version 3 iolog\n0 f add\n0 f open\n500 f read 0 4096\n1500 f read 4096 4096\n"
      "1600 f write 8192 4096\n1700 f datasync 0 0\n6000 f close\n";
  Recorded run;
  run.record();
  EXPECT_TRUE(run.logs().finish().empty());
  EXPECT_EQ(text_of(run.source.write_iolog), once);
  run.record();
  EXPECT_TRUE(run.logs().finish().empty());
  EXPECT_EQ(text_of(run.source.write_iolog), once + once);
}

TEST(TraceLogs, keeps_and_names_a_trace_that_is_broken) {
  Recorded run;
  run.record();
  std::ofstream(run.trace(), std::ios::app) << "half a row";
  const std::vector<Error> errors = run.logs().finish();
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_THAT(errors[0].message(), HasSubstr("what was recorded is in " + run.trace()));
  EXPECT_TRUE(std::filesystem::exists(run.trace()));
  EXPECT_THAT(run.log("lat"), HasSubstr("3000000"));
}

TEST(TraceLogs, touches_nothing_where_there_is_no_trace) {
  Recorded run;
  EXPECT_TRUE(run.logs().finish().empty());
  EXPECT_FALSE(std::filesystem::exists(run.source.write_iolog));
  run.source.write_iolog = "/nowhere/io.log";
  EXPECT_THAT(run.logs().make_files().error().message(), HasSubstr("/nowhere/io.log"));
}

}  // namespace
}  // namespace loadline::dialects::fio::output
