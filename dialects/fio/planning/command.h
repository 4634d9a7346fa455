// `loadline fio WORDS...`: questions are answered and mistakes are told at once, with fio's exit
// statuses; everything else becomes a plan and its outputs.
//
// Texts: answers on standard output, mistakes and warnings on standard error, always.
#pragma once

#include <string>
#include <vector>

#include "dialects/fio/options.h"
#include "dialects/fio/planning/file_view.h"
#include "dialects/fio/planning/to_plan.h"
#include "dialects/fio/surroundings.h"
#include "report/command_output.h"

namespace loadline::dialects::fio {

// fio's status for every mistake before a run.
inline constexpr int k_exit_refused = 1;

// What the words come to, before anything is printed.
struct Answer {
  int exit_status = 0;
  std::string out;                  // for standard output
  std::vector<std::string> errors;  // for standard error, a line each
  std::optional<plan::Plan> plan;   // none: answered
  std::string folder_text;          // for the run's folder: how to repeat it
};

Answer answer(const report::CommandWords& words, const Surroundings& world, const FileView& files);

}  // namespace loadline::dialects::fio
