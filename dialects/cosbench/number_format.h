// How COSBench's files write numbers, times and names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/units.h"

namespace loadline::dialects::cosbench {

inline constexpr std::string_view k_not_available = "N/A";

// At most two decimals, no zeros at the end: "548.33", "2", "0.28".
std::string number(double value);
// "97.89%", "100%"; never 100% where a part is missing; "N/A" where nothing or all of it is.
std::string success_ratio(std::uint64_t successes, std::uint64_t samples);
// The same of a cumulative count, "0%" where nothing is there.
std::string share(std::uint64_t part, std::uint64_t whole);
// The mean of `count` durations in milliseconds, or "N/A".
std::string mean_ms(std::uint64_t sum_ns, std::uint64_t count);
std::string milliseconds(Duration d);
// Per second; 0 where no time has passed.
std::string per_second(std::uint64_t amount, Duration time);

// "2026-11-30 16:13:51"
std::string date_time(WallTime at);

// A name as one cell. COSBench's files have no quoting, so a comma becomes a minus sign, as
// COSBench itself does in Config-Info, and a line break a blank.
std::string cell(std::string_view name);

}  // namespace loadline::dialects::cosbench
