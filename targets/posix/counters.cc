#include "targets/posix/counters.h"

#include <algorithm>
#include <charconv>

namespace loadline::targets::posix {
namespace {

constexpr std::uint64_t k_sector = 512;

std::string_view next_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

// The number at the front, skipping blanks; zero where there is none.
std::uint64_t next_number(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  std::uint64_t value = 0;
  const auto end = std::from_chars(line.data(), line.data() + line.size(), value).ptr;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  return value;
}

void skip_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  line.remove_prefix(std::min(line.find(' '), line.size()));
}

}  // namespace

std::map<DeviceNumber, Moved> parse_diskstats(std::string_view text) {
  std::map<DeviceNumber, Moved> devices;
  while (!text.empty()) {
    std::string_view line = next_line(text);
    if (line.empty()) continue;
    const auto major = static_cast<std::uint32_t>(next_number(line));
    const auto minor = static_cast<std::uint32_t>(next_number(line));
    skip_word(line);  // name
    next_number(line);
    next_number(line);
    const std::uint64_t sectors_read = next_number(line);
    next_number(line);
    next_number(line);
    next_number(line);
    const std::uint64_t sectors_written = next_number(line);
    devices[{major, minor}] = {sectors_read * k_sector, sectors_written * k_sector};
  }
  return devices;
}

std::map<DeviceNumber, target::DeviceCounters> parse_device_counters(std::string_view text) {
  std::map<DeviceNumber, target::DeviceCounters> devices;
  while (!text.empty()) {
    std::string_view line = next_line(text);
    if (line.empty()) continue;
    const auto milliseconds = [&] {
      return Duration::milliseconds(static_cast<std::int64_t>(next_number(line)));
    };
    const auto major = static_cast<std::uint32_t>(next_number(line));
    const auto minor = static_cast<std::uint32_t>(next_number(line));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    target::DeviceCounters& device = devices[{major, minor}];
    device.name = line.substr(0, line.find(' '));
    skip_word(line);
    device.reads = next_number(line);
    device.read_merges = next_number(line);
    next_number(line);  // sectors
    device.read_time = milliseconds();
    device.writes = next_number(line);
    device.write_merges = next_number(line);
    next_number(line);  // sectors
    device.write_time = milliseconds();
    next_number(line);  // under way now
    device.busy = milliseconds();
    device.queue_time = milliseconds();
  }
  return devices;
}

target::DeviceCounters between(const target::DeviceCounters& before,
                               const target::DeviceCounters& after) {
  return {.name = after.name,
          .reads = after.reads - before.reads,
          .writes = after.writes - before.writes,
          .read_merges = after.read_merges - before.read_merges,
          .write_merges = after.write_merges - before.write_merges,
          .read_time = after.read_time - before.read_time,
          .write_time = after.write_time - before.write_time,
          .queue_time = after.queue_time - before.queue_time,
          .busy = after.busy - before.busy,
          .watched = after.watched - before.watched};
}

Moved parse_net_dev(std::string_view text) {
  Moved total;
  while (!text.empty()) {
    std::string_view line = next_line(text);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    line.remove_prefix(colon + 1);
    Moved one;
    one.read = next_number(line);
    for (int i = 0; i < 7; ++i) next_number(line);
    one.written = next_number(line);
    total += one;
  }
  return total;
}

std::optional<std::uint64_t> process_read_bytes(std::string_view text) {
  constexpr std::string_view k_key = "read_bytes:";
  while (!text.empty()) {
    std::string_view line = next_line(text);
    if (!line.starts_with(k_key)) continue;
    line.remove_prefix(k_key.size());
    return next_number(line);
  }
  return {};
}

}  // namespace loadline::targets::posix
