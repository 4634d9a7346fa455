// The files that are made from a stored run: its dialect's classic ones and the HTML report.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "store/archive.h"

namespace loadline::app {

inline constexpr std::string_view k_html_file = "report.html";

// The classic report and the HTML report of a run that has just ended.
Result<void> write_reports(store::Archive& archive, const std::string& run);

// The HTML report alone, made anew; returns its path.
Result<std::string> write_html_report(const store::StoredRun& run);

}  // namespace loadline::app
