// What the network interfaces of this host move while something runs: /proc/net/dev, and the speed
// of each link. The second way of computing what a cluster delivers, and the check on the first.
//
// Threads: reads files below /proc and /sys; safe from any thread.
#pragma once

#include <filesystem>
#include <vector>

#include "record/interface_counters.h"

namespace loadline::drive {

class NetworkWatch {
 public:
  // Begins to count. Tests have a root of their own.
  explicit NetworkWatch(std::filesystem::path root = "/");

  // Since then, by name; loopback too, those that moved nothing left out. Empty where the system
  // does not tell.
  std::vector<record::InterfaceCounters> counted() const;

 private:
  std::filesystem::path root_;
  std::vector<record::InterfaceCounters> before_;
};

}  // namespace loadline::drive
