// What a worker's thread has cost and how deep its queue was so far, for those who look at a run
// while it goes on. Job results have the final figures.
//
// Threads: plain values. Cumulative since the job's own start.
#pragma once

#include <cstdint>

#include "base/units.h"
#include "record/block_counters.h"

namespace loadline::record {

struct WorkerLoad {
  DepthBuckets depth{};
  DepthBuckets submits{};
  DepthBuckets completes{};
  Duration cpu_user;
  Duration cpu_system;
  std::uint64_t context_switches = 0;
  std::uint64_t major_faults = 0;
  std::uint64_t minor_faults = 0;

  // That of another worker of the same job.
  void add(const WorkerLoad& other) {
    for (std::size_t i = 0; i < k_depth_buckets; ++i) {
      depth[i] += other.depth[i];
      submits[i] += other.submits[i];
      completes[i] += other.completes[i];
    }
    cpu_user += other.cpu_user;
    cpu_system += other.cpu_system;
    context_switches += other.context_switches;
    major_faults += other.major_faults;
    minor_faults += other.minor_faults;
  }
};

// Asked by the worker's own thread when it begins another tick.
class LoadSource {
 public:
  virtual ~LoadSource() = default;
  virtual WorkerLoad load() const = 0;
};

}  // namespace loadline::record
