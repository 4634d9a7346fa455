#include "app/workload_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "app/tables.h"
#include "base/unique_fd.h"
#include "plan/check.h"

namespace loadline::app {
namespace {

Result<std::string> read_text(const std::string& file) {
  const UniqueFd fd(file == "-" ? dup(0) : open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) {
    return fail(ErrorCode::bad_input, "cannot open the workload: " + errno_text(errno), file);
  }
  std::string text;
  std::string buffer(65536, '\0');
  while (true) {
    const ssize_t n = read(fd.get(), buffer.data(), buffer.size());
    if (n == 0) return text;
    if (n < 0) {
      return fail(ErrorCode::bad_input, "cannot read the workload: " + errno_text(errno), file);
    }
    text.append(buffer, 0, static_cast<std::size_t>(n));
    if (text.size() > k_workload_size_max) {
      return fail(ErrorCode::bad_input,
                  "the workload is larger than " + std::to_string(k_workload_size_max >> 20) +
                      " MiB: that is no workload",
                  file);
    }
  }
}

std::string errors_of(const std::vector<plan::Diagnostic>& diagnostics) {
  std::string lines;
  for (const plan::Diagnostic& d : diagnostics) {
    if (d.level != plan::Diagnostic::Level::error) continue;
    if (!lines.empty()) lines += '\n';
    lines += d.message();
  }
  return lines;
}

Result<void> check_target(const std::string& type, const target::Parameters& parameters) {
  const std::vector<target::TargetType> types = targets::all();
  const auto found = std::ranges::find(types, type, &target::TargetType::name);
  if (found == types.end()) return {};
  const auto opened = found->open(parameters);
  if (!opened) return std::unexpected(opened.error());
  return {};
}

}  // namespace

Result<Workload> read_workload(const std::string& file,
                               const std::vector<report::Setting>& settings, std::uint64_t seed) {
  auto text = read_text(file);
  if (!text) return propagate(text);
  const std::vector<report::Dialect> dialects = dialects::all();
  const auto dialect = std::ranges::find_if(
      dialects, [&](const report::Dialect& d) { return d.recognises(file, *text); });
  if (dialect == dialects.end()) {
    return fail(ErrorCode::bad_input,
                "not a workload that this build knows; a COSBench workload is XML and begins with "
                "<workload ...>",
                file);
  }
  report::WorkloadText workload{
      .file = file, .text = std::move(*text), .settings = settings, .seed = seed};
  workload.check_target = check_target;
  for (const target::TargetType& type : targets::all()) workload.target_types.push_back(type.name);
  report::ParsedWorkload parsed = dialect->parse(workload);
  if (!parsed.plan) return fail(ErrorCode::bad_input, errors_of(parsed.diagnostics));
  const auto checked = plan::check(*parsed.plan);
  if (!checked) return fail(ErrorCode::bad_input, checked.error().message(), file);
  return Workload{.plan = std::move(*parsed.plan),
                  .dialect = *dialect,
                  .files = std::move(parsed.files),
                  .warnings = std::move(parsed.diagnostics)};
}

const report::Dialect* find_dialect(const std::vector<report::Dialect>& all,
                                    const std::string& name) {
  const auto it = std::ranges::find(all, name, &report::Dialect::name);
  return it == all.end() ? nullptr : &*it;
}

}  // namespace loadline::app
