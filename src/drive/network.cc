#include "drive/network.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace loadline::drive {
namespace {

using record::InterfaceCounters;

// "  eth0: 1234 5 0 0 0 0 0 0 5678 ...": received bytes come first, sent bytes ninth.
constexpr int k_sent_column = 8;

bool read_line(const std::string& line, InterfaceCounters& counters) {
  const std::size_t colon = line.find(':');
  if (colon == std::string::npos) return false;
  const std::size_t begin = line.find_first_not_of(' ');
  counters.name = line.substr(begin, colon - begin);
  std::istringstream columns(line.substr(colon + 1));
  std::uint64_t value = 0;
  for (int column = 0; column <= k_sent_column; ++column) {
    if (!(columns >> value)) return false;
    if (column == 0) counters.received = Bytes(value);
  }
  counters.sent = Bytes(value);
  return true;
}

std::vector<InterfaceCounters> read_now(const std::filesystem::path& root) {
  std::ifstream file(root / "proc/net/dev");
  std::vector<InterfaceCounters> all;
  for (std::string line; std::getline(file, line);) {
    InterfaceCounters counters;
    if (read_line(line, counters)) all.push_back(std::move(counters));
  }
  return all;
}

// Zero where it does not say: loopback, and virtual ones that answer -1.
std::uint64_t speed_of(const std::filesystem::path& root, const std::string& name) {
  std::ifstream file(root / "sys/class/net" / name / "speed");
  std::int64_t speed = 0;
  return file >> speed && speed > 0 ? static_cast<std::uint64_t>(speed) : 0;
}

}  // namespace

NetworkWatch::NetworkWatch(std::filesystem::path root)
    : root_(std::move(root)), before_(read_now(root_)) {}

std::vector<InterfaceCounters> NetworkWatch::counted() const {
  std::vector<InterfaceCounters> moved;
  for (InterfaceCounters& now : read_now(root_)) {
    const auto before = std::ranges::find(before_, now.name, &InterfaceCounters::name);
    // One that came up meanwhile, or was reset, began at zero.
    if (before != before_.end() && before->received <= now.received && before->sent <= now.sent) {
      now.received = now.received - before->received;
      now.sent = now.sent - before->sent;
    }
    if (now.received == Bytes() && now.sent == Bytes()) continue;
    now.megabits_per_second = speed_of(root_, now.name);
    moved.push_back(std::move(now));
  }
  std::ranges::sort(moved, {}, &InterfaceCounters::name);
  return moved;
}

}  // namespace loadline::drive
