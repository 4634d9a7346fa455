// What a dialect offers: from the user's text to a Plan, and from a stored run to the files that
// the tool's users know.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "plan/diagnostic.h"
#include "plan/plan.h"
#include "report/command_output.h"

namespace loadline::store {
class StoredRun;
}

namespace loadline::report {

// One `--set PATH=VALUE`.
struct Setting {
  std::string path;
  std::string value;
};

// The user's text, and how it is to be read.
struct WorkloadText {
  std::string file;  // its name, for messages
  std::string text;
  std::vector<Setting> settings;
  std::uint64_t seed = 0;
  std::vector<std::string> target_types;  // what this build can run
  // Whether a storage of this type takes these parameters, Error.context naming the one it refuses;
  // null: not asked. Touches no storage.
  Result<void> (*check_target)(const std::string& type,
                               const target::Parameters& parameters) = nullptr;
};

// Either a plan, or at least one diagnostic of level error.
struct ParsedWorkload {
  std::optional<plan::Plan> plan;
  std::vector<plan::Diagnostic> diagnostics;
  // Files that belong into the run's folder from the start, by name, secrets masked.
  std::map<std::string, std::string> files;
};

// One dialect: what its folder offers to the generated table.
struct Dialect {
  std::string name;     // e.g. "cosbench"
  std::string summary;  // one line for `loadline version`
  // Both null for a dialect that is a command line alone.
  bool (*recognises)(std::string_view file, std::string_view text);
  ParsedWorkload (*parse)(const WorkloadText& workload);
  // Writes the classic files of a run into its archive. Called once when the run has ended, however
  // it ended.
  Result<void> (*write_classic_report)(const store::StoredRun& run);
  // `loadline NAME WORDS...`; null where the dialect has no command line of its own.
  ParsedCommand (*parse_command)(const CommandWords& words) = nullptr;
  int exit_when_killed = 130;  // the exit status of that command line at a second signal
};

}  // namespace loadline::report
