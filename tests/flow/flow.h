// Whole paths in one process: workload text to stored result, on mock storages and whatever clock.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stop_token>
#include <string>
#include <vector>

#include "app/tables.h"
#include "base/clock.h"
#include "base/log.h"
#include "drive/run.h"
#include "store/archive.h"

namespace loadline::flow {

// A workload of one stage with one work that reads.
inline std::string workload(const std::string& storage, const std::string& config,
                            const std::string& work) {
  return "<workload name=\"test\"><workflow><workstage name=\"main\"><storage type=\"" + storage +
         "\" config=\"" + config + "\"/><work name=\"main\" " + work +
         "><operation type=\"read\" config=\"containers=c(1);objects=u(1,100)\"/></work>"
         "</workstage></workflow></workload>";
}

// Counts what the ticks add up to, and passes them on.
class TickTotals final : public record::TickSink {
 public:
  explicit TickTotals(record::TickSink& next) : next_(next) {}
  void consume(const record::Tick& tick) override {
    for (const auto& job : tick.jobs) {
      for (const record::OpStats& op : job) samples += op.samples();
    }
    ++ticks;
    next_.consume(tick);
  }
  std::uint64_t samples = 0;
  std::uint64_t ticks = 0;

 private:
  record::TickSink& next_;
};

struct Outcome {
  record::RunResult result;
  std::uint64_t samples_in_ticks = 0;
  std::uint64_t ticks = 0;
  std::string id;
  std::filesystem::path folder;

  const record::OpResult& op(std::size_t stage, std::size_t index = 0) const {
    return result.stages[stage].jobs[0].ops[index];
  }
};

class FlowTest : public ::testing::Test {
 protected:
  FlowTest() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "loadline-flow-XXXXXX").string();
    archive_ = mkdtemp(pattern.data());
  }
  ~FlowTest() override { std::filesystem::remove_all(archive_); }

  report::ParsedWorkload parse(const std::string& text,
                               std::vector<report::Setting> settings = {}) const {
    report::WorkloadText workload{
        .file = "test.xml", .text = text, .settings = std::move(settings), .seed = 42};
    for (const auto& type : targets_) workload.target_types.push_back(type.name);
    for (const report::Dialect& dialect : dialects_) {
      if (dialect.recognises(workload.file, text)) return dialect.parse(workload);
    }
    return {};
  }

  // Parses, runs and stores; the text must be without mistakes.
  Outcome run(const std::string& text, std::vector<report::Setting> settings = {}) {
    report::ParsedWorkload parsed = parse(text, std::move(settings));
    for (const auto& d : parsed.diagnostics) {
      EXPECT_EQ(d.level, plan::Diagnostic::Level::warning) << d.message();
    }
    if (!parsed.plan) return {};
    drive::RunOptions options{.target_types = &targets_,
                              .clock = clock_,
                              .log = &log_,
                              .threads = threads_,
                              .stop = stop_.get_token()};
    auto run = drive::Run::prepare(*parsed.plan, options);
    EXPECT_TRUE(run.has_value()) << run.error().message();
    auto archive = store::Archive::open(archive_);
    EXPECT_TRUE(archive.has_value()) << archive.error().message();
    auto writer = (*archive)->begin(*parsed.plan, parsed.files);
    EXPECT_TRUE(writer.has_value()) << writer.error().message();
    TickTotals totals(**writer);
    Outcome outcome{.result = (*run)->execute(totals),
                    .samples_in_ticks = totals.samples,
                    .ticks = totals.ticks,
                    .id = (*writer)->id(),
                    .folder = (*writer)->folder()};
    const auto finished = (*writer)->finish(outcome.result);
    EXPECT_TRUE(finished.has_value());
    const auto stored = (*archive)->load(outcome.id);
    EXPECT_TRUE(stored.has_value());
    for (const report::Dialect& dialect : dialects_) {
      if (dialect.name != parsed.plan->dialect) continue;
      const auto reported = dialect.write_classic_report(*stored);
      EXPECT_TRUE(reported.has_value());
    }
    return outcome;
  }

  std::string file(const std::filesystem::path& path) const {
    std::ifstream in(path);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  }

  SimClock sim_;
  SteadyClock steady_;
  const Clock* clock_ = &sim_;
  NullLog log_;
  std::uint32_t threads_ = 2;
  std::stop_source stop_;
  std::filesystem::path archive_;
  std::vector<target::TargetType> targets_ = targets::all();
  std::vector<report::Dialect> dialects_ = dialects::all();
};

}  // namespace loadline::flow
