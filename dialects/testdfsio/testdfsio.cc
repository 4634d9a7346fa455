// What this folder offers to the table of dialects.
#include <fmt/core.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "dialects/testdfsio/command.h"
#include "dialects/testdfsio/fs_count.h"
#include "dialects/testdfsio/result_block.h"
#include "dialects/testdfsio/testdfsio_output.h"
#include "dialects/testdfsio/words.h"
#include "report/dialect.h"
#include "store/stored_run.h"

namespace loadline::dialects {
namespace testdfsio {
namespace {

constexpr std::string_view k_banner = "TestDFSIO.1.8";
constexpr int k_exit_not_counted = 1;  // of fs -count

// There are no files of this language.
bool recognises(std::string_view, std::string_view) { return false; }

// The block alone, whatever the name of the user's own file.
Result<void> write_classic_report(const store::StoredRun& run) {
  const auto source = run_source(run.plan());
  if (!source) return {};
  const auto block = block_of(*source, run.result());
  if (!block) return {};
  const std::filesystem::path path = run.folder() / "TestDFSIO_results.log";
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text_of(lines_of(*block, source->compat));
  file.close();
  if (!file) return fail_errno(errno, "cannot write", path.string());
  return {};
}

// `fs -count ...`: the first word is none of TestDFSIO's.
report::ParsedCommand count_command(std::span<const std::string> words) {
  std::FILE* const out = stdout;
  auto parsed = parse_count(words, system_surroundings());
  if (!parsed) {
    std::fputs(message_line(parsed.error()).c_str(), stderr);
    return {.exit_status = k_exit_usage};
  }
  for (const std::string& warning : parsed->warnings) {
    fmt::print(stderr, "loadline: warning: {}\n", warning);
  }
  report::CountRequest request;
  std::vector<std::string> typed;
  for (CountPath& path : parsed->paths) {
    request.paths.push_back({.target = std::move(path.storage), .path = std::move(path.path)});
    typed.push_back(std::move(path.typed));
  }
  if (parsed->options.header) {
    fmt::print(out, "{}\n", count_header(parsed->options));
  }
  // allowed: the two functions of one request tell each other whether all was well
  const auto all_well = std::make_shared<bool>(true);
  request.show = [options = parsed->options, typed = std::move(typed), all_well, out](
                     std::size_t path, const Result<target::ContentSummary>& counted) {
    if (counted) {
      fmt::print(out, "{}\n", format_count(*counted, options, typed[path]));
    } else {
      fmt::print(stderr, "{}\n", count_failure(counted.error(), typed[path]));
      *all_well = false;
    }
  };
  request.finish = [all_well] { return *all_well ? 0 : k_exit_not_counted; };
  report::ParsedCommand command;
  command.count = std::move(request);
  return command;
}

report::ParsedCommand parse_command(const report::CommandWords& words) {
  if (!words.words.empty() && words.words.front() == "fs") {
    return count_command(words.words.subspan(1));
  }
  Answer told = answer(words.words, {.seed = words.seed, .target_types = words.target_types},
                       system_surroundings());
  std::fputs(told.out.c_str(), stdout);
  if (told.out.empty()) {
    fmt::print(stderr, "{}{}\n", log_prefix(told.compat, WallTime::now()), k_banner);
  }
  std::fputs(told.err.c_str(), stderr);
  report::ParsedCommand command{.exit_status = told.exit_status};
  if (!told.planned) return command;
  auto output = TestDfsioOutput::open(told.planned->plan, told.planned->source,
                                      {.result = told.result_file, .json = told.json_file}, stderr);
  if (!output) {
    std::fputs(message_line(output.error()).c_str(), stderr);
    command.exit_status = k_exit_exception;
    return command;
  }
  command.output = std::move(*output);
  command.plan = std::move(told.planned->plan);
  command.files["testdfsio-command.txt"] = command_text(words.words);
  return command;
}

}  // namespace
}  // namespace testdfsio

report::Dialect testdfsio_dialect() {
  return {.name = "testdfsio",
          .summary = "TestDFSIO's command lines",
          .recognises = testdfsio::recognises,
          .parse = nullptr,
          .write_classic_report = testdfsio::write_classic_report,
          .parse_command = testdfsio::parse_command};
}

}  // namespace loadline::dialects
