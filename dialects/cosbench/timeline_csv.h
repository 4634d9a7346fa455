// sK-STAGE.csv: one row an interval, put together from the one-second ticks.
//
// The interval is the smallest of the stage's works. Rows add up to the totals, an idle interval is
// a row of zeros, every row has a cell for every operation. A last row shorter than a second joins
// the one before.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "base/error.h"
#include "dialects/cosbench/out_file.h"
#include "plan/plan.h"
#include "store/stored_run.h"

namespace loadline::dialects::cosbench {

class TimelineWriter {
 public:
  // Writes into `folder`; the plan outlives the writer.
  TimelineWriter(std::filesystem::path folder, const plan::Plan& plan);

  // In order of stage and index.
  void take(const store::TickRow& tick);
  // Stages without a tick get an empty file. The first error of all.
  [[nodiscard]] Result<void> finish();

 private:
  struct Row {
    std::uint64_t interval = 0;  // index
    Duration length;
    WallTime ended;
    std::vector<store::OpTick> ops;  // of all works, in order
  };
  static void add(Row& row, const store::TickRow& tick);
  static void add(Row& row, const Row& next);

  void open_stage(std::size_t stage);
  void close_stage();
  void write_header();
  void write(const Row& row);
  std::filesystem::path path_of(std::size_t stage) const;

  std::filesystem::path folder_;
  const plan::Plan& plan_;
  std::size_t stages_done_ = 0;  // stages below have their file
  std::optional<std::size_t> stage_;
  Duration interval_;
  std::unique_ptr<OutFile> file_;
  std::size_t rows_ = 0;
  std::optional<Row> ready_;  // complete, held back for a short last row
  std::optional<Row> current_;
  Result<void> state_;
};

}  // namespace loadline::dialects::cosbench
