// What the kernel has counted: bytes of block devices, of network interfaces, of this process.
//
// Threads: any; nothing is kept.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "base/mounts.h"
#include "target/objects.h"

namespace loadline::targets::posix {

struct Moved {
  std::uint64_t read = 0;     // bytes; received
  std::uint64_t written = 0;  // bytes; sent
  Moved operator-(const Moved& o) const { return {read - o.read, written - o.written}; }
  Moved& operator+=(const Moved& o) {
    read += o.read;
    written += o.written;
    return *this;
  }
};

// /proc/diskstats (the kernel's Documentation/admin-guide/iostats.rst): sectors there are of 512
// bytes whatever the device's are.
std::map<DeviceNumber, Moved> parse_diskstats(std::string_view text);
// All that the same file says of each device.
std::map<DeviceNumber, target::DeviceCounters> parse_device_counters(std::string_view text);
// What was counted between two looks.
target::DeviceCounters between(const target::DeviceCounters& before,
                               const target::DeviceCounters& after);
// /proc/net/dev, all interfaces together: with the loopback, over which local servers are reached.
Moved parse_net_dev(std::string_view text);
// read_bytes of /proc/PID/io.
std::optional<std::uint64_t> process_read_bytes(std::string_view text);

}  // namespace loadline::targets::posix
