// Loadline's own options of the testdfsio command: long ones, --NAME VALUE or --NAME=VALUE,
// anywhere among the words. TestDFSIO has no word that begins with two dashes.
//
// Errors: bad_input; the context is the option. Threads: pure functions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "dialects/testdfsio/options.h"

namespace loadline::dialects::testdfsio {

// Takes them out; what is returned are the other words in their order. --help is not one.
Result<std::vector<std::string>> take_own_options(std::span<const std::string> words,
                                                  OwnOptions& into);

// The lines of --help on them.
std::string own_options_help();

}  // namespace loadline::dialects::testdfsio
