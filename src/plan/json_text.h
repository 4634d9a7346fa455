// JSON documents and the values in them: parsing and printing without exceptions, times and spans
// of time.
//
// Units: a Duration is a number of seconds (whole ones exact, others to the nanosecond up to 97
// days), a WallTime is ISO 8601 in UTC, cut to the millisecond. Text that is not UTF-8 is printed
// with replacement characters.
//
// Threads: pure functions. For plan and store alone.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "base/units.h"

namespace loadline::json {

using Json = nlohmann::ordered_json;

// No exception of the JSON library leaves these. Errors name line and column.
Result<Json> parse(std::string_view text);
// For people: a line for every member of an object, lists without objects on one line.
std::string print(const Json& json);
// All on one line.
std::string print_line(const Json& json);
// Refuses another `version` of the whole number `key`, before anything else is looked at: the same
// words may mean something else there. `what` is e.g. "plan".
Result<void> check_version(const Json& document, const char* key, int version,
                           std::string_view what);

// "2026-11-30T16:59:47.123Z", as WallTime::iso8601() prints it.
std::optional<WallTime> parse_iso8601(std::string_view text);

Json seconds_of(Duration d);
std::optional<Duration> duration_of(const Json& seconds);

// Two digits a byte, lower case; read in either case.
std::string hex_of(std::string_view bytes);
std::optional<std::string> bytes_of_hex(std::string_view digits);

}  // namespace loadline::json
