// `hadoop fs -count [-q] [-h] [-v] PATH...`: its words, and its lines to the last blank.
//
// Errors: bad_input. Threads: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "dialects/testdfsio/options.h"
#include "dialects/testdfsio/surroundings.h"
#include "plan/plan.h"
#include "target/objects.h"

namespace loadline::dialects::testdfsio {

struct CountOptions {
  bool quotas = false;  // -q
  bool human = false;   // -h: every number with K, M, G, T, P or E
  bool header = false;  // -v
};

// One path of the command and the storage that it is on.
struct CountPath {
  std::string typed;  // as in the command, for the output
  plan::TargetSpec storage;
  std::string path;  // what Target::content_summary() is asked
};

struct CountCommand {
  CountOptions options;
  std::vector<CountPath> paths;  // at least one
  std::vector<std::string> warnings{};
};

// `words` are those behind "fs": generic options, -count, its options and paths. Loadline's own
// long options are taken too. Other commands of `hadoop fs` are refused by name.
Result<CountCommand> parse_count(std::span<const std::string> words, const Surroundings& world);

// A line without its end.
std::string count_header(const CountOptions& options);
std::string format_count(const target::ContentSummary& summary, const CountOptions& options,
                         std::string_view path);

// "4 T", "1.9 G", "512": binary prefixes, one decimal, half up.
std::string human_number(std::int64_t number);

// What Hadoop prints where a path cannot be counted, e.g. "count: `/x': No such file or directory".
std::string count_failure(const Error& error, std::string_view path);

}  // namespace loadline::dialects::testdfsio
