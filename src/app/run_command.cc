#include "app/run_command.h"

#include <fmt/core.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <random>
#include <thread>

#include "app/exit_status.h"
#include "app/judge_run.h"
#include "app/refuse.h"
#include "app/run_files.h"
#include "app/tables.h"
#include "app/workload_file.h"
#include "base/check.h"
#include "base/cycle_clock.h"
#include "base/log.h"
#include "drive/context.h"
#include "drive/run.h"
#include "plan/text.h"
#include "record/steady.h"
#include "report/console.h"
#include "report/live_display.h"
#include "report/live_meter.h"
#include "store/archive.h"
#include "store/result_text.h"

namespace loadline::app {
namespace {

std::uint64_t fresh_seed() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32) | device();
}

// Where the ticks of a run go: to disk, to the display, to the rule for steadiness.
class TickFan final : public record::TickSink {
 public:
  TickFan(store::RunWriter& writer, const plan::Plan& plan) : writer_(writer), meter_(plan) {}

  void consume(const record::Tick& tick) override {
    writer_.consume(tick);
    steady_.consume(tick);
    meter_.consume(tick);
  }

  report::LiveMeter& meter() { return meter_; }
  const record::SteadyWatch& steady() const { return steady_; }

 private:
  store::RunWriter& writer_;
  record::SteadyWatch steady_;
  report::LiveMeter meter_;
};

// Pulls from the board and the meter and draws, in a thread of its own, until told to end.
class Progress {
 public:
  Progress(const drive::LiveBoard& board, report::LiveMeter& meter, const Clock& clock)
      : board_(board),
        meter_(meter),
        clock_(clock),
        thread_([this](const std::stop_token& end) { show(end); }) {}

 private:
  void show(const std::stop_token& end) {
    report::LiveDisplay display(report::LiveDisplay::for_stderr(), clock_.now());
    std::mutex mutex;
    std::condition_variable_any ended;
    while (!end.stop_requested()) {
      std::unique_lock lock(mutex);
      ended.wait_for(lock, end, std::chrono::milliseconds(200), [] { return false; });
      const drive::LiveBoard::Place place = board_.read();
      const bool going =
          place.state == record::StageState::running || place.state == record::StageState::sleeping;
      const Instant now = clock_.now();
      if (!going || !display.due(now)) continue;
      report::LiveView view = meter_.view(place.stage, now - place.stage_started);
      view.sleeping = place.state == record::StageState::sleeping;
      display.show(view, now);
    }
  }

  const drive::LiveBoard& board_;
  report::LiveMeter& meter_;
  const Clock& clock_;
  std::jthread thread_;
};

class WorkloadRun {
 public:
  WorkloadRun(const RunCommand& command, const std::stop_token& stop, Workload workload)
      : command_(command), stop_(stop), workload_(std::move(workload)) {}

  int execute();

 private:
  record::RunResult measure(drive::Run& run, store::RunWriter& writer);
  void complete(record::RunResult& result, const record::SteadyWatch& steady) const;
  int conclude(store::RunWriter& writer, const record::RunResult& result);
  void print(const record::RunResult& result, const store::RunWriter& writer) const;

  const RunCommand& command_;
  std::stop_token stop_;
  Workload workload_;
  CycleClock clock_;
  StderrLog log_{LogLevel::warn};
  drive::LiveBoard board_;
  std::vector<std::pair<std::string, std::string>> context_;
};

int WorkloadRun::execute() {
  const std::vector<target::TargetType> types = targets::all();
  auto archive = store::Archive::open(command_.archive);
  if (!archive) return refuse(archive.error());
  auto run = drive::Run::prepare(workload_.plan, {.target_types = &types,
                                                  .clock = &clock_,
                                                  .log = &log_,
                                                  .threads = command_.threads,
                                                  .preflight = command_.preflight,
                                                  .stop = stop_,
                                                  .live = &board_});
  if (!run) return refuse(run.error());
  auto writer = (*archive)->begin(workload_.plan, workload_.files);
  if (!writer) return refuse(writer.error());
  // Before the run, whose own load it shall not show.
  context_ = drive::gather_context();
  const record::RunResult result = measure(**run, **writer);
  const int status = conclude(**writer, result);
  if ((*run)->left_threads()) leave(status);
  return status;
}

record::RunResult WorkloadRun::measure(drive::Run& run, store::RunWriter& writer) {
  TickFan fan(writer, workload_.plan);
  record::RunResult result;
  {
    std::optional<Progress> progress;
    if (!command_.quiet) progress.emplace(board_, fan.meter(), clock_);
    result = run.execute(fan);
  }
  complete(result, fan.steady());
  return result;
}

// Adds what the run itself does not know: where it ran, and what to make of it.
void WorkloadRun::complete(record::RunResult& result, const record::SteadyWatch& steady) const {
  result.context = context_;
  result.context.insert(
      result.context.begin(),
      {{"command line", command_.command_line},
       {"seed", std::to_string(workload_.plan.seed)},
       {"worker threads",
        std::to_string(command_.threads == 0 ? drive::cores_available() : command_.threads)}});
  judge_run(result, steady);
}

// Stores and prints. What was measured is printed even where it cannot be stored.
int WorkloadRun::conclude(store::RunWriter& writer, const record::RunResult& result) {
  const int status = exit_status_of(result.state);
  const Result<void> stored = writer.finish(result);
  // Reports show the plan, so without its secrets.
  auto plan = plan::from_text(plan::to_text(workload_.plan, plan::Secrets::masked));
  CHECK(plan);
  std::vector<Error> errors =
      write_reports({command_.archive, writer.folder(), writer.id(), std::move(*plan), result});
  if (!stored) errors.insert(errors.begin(), stored.error());
  print(result, writer);
  for (const Error& error : errors) fmt::print(stderr, "loadline: {}\n", error.message());
  return status == k_exit_finished && !errors.empty() ? k_exit_failed : status;
}

void WorkloadRun::print(const record::RunResult& result, const store::RunWriter& writer) const {
  if (command_.json) {
    fmt::print("{}\n", store::to_text(result, store::Histograms::left_out));
  }
  if (command_.json && command_.quiet) return;
  report::ResultHeading heading{.id = writer.id(), .name = workload_.plan.name, .files = {}};
  const std::filesystem::path html = writer.folder() / k_html_file;
  if (std::filesystem::exists(html)) heading.files.emplace_back("report", html.string());
  heading.files.emplace_back("files", writer.folder().string());
  std::FILE* out = command_.json ? stderr : stdout;
  const report::TextStyle style{.width = command_.json ? 0 : report::terminal_width(STDOUT_FILENO),
                                .colour = !command_.json && report::colour_wanted(STDOUT_FILENO)};
  fmt::print(out, "{}", report::result_text(result, heading, style));
}

}  // namespace

int run_command(const RunCommand& command, const std::stop_token& stop) {
  auto workload =
      read_workload(command.file, command.settings, command.seed.value_or(fresh_seed()));
  if (!workload) return refuse(workload.error());
  for (const plan::Diagnostic& warning : workload->warnings) {
    fmt::print(stderr, "loadline: {}\n", warning.message());
  }
  if (command.check_only) {
    const std::vector<target::TargetType> types = targets::all();
    const auto checked = drive::Run::check(workload->plan, {.target_types = &types});
    if (!checked) return refuse(checked.error());
    const std::size_t stages = workload->plan.stages.size();
    fmt::print("{}: {} workload '{}' with {} stage{}, no mistakes\n", command.file,
               workload->plan.dialect, workload->plan.name, stages, stages == 1 ? "" : "s");
    return k_exit_finished;
  }
  return WorkloadRun(command, stop, std::move(*workload)).execute();
}

}  // namespace loadline::app
