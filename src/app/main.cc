// The front door: reads the command line and hands over to a command.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "app/archive_commands.h"
#include "app/arguments.h"
#include "app/exit_status.h"
#include "app/refuse.h"
#include "app/run_command.h"
#include "app/serve_command.h"
#include "app/signals.h"
#include "app/tables.h"
#include "app/tool_command.h"
#include "app/version.h"
#include "base/nearest_word.h"

namespace loadline::app {
namespace {

struct Options {
  RunCommand run;
  ArchiveCommand archive;
  std::vector<std::string> settings;
};

// --threads: CLI11's own message names neither the bounds nor what a number is.
CLI::Validator thread_count() {
  return CLI::Validator(
      [](std::string& text) -> std::string {
        int threads = 0;
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, threads);
        if (error == std::errc() && stop == end && threads >= 1 && threads <= 1024) return {};
        return "'" + text + "' is not a whole number from 1 to 1024";
      },
      "1..1024");
}

void add_workload_options(CLI::App& command, Options& options) {
  command.add_option("FILE", options.run.file, "the workload, e.g. a COSBench XML; - reads stdin")
      ->required();
  command
      .add_option(
          "--set", options.settings,
          "change the workload: PATH=VALUE, e.g. storage.config.endpoint=http://host:9000 or "
          "work.runtime=5; VALUE env:NAME takes an environment variable")
      ->expected(1)
      ->take_all();
}

void add_archive_option(CLI::App& command, std::filesystem::path& archive) {
  // CLI11's own way would put the variable before what other subcommands were told.
  if (const char* named = std::getenv("LOADLINE_ARCHIVE"); named != nullptr && *named != '\0') {
    archive = named;
  }
  command.add_option("--archive", archive, "folder of the results")->capture_default_str();
}

void add_run(CLI::App& app, Options& options) {
  CLI::App& command = *app.add_subcommand("run", "run a workload");
  add_workload_options(command, options);
  add_archive_option(command, options.run.archive);
  command.add_flag("--json", options.run.json, "print one JSON document on stdout");
  command.add_flag("--quiet", options.run.quiet, "no progress while it runs");
  command.add_flag("!--no-preflight", options.run.preflight,
                   "do not ask the storage before the run");
  command.add_option("--threads", options.run.threads, "worker threads; default one per core")
      ->check(thread_count());
  command.add_option("--seed", options.run.seed, "repeat the random choices of an earlier run");
}

void add_archive_commands(CLI::App& app, Options& options) {
  CLI::App& list = *app.add_subcommand("list", "list the runs of an archive");
  add_archive_option(list, options.archive.archive);
  for (const auto& [name, what] : {std::pair("show", "print the result of a run"),
                                   std::pair("report", "write the HTML report of a run anew")}) {
    CLI::App& command = *app.add_subcommand(name, what);
    command.add_option("RUN", options.archive.run, "id like w12, or last")->capture_default_str();
    add_archive_option(command, options.archive.archive);
    if (std::string_view(name) == "show") {
      command.add_flag("--json", options.archive.json, "as JSON");
    }
  }
}

int dispatch(const CLI::App& app, Options& options) {
  if (app.got_subcommand("version")) return version_command();
  if (app.got_subcommand("list")) return list_command(options.archive);
  if (app.got_subcommand("show")) return show_command(options.archive);
  if (app.got_subcommand("report")) return report_command(options.archive);
  for (const std::string& text : options.settings) {
    auto setting = parse_setting(text);
    if (!setting) return refuse(setting.error());
    options.run.settings.push_back(std::move(*setting));
  }
  options.run.check_only = app.got_subcommand("validate");
  const Signals signals(k_exit_cancelled);
  return run_command(options.run, signals.stop());
}

// Empty where the first word is a command or an option.
std::string unknown_command(const CLI::App& app, std::string_view word) {
  if (word.empty() || word.starts_with('-')) return {};
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  if (std::ranges::find(names, word) != names.end()) return {};
  std::string text = "there is no command '" + std::string(word) + "'";
  const std::vector<std::string_view> known(names.begin(), names.end());
  if (const auto near = nearest(word, known)) {
    return text + "; did you mean '" + std::string(*near) + "'?";
  }
  text += "; there are ";
  for (const std::string& name : names) text += (&name == &names.front() ? "" : ", ") + name;
  return text;
}

int run(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "serve-s3") return run_serve_s3(argc - 1, argv + 1);
  if (const auto status = run_tool(argc, argv)) return *status;
  CLI::App app(
      "Measures storage: runs COSBench workloads on one engine, and says whether the "
      "numbers can be believed.",
      "loadline");
  app.require_subcommand(1);
  app.footer("Exit status: 0 finished, 1 failed or terminated, 2 bad input, 130 cancelled.");
  Options options;
  add_run(app, options);
  add_workload_options(*app.add_subcommand("validate", "check a workload and run nothing"),
                       options);
  add_archive_commands(app, options);
  app.add_subcommand("serve-s3", "the built-in S3 store: loadline serve-s3 --help");
  // Read by their dialects (run_tool); here they are only listed.
  for (const report::Dialect& dialect : dialects::all()) {
    if (dialect.parse_command != nullptr) app.add_subcommand(dialect.name, dialect.summary);
  }
  app.add_subcommand("version", "what this build is and can do");
  if (argc > 1) {
    const std::string unknown = unknown_command(app, argv[1]);
    if (!unknown.empty()) return refuse({ErrorCode::bad_input, unknown, {}});
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? k_exit_finished : k_exit_bad_input;
  }
  options.run.command_line = masked_command_line(argc, argv);
  scrub_secrets(argc, argv);
  return dispatch(app, options);
}

// What a command printed has arrived, or its status says that it has not. A reader that has gone
// away wanted no more.
int flushed(int status) {
  errno = 0;
  const bool good = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (good || errno == EPIPE) return status;
  fmt::print(stderr, "loadline: cannot write the output: {}\n",
             errno_text(errno == 0 ? EIO : errno));
  return status == k_exit_finished ? k_exit_failed : status;
}

int guarded_run(int argc, char** argv) {
  // A file size limit then is an error like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return flushed(run(argc, argv));
  } catch (const std::system_error& error) {
    // fmt's way to say that a stream cannot be written.
    if (error.code().value() == EPIPE) return k_exit_finished;
    fmt::print(stderr, "loadline: cannot write the output: {}\n", errno_text(error.code().value()));
    return k_exit_failed;
  }
}

}  // namespace
}  // namespace loadline::app

int main(int argc, char** argv) { return loadline::app::guarded_run(argc, argv); }
