// Who uses a block device, and whether a job may write to it.
//
// Threads: any; nothing is kept.
#pragma once

#include <string>

#include "base/error.h"
#include "targets/posix/counters.h"

namespace loadline::targets::posix {

struct DeviceUse {
  std::string mounted_at;      // the device itself is mounted there
  std::string part_mounted;    // e.g. "/dev/sda1, mounted at /": a partition of it
  std::string whole_mounted;   // it is a partition, and the whole disk is mounted there
  std::string holder;          // e.g. "dm-0": a volume or an array is built on it
  bool swap = false;           // it or a partition of it
  bool held = false;           // the kernel gives it to nobody else (open(2): O_EXCL)
  bool allow_mounted = false;  // the workload says that it may be written all the same
  bool allow_raw = false;      // the workload permits what is not in use
};

// mountinfo, sysfs, /proc/swaps and the kernel's own answer. The path is a block device.
DeviceUse use_of(const std::string& path, const DeviceNumber& device);

// The decision alone: nothing that is in use without allow_mounted_write=1.
Result<void> may_write(const std::string& path, const DeviceUse& use);

}  // namespace loadline::targets::posix
