// What a fio command line and its job files say, after parsing: plain typed values. Nothing here
// knows what Loadline does with them.
//
// Ownership, threads: plain values. Source of the rules: fio's documentation, and the behaviour of
// fio 3.33 where that says less.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialects/fio/job_options.h"
#include "plan/diagnostic.h"

namespace loadline::dialects::fio {

// fio's own options, which belong to no job.
struct CommandOptions {
  enum class Eta : std::uint8_t { automatic, always, never };
  // The outputs follow each other in one stream in fio's fixed order.
  struct Formats {
    bool normal = false;
    bool terse = false;
    bool json = false;
    bool json_plus = false;
    bool operator==(const Formats&) const = default;
  };

  std::string output;              // a path; empty: standard output
  std::optional<Formats> formats;  // none: normal; --minimal: terse
  bool append_terse = false;       // terse after normal
  std::uint32_t terse_version = 3;
  Eta eta = Eta::automatic;
  Duration eta_interval = Duration::seconds(1);
  std::optional<Duration> eta_newline;
  std::optional<Duration> status_interval;
  bool readonly = false;
  bool parse_only = false;
  bool showcmd = false;
  bool version = false;
  bool help = false;
  std::optional<std::string> cmdhelp;        // empty or "all": every option
  std::optional<std::string> enghelp;        // empty: the list of engines; "ENGINE[,OPTION]"
  std::vector<std::string> sections;         // run only these; empty: all
  std::optional<std::string> bandwidth_log;  // a prefix; "agg" where none was given
  bool warnings_fatal = false;
  std::string aux_path;
};

struct ParsedFio {
  CommandOptions command;
  std::vector<JobOptions> jobs;             // in order, clones not expanded
  std::vector<GivenOption> global_options;  // of all global sections, in order
  // Mistakes and warnings. With an error among them fio's exit status is 1 and nothing runs.
  std::vector<plan::Diagnostic> diagnostics;
  // Options that are understood and legal but that this program cannot honour, each by name with
  // the reason (level error). They refuse a run, not --parse-only or --showcmd.
  std::vector<plan::Diagnostic> refusals;

  bool has_errors() const;
};

}  // namespace loadline::dialects::fio
