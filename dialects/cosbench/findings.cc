#include "dialects/cosbench/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace loadline::dialects::cosbench {

void Findings::error(const Place& place, std::string_view where, std::string what) {
  add(plan::Diagnostic::Level::error, place, where, std::move(what));
}

void Findings::warning(const Place& place, std::string_view where, std::string what) {
  add(plan::Diagnostic::Level::warning, place, where, std::move(what));
}

void Findings::add(plan::Diagnostic::Level level, const Place& place, std::string_view where,
                   std::string what) {
  if (full()) {
    errors_ += level == plan::Diagnostic::Level::error ? 1 : 0;
    hidden_ += 1;
    return;
  }
  if (!seen_.insert(fmt::format("{}:{}:{}:{}", place.option, place.line, place.column, what))
           .second) {
    return;
  }
  if (level == plan::Diagnostic::Level::error) errors_ += 1;
  const bool from_option = !place.option.empty();
  plan::Diagnostic diagnostic{.level = level,
                              .file = from_option ? place.option : file_,
                              .line = from_option ? 0 : place.line,
                              .column = from_option ? 0 : place.column,
                              .where = std::string(where),
                              .what = std::move(what)};
  const auto position = [](const plan::Diagnostic& d) { return std::tuple(d.line, d.column); };
  const auto after = std::ranges::upper_bound(diagnostics_, position(diagnostic), {}, position);
  diagnostics_.insert(after, std::move(diagnostic));
}

std::vector<plan::Diagnostic> Findings::take() {
  if (hidden_ > 0) {
    diagnostics_.push_back(
        {.level = failed() ? plan::Diagnostic::Level::error : plan::Diagnostic::Level::warning,
         .file = file_,
         .where = "",
         .what = fmt::format("{} more, not shown", hidden_)});
  }
  return std::exchange(diagnostics_, {});
}

}  // namespace loadline::dialects::cosbench
