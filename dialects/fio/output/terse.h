// fio's terse output: one line of ';'-separated fields a block, in versions 2 to 5.
//
// Threads: pure function.
#pragma once

#include <string>

#include "dialects/fio/output/summary.h"

namespace loadline::dialects::fio::output {

std::string terse_text(const Summary& summary, std::uint32_t version);

}  // namespace loadline::dialects::fio::output
