// From a file of the user's to a checked plan, whatever its dialect.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "plan/plan.h"
#include "report/dialect.h"

namespace loadline::app {

// The largest workload text that is read.
inline constexpr std::uint64_t k_workload_size_max = 8ULL << 20;

struct Workload {
  plan::Plan plan;
  report::Dialect dialect;
  std::map<std::string, std::string> files;
  std::vector<plan::Diagnostic> warnings;
};

// All mistakes at once, each a line in Error.what.
Result<Workload> read_workload(const std::string& file,
                               const std::vector<report::Setting>& settings, std::uint64_t seed);

// The dialect of a stored run, or nothing where this build has none of that name.
const report::Dialect* find_dialect(const std::vector<report::Dialect>& all,
                                    const std::string& name);

}  // namespace loadline::app
