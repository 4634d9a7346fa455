#include "dialects/cosbench/classic_report.h"

#include <filesystem>
#include <string>
#include <vector>

#include "dialects/cosbench/histogram_csv.h"
#include "dialects/cosbench/out_file.h"
#include "dialects/cosbench/report_rows.h"
#include "dialects/cosbench/result_csv.h"
#include "dialects/cosbench/run_logs.h"
#include "dialects/cosbench/timeline_csv.h"
#include "store/stored_run.h"

namespace loadline::dialects::cosbench {

Result<void> write_classic_report(const store::StoredRun& run) {
  namespace fs = std::filesystem;
  Result<void> state;
  const auto keep = [&](Result<void> step) {
    if (!step && state) state = std::move(step);
  };
  const std::vector<StageRows> stages = rows_of(run);
  const std::string stem = run.id() + "-" + run.plan().name;
  const fs::path& folder = run.folder();
  keep(write_file(folder / (stem + ".csv"), result_csv(stages)));
  TimelineWriter timeline(folder, run.plan());
  keep(run.for_each_tick([&](const store::TickRow& tick) { timeline.take(tick); }));
  keep(timeline.finish());
  keep(write_file(folder / "workload.log", workload_log(run, stages)));
  keep(write_file(folder / "scripts.log", scripts_log(run)));
  keep(append_shared(run.archive() / "workloads.csv", k_workloads_header,
                     workloads_lines(run, stages)));
  keep(append_shared(run.archive() / "run-history.csv", k_run_history_header,
                     run_history_line(run)));
  // The large one last: a full disk shall not cost the others.
  keep(write_histogram_csv(folder / (stem + "-rt-histogram.csv"), stages));
  return state;
}

}  // namespace loadline::dialects::cosbench
