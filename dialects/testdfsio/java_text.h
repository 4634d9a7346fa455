// Numbers and dates as Java prints them, because scripts read TestDFSIO's lines: Float.toString and
// Double.toString, DecimalFormat("#.##"), Date.toString.
//
// Java before 19 printed one digit more than the shortest for a few values; here it is always the
// shortest text that reads back as the same number. The decimal sign is a point in every locale.
// Threads: pure functions, but that java_date() asks for the time zone of the process.
#pragma once

#include <string>

#include "base/clock.h"

namespace loadline::dialects::testdfsio {

// "76.92308", "1.2288E7", "0.0", "Infinity", "NaN".
std::string java_text(float value);
std::string java_text(double value);

// At most two decimals, half to even of the exact binary value, no zeros at the end: "76.92", "1",
// "∞", "NaN".
std::string two_decimals(double value);

// "Tue Aug 27 20:48:50 CST 2019" in local time; English names.
std::string java_date(WallTime when);

}  // namespace loadline::dialects::testdfsio
