// From typed fio options to a Plan: every clone of a job is one job on blocks of its own. A
// stonewall and the beginning of a job file begin a stage.
//
// Pure, but for what it asks of the FileView. Source of the rules: fio's documentation, and the
// behaviour of fio 3.33 where that says less.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialects/fio/options.h"
#include "dialects/fio/planning/file_view.h"
#include "plan/diagnostic.h"
#include "plan/plan.h"

namespace loadline::dialects::fio {

struct PlanningOptions {
  std::string name = "fio";  // of the plan; what does not fit a file name is replaced
  std::uint64_t seed = 0;    // for randrepeat=0
  bool terminal = false;     // standard output is one
  bool files_matter = true;  // false: nor do folders and nodes (--parse-only)
  bool refuses = true;       // false: what cannot be honoured is no mistake either
};

struct PlannedFio {
  std::optional<plan::Plan> plan;  // none where there is an error
  std::vector<plan::Diagnostic> diagnostics;
  // Clones without a size, where nothing else is wrong: fio's exit status counts them.
  std::uint32_t failed_clones = 0;
};

PlannedFio to_plan(const ParsedFio& parsed, const FileView& files, const PlanningOptions& options);

}  // namespace loadline::dialects::fio
