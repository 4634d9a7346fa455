// The words of a fio command, by the rules of getopt_long_only: one dash or two, a value after '='
// or in the next word, optional values only after '=', unique beginnings of names, options and job
// files in any order, "--" ends the options. Of the one-letter forms only -o, -h and -v.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "dialects/fio/options.h"
#include "dialects/fio/raw_section.h"

namespace loadline::dialects::fio {

struct CommandLine {
  CommandOptions command;
  // In order. The first may be the global one of options before any --name.
  std::vector<RawSection> sections;
  std::vector<std::string> job_files;
  std::vector<plan::Diagnostic> diagnostics;
  std::vector<plan::Diagnostic> refusals;
};

// `words` are those after the program's name.
CommandLine read_command_line(std::span<const std::string> words);

}  // namespace loadline::dialects::fio
