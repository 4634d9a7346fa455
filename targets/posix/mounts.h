// What a mount means to a measurement, and how large a device is.
//
// Threads: any; nothing is kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/mounts.h"

namespace loadline::targets::posix {

// Files are in memory, with nothing below.
bool is_memory(std::string_view type);
// Less may be written to the device than the files hold: compressed, or stored once.
bool may_shrink(std::string_view type);
// Files come from a server, another process or a pool of devices: what moves is not seen at a
// device of this mount, nor in this process's account.
bool is_remote(std::string_view type);

// BLKGETSIZE64.
std::optional<std::uint64_t> device_size(int fd);

// "ext4 on /dev/vda, mounted at /"
std::string describe(const Mount& mount);

}  // namespace loadline::targets::posix
