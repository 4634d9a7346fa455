#include "dialects/fio/command_table.h"

#include <fmt/format.h>

#include "dialects/fio/value_parser.h"

namespace loadline::dialects::fio {
namespace {

using std::string_view;
using C = CommandOptions;

std::unexpected<Error> bad(std::string what) { return fail(ErrorCode::bad_input, std::move(what)); }

template <bool C::* member>
Result<void> turn_on(C& command, string_view) {
  command.*member = true;
  return {};
}

template <std::string C::* member>
Result<void> set_text(C& command, string_view text) {
  command.*member = std::string(text);
  return {};
}

template <std::optional<std::string> C::* member>
Result<void> set_optional_text(C& command, string_view text) {
  command.*member = std::string(text);
  return {};
}

Result<void> set_formats(C& command, string_view text) {
  C::Formats formats;
  for (const string_view word : split(text, ',')) {
    if (word == "normal") {
      formats.normal = true;
    } else if (word == "terse" || word == "minimal" || word == "csv") {
      formats.terse = true;
    } else if (word == "json") {
      formats.json = true;
    } else if (word == "json+") {
      formats.json_plus = true;
    } else {
      return bad(
          fmt::format("invalid output format {}; valid values: normal, terse, json, json+", word));
    }
  }
  command.formats = formats;
  return {};
}

Result<void> set_minimal(C& command, string_view) {
  command.formats = C::Formats{.terse = true};
  return {};
}

Result<void> set_terse_version(C& command, string_view text) {
  const auto version = parse_number(text, {});
  if (!version || *version < 2 || *version > 5) {
    return bad("bad terse version format; valid values: 2, 3, 4, 5");
  }
  command.terse_version = static_cast<std::uint32_t>(*version);
  return {};
}

Result<void> set_eta(C& command, string_view text) {
  if (text == "auto") {
    command.eta = C::Eta::automatic;
  } else if (text == "always") {
    command.eta = C::Eta::always;
  } else if (text == "never") {
    command.eta = C::Eta::never;
  } else {
    return bad("valid values: auto, always, never");
  }
  return {};
}

// A period that is given must be longer than nothing.
Result<Duration> period(string_view text, TimeUnit bare) {
  const auto time = parse_time(text, bare);
  if (time && time->ns() <= 0) return bad(fmt::format("'{}': the period must be above 0", text));
  return time;
}

Result<void> set_eta_interval(C& command, string_view text) {
  const auto time = period(text, TimeUnit::milliseconds);
  if (!time) return std::unexpected(time.error());
  if (*time < Duration::milliseconds(250)) return bad("the eta interval is 250 ms or more");
  command.eta_interval = *time;
  return {};
}

Result<void> set_eta_newline(C& command, string_view text) {
  const auto time = period(text, TimeUnit::seconds);
  if (!time) return std::unexpected(time.error());
  command.eta_newline = *time;
  return {};
}

Result<void> set_status_interval(C& command, string_view text) {
  const auto time = period(text, TimeUnit::seconds);
  if (!time) return std::unexpected(time.error());
  command.status_interval = *time;
  return {};
}

Result<void> add_section(C& command, string_view text) {
  command.sections.emplace_back(text);
  return {};
}

Result<void> set_bandwidth_log(C& command, string_view text) {
  command.bandwidth_log = text.empty() ? "agg" : std::string(text);
  return {};
}

Result<void> check_number(C&, string_view text) {
  const auto number = parse_number(text, {});
  if (!number) return std::unexpected(number.error());
  return {};
}

constexpr string_view k_fleet = "Loadline runs on one machine so far";
constexpr string_view k_self_test = "it measures fio itself, not a storage";
constexpr string_view k_trigger = "a run ends by runtime=, with its jobs, or by SIGINT";

constexpr CommandOption k_command[] = {
    {"debug", Argument::required, nullptr, "debug logging: kinds, with ',' between",
     "what fio would log of its own inside is not here; strace shows a job's system calls"},
    {"parse-only", Argument::none, turn_on<&C::parse_only>, "parse options only, do no I/O"},
    {"merge-blktrace-only", Argument::none, nullptr, "merge block traces, do no I/O",
     "block traces are not merged here; blkparse can"},
    {"output", Argument::required, set_text<&C::output>, "write the output to this file"},
    {"bandwidth-log", Argument::optional, set_bandwidth_log, "log the bandwidth of all jobs"},
    {"minimal", Argument::none, set_minimal, "terse output"},
    {"output-format", Argument::required, set_formats, "normal, terse, json, json+, with ','"},
    {"append-terse", Argument::optional, turn_on<&C::append_terse>, "terse after normal output"},
    {"terse-version", Argument::required, set_terse_version, "2, 3, 4 or 5 (default 3)"},
    {"version", Argument::none, turn_on<&C::version>, "print the version"},
    {"help", Argument::none, turn_on<&C::help>, "print this page"},
    {"cmdhelp", Argument::optional, set_optional_text<&C::cmdhelp>, "help on an option, or 'all'"},
    {"enghelp", Argument::optional, set_optional_text<&C::enghelp>, "help on ENGINE[,OPTION]"},
    {"showcmd", Argument::none, turn_on<&C::showcmd>, "print job files as a command line"},
    {"eta", Argument::required, set_eta, "when progress is shown: auto, always, never"},
    {"eta-interval", Argument::required, set_eta_interval, "time between progress lines, ms"},
    {"eta-newline", Argument::required, set_eta_newline, "a new line after each such period"},
    {"status-interval", Argument::required, set_status_interval, "full output each such period"},
    {"readonly", Argument::none, turn_on<&C::readonly>, "refuse every write and trim"},
    {"section", Argument::required, add_section, "run only this section; may be repeated"},
    {"alloc-size", Argument::required, check_number, "accepted, without meaning here"},
    {"profile", Argument::required, nullptr, "built-in set of jobs",
     "built-in sets of jobs are not supported; write the job file"},
    {"warnings-fatal", Argument::none, turn_on<&C::warnings_fatal>, "warnings are mistakes"},
    {"max-jobs", Argument::required, check_number, "accepted, without meaning here"},
    {"server", Argument::optional, nullptr, "wait for jobs of another machine", k_fleet},
    {"daemonize", Argument::required, nullptr, "the same in the background", k_fleet},
    {"client", Argument::required, nullptr, "run jobs on another machine", k_fleet},
    {"remote-config", Argument::required, nullptr, "job file of the other machine", k_fleet},
    {"cpuclock-test", Argument::none, nullptr, "test the processor's clock", k_self_test},
    {"crctest", Argument::optional, nullptr, "speed of checksums", k_self_test},
    {"memcpytest", Argument::optional, nullptr, "speed of copying", k_self_test},
    {"idle-prof", Argument::required, nullptr, "report idle time: system, percpu, calibrate",
     "idle time is not measured here; mpstat shows it"},
    {"inflate-log", Argument::required, nullptr, "print a compressed log",
     "logs are never compressed here"},
    {"trigger-file", Argument::required, nullptr, "trigger when it appears", k_trigger},
    {"trigger-timeout", Argument::required, nullptr, "trigger after this time", k_trigger},
    {"trigger", Argument::required, nullptr, "shell command of the trigger", k_trigger},
    {"trigger-remote", Argument::required, nullptr, "shell command on the other machine", k_fleet},
    {"aux-path", Argument::required, set_text<&C::aux_path>, "directory of state files"},
    {"latency-log", Argument::optional, nullptr, "outdated",
     "it is deprecated in fio; give "
     "write_lat_log"},
};

}  // namespace

std::span<const CommandOption> command_options() { return k_command; }

}  // namespace loadline::dialects::fio
