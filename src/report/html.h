// The HTML report of a stored run: one self-contained file that needs no network, scales to runs of
// any length, and contains no secret.
//
// Threads: reads the run's ticks from disk; safe for different runs at a time.
#pragma once

#include <string>

#include "base/error.h"
#include "store/stored_run.h"

namespace loadline::report {

// A damaged tick file is no error: the page says so and shows what could be read.
Result<std::string> html_report(const store::StoredRun& run);

}  // namespace loadline::report
