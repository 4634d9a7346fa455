// Events of blktrace's binary files: what the block layer was asked to do.
//
// Threads: pure. Source: linux/blktrace_api.h of the kernel's user interface.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/units.h"

namespace loadline::dialects::fio {

inline constexpr std::size_t k_blktrace_bytes = 48;  // of an event, without its data

// By the first four bytes.
bool is_blktrace(std::string_view bytes);

struct BlktraceEvent {
  enum class Kind : std::uint8_t { read, write, trim, sync, other };
  Kind kind = Kind::other;
  Duration at;
  std::uint32_t device = 0;
  std::uint64_t offset = 0;     // bytes
  std::uint32_t length = 0;     // bytes
  std::uint16_t data_size = 0;  // bytes that follow the event
};

// `bytes` are k_blktrace_bytes. Error: bad_input without a context, where it is no event, and
// unsupported for another byte order.
Result<BlktraceEvent> blktrace_event(std::string_view bytes);

// "/dev/sda" of this machine; nothing where it has no such device.
std::optional<std::string> device_path(std::uint32_t device);

}  // namespace loadline::dialects::fio
