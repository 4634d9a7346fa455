// Text on its way into HTML and into JSON inside HTML. Everything that a user or a storage wrote
// goes through one of these.
//
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/units.h"

namespace loadline::report {

// For element content and quoted attributes: & < > " ' become references, bytes that are no UTF-8
// become U+FFFD, control characters but tab and newline vanish.
std::string escaped(std::string_view text);

// A JSON text made fit for a <script type="application/json">: it can no longer close the element.
std::string json_in_script(std::string_view json);

// A latency in milliseconds with three significant digits, without the unit: "0.809", "12.2",
// "1230". One unit a column, so that the eye can compare.
std::string milliseconds_text(Duration d);

// A count with thin spaces between groups of three digits.
std::string count_html(std::uint64_t n);

}  // namespace loadline::report
