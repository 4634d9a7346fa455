// What this folder offers to the table of dialects.
#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <fstream>

#include "dialects/fio/output/fio_output.h"
#include "dialects/fio/output/trace_logs.h"
#include "dialects/fio/parse.h"
#include "dialects/fio/planning/command.h"
#include "report/dialect.h"
#include "store/stored_run.h"

namespace loadline::dialects {
namespace fio {
namespace {

// A job file: its first line that says something begins a section.
bool recognises(std::string_view file, std::string_view text) {
  if (file.ends_with(".fio")) return true;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) continue;
    line.remove_prefix(first);
    if (line.front() == '#' || line.front() == ';') continue;
    return line.front() == '[' && line.find(']') != std::string_view::npos;
  }
  return false;
}

void refuse_settings(const report::WorkloadText& workload, report::ParsedWorkload& parsed) {
  for (const report::Setting& setting : workload.settings) {
    parsed.diagnostics.push_back(
        {.file = workload.file,
         .where = "--set " + setting.path,
         .what = "a fio job file is changed by options behind it: loadline fio FILE ..., or by "
                 "variables in it"});
  }
}

report::ParsedWorkload parse_workload(const report::WorkloadText& workload) {
  report::ParsedWorkload out;
  refuse_settings(workload, out);
  Surroundings world = system_surroundings();
  world.read_file = [&workload, read = std::move(world.read_file)](const std::string& path) {
    return path == workload.file ? Result<std::string>(workload.text) : read(path);
  };
  const std::vector<std::string> words = {workload.file};
  const ParsedFio parsed = parse(words, world);
  out.diagnostics.insert(out.diagnostics.end(), parsed.diagnostics.begin(),
                         parsed.diagnostics.end());
  out.diagnostics.insert(out.diagnostics.end(), parsed.refusals.begin(), parsed.refusals.end());
  if (parsed.has_errors() || !parsed.refusals.empty()) return out;
  const std::size_t slash = workload.file.rfind('/');
  PlannedFio planned =
      to_plan(parsed, system_file_view(),
              {.name = slash == std::string::npos ? workload.file : workload.file.substr(slash + 1),
               .seed = workload.seed});
  out.diagnostics.insert(out.diagnostics.end(), planned.diagnostics.begin(),
                         planned.diagnostics.end());
  if (out.diagnostics.empty() || planned.plan) out.files["workload.fio"] = workload.text;
  if (workload.settings.empty()) out.plan = std::move(planned.plan);
  return out;
}

// Both forms, whatever the command asked for.
Result<void> write_classic_report(const store::StoredRun& run) {
  for (const auto& [name, text] : {std::pair("fio.txt", output::normal_text(run)),
                                   std::pair("fio.json", output::json_text(run))}) {
    const std::filesystem::path path = run.folder() / name;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (!file) return fail_errno(errno, "cannot write", path.string());
  }
  // Those of `loadline run`: a fio command has made them of its traces by now.
  std::vector<Error> errors = output::TraceLogs(run.plan()).finish();
  if (!errors.empty()) return std::unexpected(std::move(errors.front()));
  return {};
}

report::ParsedCommand parse_command(const report::CommandWords& words) {
  Answer told = answer(words, system_surroundings(), system_file_view());
  std::fputs(told.out.c_str(), stdout);
  for (const std::string& error : told.errors) fmt::print(stderr, "{}\n", error);
  report::ParsedCommand command{.exit_status = told.exit_status};
  if (!told.plan) return command;
  auto output = output::FioOutput::open(*told.plan);
  if (!output) {
    fmt::print(stderr, "fio: {}\n", output.error().message());
    command.exit_status = k_exit_refused;
    return command;
  }
  command.output = std::move(*output);
  command.plan = std::move(told.plan);
  command.files["fio-command.txt"] = told.folder_text;
  return command;
}

}  // namespace
}  // namespace fio

report::Dialect fio_dialect() {
  return {.name = "fio",
          .summary = "fio command lines and job files",
          .recognises = fio::recognises,
          .parse = fio::parse_workload,
          .write_classic_report = fio::write_classic_report,
          .parse_command = fio::parse_command,
          .exit_when_killed = 128};
}

}  // namespace loadline::dialects
