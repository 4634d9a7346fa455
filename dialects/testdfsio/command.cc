#include "dialects/testdfsio/command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "dialects/testdfsio/words.h"
#include "target/masking.h"

namespace loadline::dialects::testdfsio {
namespace {

Answer refused(Compat compat, const Error& error) {
  return {.exit_status = k_exit_exception, .compat = compat, .err = message_line(error)};
}

}  // namespace

Answer answer(std::span<const std::string> words, const Asked& asked, const Surroundings& world) {
  ParsedWords parsed = parse(words, world);
  Answer answer{.exit_status = parsed.exit_status, .compat = parsed.compat};
  (parsed.help ? answer.out : answer.err) = std::move(parsed.text);
  if (!parsed.options) return answer;
  auto planned = to_plan(*parsed.options, asked.seed, world);
  if (!planned) return refused(parsed.compat, planned.error());
  const std::string& type = planned->plan.stages.front().jobs.front().target.type;
  if (std::ranges::find(asked.target_types, type) == asked.target_types.end()) {
    return refused(parsed.compat, {ErrorCode::unsupported,
                                   fmt::format("this build has no storage {}; it has {}", type,
                                               fmt::join(asked.target_types, ", ")),
                                   "--target"});
  }
  for (const std::string& warning : planned->warnings) {
    answer.err += fmt::format("loadline: warning: {}\n", warning);
  }
  answer.planned = std::move(*planned);
  // A clean has no results.
  if (parsed.options->operation != Operation::clean) {
    answer.result_file = parsed.options->result_file;
  }
  answer.json_file = parsed.options->own.json;
  return answer;
}

std::string command_text(std::span<const std::string> words) {
  std::string text = "testdfsio";
  for (const std::string& word : words) text.append(" ").append(target::masked(word));
  return text + "\n";
}

}  // namespace loadline::dialects::testdfsio
