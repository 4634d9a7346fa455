// The style and the script of the HTML report, both inlined into the page.
#pragma once

#include <string_view>

namespace loadline::report {

extern const std::string_view k_report_style;
extern const std::string_view k_report_script;

}  // namespace loadline::report
