#include "app/tool_command.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <random>

#include "app/arguments.h"
#include "app/count_command.h"
#include "app/epilogue.h"
#include "app/exit_status.h"
#include "app/judge_run.h"
#include "app/refuse.h"
#include "app/run_files.h"
#include "app/signals.h"
#include "app/tables.h"
#include "base/check.h"
#include "base/cycle_clock.h"
#include "base/log.h"
#include "drive/context.h"
#include "drive/run.h"
#include "plan/check.h"
#include "plan/text.h"
#include "record/steady.h"
#include "store/archive.h"

namespace loadline::app {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

// To disk, to the tool's own output, and to the rule for steadiness.
class ToolTicks final : public record::TickSink {
 public:
  ToolTicks(store::RunWriter& writer, report::CommandOutput& output)
      : writer_(writer), output_(output) {}

  void consume(const record::Tick& tick) override {
    writer_.consume(tick);
    steady_.consume(tick);
    output_.consume(tick);
  }
  const record::SteadyWatch& steady() const { return steady_; }

 private:
  store::RunWriter& writer_;
  report::CommandOutput& output_;
  record::SteadyWatch steady_;
};

// The tool's output says itself why a run failed; what else there is to say is a line.
class ToolLog final : public Log {
 public:
  void write(LogLevel level, std::string_view, std::string_view text) override {
    if (level == LogLevel::warn) fmt::print(stderr, "loadline: warning: {}\n", text);
  }
};

class ToolRun {
 public:
  ToolRun(report::ParsedCommand command, std::string command_line, const Signals& signals)
      : command_(std::move(command)),
        command_line_(std::move(command_line)),
        signals_(signals),
        stop_(signals.stop()) {}

  int execute();

 private:
  Result<void> open_archive();
  void complete(record::RunResult& result, const record::SteadyWatch& steady) const;
  int conclude(store::RunWriter& writer, const record::RunResult& result);
  void follow_up(const store::StoredRun& run);
  static void tell(const record::RunResult& result);

  const plan::Plan& plan() const { return *command_.plan; }
  report::CommandOutput& output() { return *command_.output; }

  report::ParsedCommand command_;
  std::string command_line_;
  const Signals& signals_;
  std::stop_token stop_;
  std::filesystem::path folder_;
  std::unique_ptr<store::Archive> archive_;
  CycleClock clock_;
  ToolLog log_;
  const std::vector<target::TargetType> types_ = targets::all();
  bool storage_hangs_ = false;  // threads of the run were left behind
  std::vector<std::pair<std::string, std::string>> context_;
};

// An archive that cannot be kept where it belongs does not keep anybody from measuring.
Result<void> ToolRun::open_archive() {
  folder_ = tool_archive();
  auto archive = store::Archive::open(folder_);
  if (!archive) {
    std::string made = (std::filesystem::temp_directory_path() / "loadline-XXXXXX").string();
    if (mkdtemp(made.data()) == nullptr) return propagate(archive);
    fmt::print(stderr, "loadline: {}; this run is kept in {}\n", archive.error().message(), made);
    folder_ = made;
    archive = store::Archive::open(folder_);
    if (!archive) return propagate(archive);
  }
  archive_ = std::move(*archive);
  return {};
}

int ToolRun::execute() {
  if (const auto sound = plan::check(plan()); !sound) return output().refused(sound.error());
  if (const auto opened = open_archive(); !opened) return output().refused(opened.error());
  auto run = drive::Run::prepare(
      plan(), {.target_types = &types_,
               .clock = &clock_,
               .log = &log_,
               .stop = stop_,
               .layout = [this](const plan::Job& job, std::size_t files,
                                Bytes bytes) { output().laying_out(job, files, bytes); },
               .stage_begins = [this](std::size_t stage) { output().stage_begins(stage); }});
  if (!run && run.error().code == ErrorCode::cancelled) return refuse(run.error());
  if (!run) return output().refused(run.error());
  auto writer = archive_->begin(plan(), command_.files);
  if (!writer) return output().refused(writer.error());
  // Before the run, whose own load it shall not show.
  context_ = drive::gather_context();
  output().begin();
  const std::stop_callback told(stop_, [this] { output().stopping(signals_.number()); });
  ToolTicks ticks(**writer, output());
  record::RunResult result = (*run)->execute(ticks);
  complete(result, ticks.steady());
  storage_hangs_ = (*run)->left_threads();
  const int status = conclude(**writer, result);
  if (storage_hangs_) leave(status);
  return status;
}

// Adds what the run itself does not know: where it ran, and what to make of it.
void ToolRun::complete(record::RunResult& result, const record::SteadyWatch& steady) const {
  result.context = context_;
  result.context.insert(result.context.begin(),
                        {{"command line", command_line_}, {"seed", std::to_string(plan().seed)}});
  judge_run(result, steady);
}

int ToolRun::conclude(store::RunWriter& writer, const record::RunResult& result) {
  const Result<void> stored = writer.finish(result);
  // What is shown and written has no secrets.
  auto masked = plan::from_text(plan::to_text(plan(), plan::Secrets::masked));
  CHECK(masked);
  const store::StoredRun run(folder_, writer.folder(), writer.id(), std::move(*masked), result);
  follow_up(run);
  const int status = output().finish(run);
  std::fflush(stdout);
  tell(result);
  std::vector<Error> errors = write_reports(run);
  if (!stored) errors.insert(errors.begin(), stored.error());
  // The result has been printed; a report that could not be kept does not make it a failure.
  for (const Error& error : errors) fmt::print(stderr, "loadline: {}\n", error.message());
  return status;
}

// Who stops a run wants it to end, and a storage that hangs will not do this either.
void ToolRun::follow_up(const store::StoredRun& run) {
  if (stop_.stop_requested() || storage_hangs_) return;
  std::optional<plan::Plan> more = output().epilogue(run);
  if (!more) return;
  const Epilogue epilogue = run_epilogue(std::move(*more), types_, clock_);
  storage_hangs_ = epilogue.left_threads;
  if (epilogue.done) return;
  fmt::print(stderr, "loadline: warning: after the run: {}\n", epilogue.done.error().message());
}

// Warnings, one line of a kind: a hundred clones have the same doubt. The notes are in the report.
void ToolRun::tell(const record::RunResult& result) {
  std::map<std::string, std::size_t> told;
  for (const record::Verdict& verdict : result.verdicts) {
    if (verdict.level == record::Verdict::Level::warning) ++told[verdict.id];
  }
  for (const record::Verdict& verdict : result.verdicts) {
    const auto kind = told.find(verdict.id);
    if (verdict.level != record::Verdict::Level::warning || kind == told.end()) continue;
    std::string where = verdict.where;
    if (kind->second > 1) where += fmt::format(", and {} more like it", kind->second - 1);
    if (!where.empty()) where = fmt::format(" ({})", where);
    fmt::print(stderr, "loadline: warning: {}{}\n", verdict.text, where);
    told.erase(kind);
  }
}

}  // namespace

std::filesystem::path tool_archive() {
  if (const std::string named = environment("LOADLINE_ARCHIVE"); !named.empty()) return named;
  if (const std::string state = environment("XDG_STATE_HOME"); state.starts_with('/')) {
    return std::filesystem::path(state) / "loadline";
  }
  const std::string home = environment("HOME");
  if (home.empty()) return std::filesystem::temp_directory_path() / "loadline";
  return std::filesystem::path(home) / ".local/state/loadline";
}

std::optional<int> run_tool(int argc, char** argv) {
  if (argc < 2) return {};
  const std::vector<report::Dialect> dialects = dialects::all();
  const auto dialect = std::ranges::find(dialects, argv[1], &report::Dialect::name);
  if (dialect == dialects.end() || dialect->parse_command == nullptr) return {};
  const Signals signals(dialect->exit_when_killed);
  const std::vector<std::string> words(argv + 2, argv + argc);
  report::CommandWords asked{.words = words, .terminal = isatty(STDOUT_FILENO) == 1};
  std::random_device device;
  asked.seed = (static_cast<std::uint64_t>(device()) << 32) | device();
  const std::vector<target::TargetType> types = targets::all();
  for (const target::TargetType& type : types) asked.target_types.push_back(type.name);
  std::string command_line = masked_command_line(argc, argv);
  scrub_secrets(argc, argv);
  report::ParsedCommand command = dialect->parse_command(asked);
  if (command.count) return count_command(*command.count, types);
  if (!command.plan) return command.exit_status;
  CHECK(command.output);
  return ToolRun(std::move(command), std::move(command_line), signals).execute();
}

}  // namespace loadline::app
