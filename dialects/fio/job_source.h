// What fio's outputs need to know of a job beside the plan: the text in plan::Job::source. One
// JobSource for every clone; the first job of the plan carries the RunSource as well.
//
// One line of JSON; one encoder, one decoder. Threads: plain values, pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "dialects/fio/job_options.h"
#include "dialects/fio/options.h"
#include "plan/plan.h"

namespace loadline::dialects::fio {

// What was asked for the whole command.
struct RunSource {
  CommandOptions::Formats formats;  // at least one is set; --minimal and --append-terse included
  std::uint32_t terse_version = 3;
  std::string output;  // a path; empty: standard output
  CommandOptions::Eta eta = CommandOptions::Eta::automatic;
  Duration eta_interval = Duration::seconds(1);
  std::optional<Duration> eta_newline;
  std::optional<Duration> status_interval;
  std::optional<std::string> bandwidth_log;  // a prefix
  bool terminal = false;                     // standard output was one
  std::vector<GivenOption> global_options;   // in order, for "global options"
};

struct JobSource {
  std::string section;  // the job's name
  std::uint32_t group = 0;
  std::uint32_t clone = 0;       // 0 is the first of its job
  std::uint32_t clones = 1;      // numjobs
  std::uint32_t number = 1;      // over all jobs and clones, from 1: the N of log files
  std::string direction;         // as fio prints it: rw=randrw
  std::string ioengine;          // as typed
  std::uint32_t iodepth = 1;     // as asked for, also of synchronous engines
  bool thread = false;           // "thread" rather than "process" in the texts
  bool group_reporting = false;  // of this job; the group's last job decides in fio
  bool exitall = false;
  bool continue_on_error = false;  // any kind: total_err and first_error are printed
  std::string description;
  std::vector<GivenOption> given;  // of this section alone: "job options"
  ReportOptions report;
  Duration latency_target;
  Duration latency_window;
  double latency_percentile = 100;
  std::string write_iolog;       // a path, made of the job's trace; empty: none
  std::optional<RunSource> run;  // of the plan's first job alone

  bool first_of_job() const { return clone == 0; }

  std::string to_text() const;
  // Error: bad_input, the context is the path of the field.
  static Result<JobSource> from_text(std::string_view text);
};

// That of the plan's first job; a default one (normal output) where there is none.
RunSource run_source(const plan::Plan& plan);

std::string_view to_string(CommandOptions::Eta eta);
std::string_view to_string(LogValue value);
std::string_view to_string(UnifiedReporting reporting);
std::string_view to_string(SteadyState::Value value);

}  // namespace loadline::dialects::fio
