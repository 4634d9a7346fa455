// What went through one network interface of this host while a job ran, whoever used it.
//
// Threads: plain values.
#pragma once

#include <cstdint>
#include <string>

#include "base/units.h"

namespace loadline::record {

struct InterfaceCounters {
  std::string name;  // "eth0"; "lo" is one too
  Bytes received;
  Bytes sent;
  std::uint64_t megabits_per_second = 0;  // the speed of the link; 0: it does not say
  bool operator==(const InterfaceCounters&) const = default;
};

}  // namespace loadline::record
