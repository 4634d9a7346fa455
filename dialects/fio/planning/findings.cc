#include "dialects/fio/planning/findings.h"

#include <algorithm>

namespace loadline::dialects::fio {

void Findings::add(const JobOptions& job, plan::Diagnostic::Level level, std::string what) {
  failed_ |= level == plan::Diagnostic::Level::error;
  plan::Diagnostic finding{.level = level, .what = std::move(what)};
  if (job.line != 0) {
    finding.file = job.file;
    finding.line = job.line;
    finding.column = 1;
  }
  const bool said = std::ranges::any_of(all_, [&](const plan::Diagnostic& earlier) {
    return earlier.what == finding.what && earlier.line == finding.line;
  });
  if (!said) all_.push_back(std::move(finding));
}

}  // namespace loadline::dialects::fio
