// How numbers are written for people: three or four significant digits, a unit that fits, decimal
// prefixes (1 MB is 1 000 000 bytes) as COSBench has them.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "base/units.h"
#include "record/op_stats.h"
#include "record/run_result.h"

namespace loadline::report {

// A latency: "812 ns", "1.23 us", "12.3 ms", "1.23 s". Microseconds are spelled with a plain u.
std::string latency_text(Duration d);

// A length of time: "0.4 s", "42.3 s", "5 min 02 s", "1 h 03 min".
std::string span_text(Duration d);

// Operations per second: "0.25", "123.4", "12345".
std::string rate_text(double per_second);

// Millions of bytes per second, without the unit: "0.02", "126.4", "1234".
std::string megabytes_text(double bytes_per_second);

// "812 B", "1.23 kB", "12.3 GB".
std::string bytes_text(Bytes bytes);

// A share: "100 %", "99.98 %", "0.12 %"; never 100 or 0 where it is not exactly that.
std::string percent_text(std::uint64_t part, std::uint64_t whole);

// Containers made or removed by an operation that did nothing else or failed on some: "1
// container", "0 of 40 containers"; else "".
std::string containers_text(const record::OpStats& stats);

// Is this operation of the job worth a row? A job on blocks has all four of them, whatever it does:
// those that it never did are left out, but for the first where it did none at all.
bool has_row(const record::JobResult& job, const record::OpResult& op);

// The same kind of number with groups of three digits set apart by `separator`.
std::string grouped(std::uint64_t n, const std::string& separator);

}  // namespace loadline::report
