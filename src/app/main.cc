// The front door: reads the command line and hands over to a command.
#include <CLI/CLI.hpp>

#include "app/archive_commands.h"
#include "app/arguments.h"
#include "app/exit_status.h"
#include "app/refuse.h"
#include "app/run_command.h"
#include "app/serve_command.h"
#include "app/signals.h"
#include "app/version.h"

namespace loadline::app {
namespace {

struct Options {
  RunCommand run;
  ArchiveCommand archive;
  std::vector<std::string> settings;
};

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
      ->check(CLI::Range(1, 1024));
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
  const Signals signals;
  return run_command(options.run, signals.stop());
}

int run(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "serve-s3") return run_serve_s3(argc - 1, argv + 1);
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
  app.add_subcommand("version", "what this build is and can do");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? k_exit_finished : k_exit_bad_input;
  }
  options.run.command_line = masked_command_line(argc, argv);
  scrub_secrets(argc, argv);
  return dispatch(app, options);
}

}  // namespace
}  // namespace loadline::app

int main(int argc, char** argv) { return loadline::app::run(argc, argv); }
