#include "app/archive_commands.h"

#include <fmt/core.h>
#include <unistd.h>

#include "app/exit_status.h"
#include "app/refuse.h"
#include "app/run_files.h"
#include "report/console.h"
#include "report/live_display.h"
#include "report/text_table.h"
#include "store/archive.h"
#include "store/result_text.h"

namespace loadline::app {
namespace {

Result<store::StoredRun> load(const ArchiveCommand& command) {
  auto archive = store::Archive::open_to_read(command.archive);
  if (!archive) return propagate(archive);
  return (*archive)->load(command.run);
}

}  // namespace

int list_command(const ArchiveCommand& command) {
  auto archive = store::Archive::open_to_read(command.archive);
  if (!archive) return refuse(archive.error());
  auto runs = (*archive)->list();
  if (!runs) return refuse(runs.error());
  fmt::print("{:<6} {:<19} {:<11} {:>9} {:>12} {:>8} {:>7}  {}\n", "run", "started", "state",
             "seconds", "operations", "failures", "doubts", "name");
  for (const store::RunSummary& run : *runs) {
    fmt::print("{:<6} {:<19} {:<11} {:>9.1f} {:>12} {:>8} {:>7}  {}\n", run.id,
               run.started.local("%Y-%m-%d %H:%M:%S"), record::to_string(run.state),
               run.elapsed.as_seconds(), run.operations, run.failures, run.verdicts,
               report::printable(run.name));
  }
  return k_exit_finished;
}

int show_command(const ArchiveCommand& command) {
  auto run = load(command);
  if (!run) return refuse(run.error());
  if (command.json) {
    fmt::print("{}\n", store::to_text(run->result(), store::Histograms::left_out));
    return k_exit_finished;
  }
  const report::ResultHeading heading{
      .id = run->id(), .name = run->plan().name, .files = {{"files", run->folder().string()}}};
  const report::TextStyle style{.width = report::terminal_width(STDOUT_FILENO),
                                .colour = report::colour_wanted(STDOUT_FILENO)};
  fmt::print("{}", report::result_text(run->result(), heading, style));
  return k_exit_finished;
}

int report_command(const ArchiveCommand& command) {
  auto run = load(command);
  if (!run) return refuse(run.error());
  auto path = write_html_report(*run);
  if (!path) return refuse(path.error());
  fmt::print("{}\n", *path);
  return k_exit_finished;
}

}  // namespace loadline::app
