// How fio prints numbers: with so many significant digits and a prefix, latencies in a unit chosen
// for the line. Source: fio's documentation, and the output of fio 3.33.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace loadline::dialects::fio::output {

enum class Unit : std::uint8_t { none, byte, bit, byte_per_second, bit_per_second };

// "9056", "27.6MiB/s", "4517.8k": as it is where it has at most `digits` digits, else divided by
// 1024 or 1000 until it has, with as many decimals as there is room for. `bit` units multiply by 8.
struct NumberStyle {
  unsigned digits = 4;
  bool binary = false;  // Ki, Mi, .. of 1024; else k, M, .. of 1000
  Unit unit = Unit::none;
};
std::string short_number(std::uint64_t value, const NumberStyle& style);

// The unit of a line of latencies.
struct TimeUnitOfLine {
  std::string_view name = "nsec";
  double divisor = 1;
};
// By least value, largest value and standard deviation, in nanoseconds.
TimeUnitOfLine unit_for_line(double min, double max, double deviation);
// By least and largest percentile.
TimeUnitOfLine unit_for_percentiles(std::uint64_t min, std::uint64_t max);

// "Mon Nov 30 16:05:57 2026"
std::string date_text(WallTime at);

}  // namespace loadline::dialects::fio::output
