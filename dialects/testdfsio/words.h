// The words of a TestDFSIO command to Options, by its rules: generic options first, then one pass
// from left to right in which the last operation counts. What it answers itself - help, mistakes -
// comes with its exit status.
//
// Texts: for standard error, lines as TestDFSIO prints them. Threads: pure but for `world`.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "dialects/testdfsio/options.h"
#include "dialects/testdfsio/surroundings.h"

namespace loadline::dialects::testdfsio {

// Java's -1: the usage was printed. And -2: an exception ended the program.
inline constexpr int k_exit_usage = 255;
inline constexpr int k_exit_exception = 254;

struct ParsedWords {
  std::optional<Options> options;  // none: answered
  Compat compat = Compat::v2_7;    // as far as it was known by then
  bool help = false;               // `text` is for standard output
  int exit_status = 0;
  std::string text;  // the answer; or warnings, a line each
};

ParsedWords parse(std::span<const std::string> words, const Surroundings& world);

// "Usage: TestDFSIO ...", one line without its end.
std::string usage_text(Compat compat);

// "loadline: WHAT\n" of an error, the form of all our own messages.
std::string message_line(const Error& error);

}  // namespace loadline::dialects::testdfsio
