#include "dialects/fio/planning/blktrace.h"

#include <fmt/format.h>
#include <linux/blktrace_api.h>

#include <bit>
#include <cstring>
#include <fstream>

#include "base/check.h"

namespace loadline::dialects::fio {
namespace {

static_assert(sizeof(blk_io_trace) == k_blktrace_bytes);

constexpr std::uint32_t k_magic_mask = 0xffffff00;
constexpr std::uint64_t k_sector = 512;
constexpr std::uint64_t k_offset_max = std::uint64_t{1} << 62;

std::uint32_t magic_of(std::string_view bytes) {
  std::uint32_t magic = 0;
  if (bytes.size() >= sizeof magic) std::memcpy(&magic, bytes.data(), sizeof magic);
  return magic;
}

BlktraceEvent::Kind kind_of(const blk_io_trace& event) {
  using Kind = BlktraceEvent::Kind;
  const std::uint32_t category = event.action >> BLK_TC_SHIFT;
  const std::uint32_t action = event.action & 0xffffU;
  // What is queued is all that was asked for; what is merged, split or completed is the same again.
  if (action != __BLK_TA_QUEUE || (category & BLK_TC_NOTIFY) != 0) return Kind::other;
  if ((category & BLK_TC_QUEUE) == 0 || (category & BLK_TC_PC) != 0) return Kind::other;
  if (event.bytes == 0) return (category & BLK_TC_FLUSH) != 0 ? Kind::sync : Kind::other;
  if ((category & BLK_TC_DISCARD) != 0) return Kind::trim;
  return (category & BLK_TC_WRITE) != 0 ? Kind::write : Kind::read;
}

}  // namespace

bool is_blktrace(std::string_view bytes) {
  const std::uint32_t magic = magic_of(bytes);
  return (magic & k_magic_mask) == BLK_IO_TRACE_MAGIC ||
         (std::byteswap(magic) & k_magic_mask) == BLK_IO_TRACE_MAGIC;
}

Result<BlktraceEvent> blktrace_event(std::string_view bytes) {
  CHECK(bytes.size() == k_blktrace_bytes);
  blk_io_trace event{};
  std::memcpy(&event, bytes.data(), sizeof event);
  if ((std::byteswap(event.magic) & k_magic_mask) == BLK_IO_TRACE_MAGIC) {
    return fail(ErrorCode::unsupported, "is of a machine of the other byte order");
  }
  if ((event.magic & k_magic_mask) != BLK_IO_TRACE_MAGIC) {
    return fail(ErrorCode::bad_input, "holds no event of blktrace where one should begin");
  }
  if ((event.magic & 0xffU) != BLK_IO_TRACE_VERSION) {
    return fail(ErrorCode::unsupported,
                fmt::format("holds events of version {}, which are not supported; {} is",
                            event.magic & 0xffU, BLK_IO_TRACE_VERSION));
  }
  if (event.sector > k_offset_max / k_sector) {
    return fail(ErrorCode::bad_input, "holds a sector that is out of range");
  }
  const std::uint64_t ns = event.time & 0x7fffffffffffffffU;
  return BlktraceEvent{.kind = kind_of(event),
                       .at = Duration::nanoseconds(static_cast<std::int64_t>(ns)),
                       .device = event.device,
                       .offset = event.sector * k_sector,
                       .length = event.bytes,
                       .data_size = event.pdu_len};
}

std::optional<std::string> device_path(std::uint32_t device) {
  // As the kernel numbers them inside: 12 bits and 20 bits.
  std::ifstream facts(fmt::format("/sys/dev/block/{}:{}/uevent", device >> 20U, device & 0xfffffU));
  for (std::string line; std::getline(facts, line);) {
    if (line.starts_with("DEVNAME=")) return "/dev/" + line.substr(8);
  }
  return std::nullopt;
}

}  // namespace loadline::dialects::fio
