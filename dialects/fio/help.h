// The texts of --help, --cmdhelp, --enghelp and --showcmd. All from the option table.
#pragma once

#include <string>
#include <string_view>

#include "dialects/fio/options.h"

namespace loadline::dialects::fio {

// The usage page.
std::string help_text();
// One option with its kind, bounds and choices, or a line for each where `name` is empty or "all".
// For an unknown one the nearest, as fio does.
std::string command_help(std::string_view name);
// "" : the engines; "ENGINE": its options; "ENGINE,OPTION": that option.
std::string engine_help(std::string_view text);
// Whether there is anything of that: fio's exit status is 1 where there is not.
bool has_engine_help(std::string_view text);
// A command line that asks for the same jobs, one line for each job file. Words that a shell would
// split or change are quoted, so that it can be pasted.
std::string show_command(const ParsedFio& parsed);

}  // namespace loadline::dialects::fio
