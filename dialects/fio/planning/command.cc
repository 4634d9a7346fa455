#include "dialects/fio/planning/command.h"

#include <algorithm>

#include "dialects/fio/help.h"
#include "dialects/fio/output/normal.h"
#include "dialects/fio/parse.h"

namespace loadline::dialects::fio {
namespace {

std::string line(std::string_view text) { return std::string(text) + "\n"; }

void tell(const std::vector<plan::Diagnostic>& diagnostics, Answer& answer) {
  for (const plan::Diagnostic& diagnostic : diagnostics) {
    answer.errors.push_back(console_line(diagnostic));
  }
}

// --version, --help, --cmdhelp, --enghelp. True where one was asked.
bool answer_question(const ParsedFio& parsed, Answer& answer) {
  const CommandOptions& command = parsed.command;
  if (command.version) {
    answer.out = line(output::k_version);
  } else if (command.help) {
    answer.out = help_text();
  } else if (command.cmdhelp) {
    answer.out = command_help(*command.cmdhelp);
  } else if (command.enghelp) {
    answer.out = engine_help(*command.enghelp);
    if (!has_engine_help(*command.enghelp)) answer.exit_status = k_exit_refused;
  } else {
    return false;
  }
  return true;
}

// The plan's name: the first job file's, else the first job's.
std::string name_of(const ParsedFio& parsed) {
  for (const JobOptions& job : parsed.jobs) {
    if (job.file.empty()) continue;
    const std::size_t slash = job.file.rfind('/');
    return slash == std::string::npos ? job.file : job.file.substr(slash + 1);
  }
  return parsed.jobs.empty() ? "fio" : parsed.jobs.front().name;
}

}  // namespace

Answer answer(const report::CommandWords& words, const Surroundings& world, const FileView& files) {
  Answer answer;
  const ParsedFio parsed = parse(words.words, world);
  tell(parsed.diagnostics, answer);
  if (parsed.has_errors()) {
    answer.exit_status = k_exit_refused;
    if (parsed.jobs.empty() && words.words.empty()) answer.out = help_text();
    return answer;
  }
  if (answer_question(parsed, answer)) return answer;
  if (parsed.command.showcmd) {
    answer.out = show_command(parsed);
    return answer;
  }
  const bool only_parse = parsed.command.parse_only;
  if (!only_parse && !parsed.refusals.empty()) {
    tell(parsed.refusals, answer);
    answer.exit_status = k_exit_refused;
    return answer;
  }
  PlannedFio planned = to_plan(parsed, files,
                               {.name = name_of(parsed),
                                .seed = words.seed,
                                .terminal = words.terminal,
                                .files_matter = !only_parse,
                                .refuses = !only_parse});
  tell(planned.diagnostics, answer);
  if (!planned.plan || (parsed.command.warnings_fatal && !planned.diagnostics.empty())) {
    // Where clones fail one by one fio's status is their number, at most what fits.
    answer.exit_status =
        static_cast<int>(std::clamp<std::uint32_t>(planned.failed_clones, k_exit_refused, 255));
    return answer;
  }
  if (only_parse) return answer;
  answer.plan = std::move(planned.plan);
  answer.folder_text = show_command(parsed);
  return answer;
}

}  // namespace loadline::dialects::fio
