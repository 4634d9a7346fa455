// The files that are made from a stored run: its dialect's classic ones and the HTML report.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "store/stored_run.h"

namespace loadline::app {

inline constexpr std::string_view k_html_file = "report.html";

// The HTML report and the classic one of a run that has just ended, each whatever becomes of the
// other; what could not be written.
std::vector<Error> write_reports(const store::StoredRun& run);

// The HTML report alone, made anew; returns its path.
Result<std::string> write_html_report(const store::StoredRun& run);

}  // namespace loadline::app
