// Who uses a block device, and whether a job may write to it.
//
// Threads: any; nothing is kept.
#pragma once

#include <string>

#include "base/error.h"
#include "base/mounts.h"

namespace loadline {

struct DeviceUse {
  std::string mounted_at;      // the device itself is mounted there
  std::string part_mounted;    // e.g. "/dev/sda1, mounted at /": a partition of it
  std::string whole_mounted;   // it is a partition, and the whole disk is mounted there
  std::string holder;          // e.g. "dm-0": a volume or an array is built on it
  bool swap = false;           // it or a partition of it
  bool held = false;           // the kernel gives it to nobody else (open(2): O_EXCL)
  bool allow_mounted = false;  // the workload says that it may be written all the same
};

// mountinfo, sysfs, /proc/swaps and the kernel's own answer. The path is a block device.
DeviceUse use_of(const std::string& path, const DeviceNumber& device);

// The decision alone: no device at all without allow_mounted_write=1; the error says why that might
// be a mistake. os_error is EBUSY.
Result<void> may_write(const std::string& path, const DeviceUse& use);

// Both, of what a path names now: what is no block device may be written as far as this goes.
Result<void> may_write_device(const std::string& path, bool allow_mounted);

}  // namespace loadline
