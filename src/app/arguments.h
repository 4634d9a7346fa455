// The command line, after it has been read: secrets in it are overwritten, so that a process list
// never shows them, and a copy without them goes into the result.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "report/dialect.h"

namespace loadline::app {

// Splits "PATH=VALUE". A value `env:NAME` is replaced by that environment variable, so that a
// secret need not stand on the command line at all.
Result<report::Setting> parse_setting(const std::string& text);

// The command line as one string, secret values masked.
std::string masked_command_line(int argc, const char* const* argv);

// Overwrites the secret values of `--set ...secretkey=VALUE` and the like in argv itself.
void scrub_secrets(int argc, char** argv);

}  // namespace loadline::app
