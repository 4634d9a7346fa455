// What a tool's command asks storages instead of running a plan: what lies below paths.
//
// Threads: a plain value; its functions are pure.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "plan/plan.h"
#include "target/objects.h"

namespace loadline::report {

struct SummaryQuestion {
  struct Path {
    plan::TargetSpec storage;
    std::string path;  // for Target::content_summary()
  };
  std::vector<Path> paths;
  std::string heading;  // for standard output, before the first answer
  // The lines of one path: for standard output, or where it has none for standard error.
  std::function<std::string(std::size_t path, const target::ContentSummary& summary)> answer;
  std::function<std::string(std::size_t path, const Error& error)> failure;
  int exit_when_failed = 1;  // where any path has none
};

}  // namespace loadline::report
