#include "engine/block_client.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <csignal>
#include <fstream>
#include <string>
#include <utility>

#include "base/child_process.h"

namespace loadline::engine {
namespace {

using plan::MemoryPlace;

constexpr int k_look_around_ms = 100;
constexpr int k_grace_ms = 1000;  // between asking a command to end and ending it
constexpr unsigned k_nodes = 1024;

// "0,2-5"; none where it is no such list.
template <typename Each>
bool each_index(std::string_view text, unsigned limit, const Each& each) {
  const bool any = !text.empty();
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    const std::size_t dash = part.find('-');
    unsigned first = 0;
    const char* end = part.data() + std::min(dash, part.size());
    if (std::from_chars(part.data(), end, first).ptr != end || end == part.data()) return false;
    unsigned last = first;
    if (dash != std::string_view::npos) {
      const char* begin = part.data() + dash + 1;
      if (std::from_chars(begin, part.data() + part.size(), last).ec != std::errc()) return false;
    }
    if (last < first || last >= limit) return false;
    for (unsigned index = first; index <= last; ++index) each(index);
  }
  return any;
}

std::unexpected<Error> refused(std::string_view what, std::string context) {
  return fail_errno(errno, what, std::move(context));
}

Result<void> settle_on_cpus(const std::string& list) {
  if (list.empty()) return {};
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  if (!each_index(list, CPU_SETSIZE, [&](unsigned cpu) { CPU_SET(cpu, &cpus); })) {
    return fail(ErrorCode::bad_input, "is no list of CPUs like 0,2-5", list);
  }
  if (sched_setaffinity(0, sizeof cpus, &cpus) != 0) return refused("run on these CPUs", list);
  return {};
}

// The kernel counts the priorities of threads, whatever the names of its calls say.
Result<void> set_priorities(const plan::BlockIo& block) {
  const auto self = static_cast<id_t>(gettid());
  if (block.nice != 0 && setpriority(PRIO_PROCESS, self, block.nice) != 0) {
    return refused("set the niceness", std::to_string(block.nice));
  }
  const plan::ClientSpec& client = block.client;
  if (client.io_class == 0 && client.io_hint == 0) return {};
  constexpr int k_of_process = 1;    // IOPRIO_WHO_PROCESS of ioprio_set(2)
  constexpr unsigned k_shift = 13U;  // of the class in an I/O priority
  constexpr unsigned k_hint_shift = 3U;
  const unsigned priority =
      client.io_class << k_shift | client.io_hint << k_hint_shift | client.io_level;
  if (::syscall(SYS_ioprio_set, k_of_process, 0, priority) != 0) {
    return refused(
        "set the I/O priority (real time needs the right to it, CAP_SYS_ADMIN)",
        "class " + std::to_string(client.io_class) + ", level " + std::to_string(client.io_level) +
            (client.io_hint > 0 ? ", hint " + std::to_string(client.io_hint) : std::string()));
  }
  return {};
}

// set_mempolicy(2), without its library.
Result<void> settle_memory(const plan::MemorySpec& memory) {
  if (memory.place == MemoryPlace::local) return {};
  constexpr unsigned k_bits = sizeof(unsigned long) * CHAR_BIT;
  std::array<unsigned long, k_nodes / k_bits> mask{};
  std::string nodes = memory.nodes;
  if (nodes == "all") std::getline(std::ifstream("/sys/devices/system/node/online"), nodes);
  const bool is_list = each_index(
      nodes, k_nodes, [&](unsigned node) { mask[node / k_bits] |= 1UL << node % k_bits; });
  if (!is_list) return fail(ErrorCode::bad_input, "is no list of nodes like 0,2-3", memory.nodes);
  const int mode = memory.place == MemoryPlace::prefer ? 1   // MPOL_PREFERRED
                   : memory.place == MemoryPlace::bind ? 2   // MPOL_BIND
                                                       : 3;  // MPOL_INTERLEAVE
  if (::syscall(SYS_set_mempolicy, mode, mask.data(), k_nodes + 1) != 0) {
    return refused("take memory of these NUMA nodes", memory.nodes);
  }
  return {};
}

// Raw calls: the C library's own change every thread of the process.
Result<void> change_user(const plan::ClientSpec& client) {
  constexpr long k_same = -1;
  if ((client.user || client.group) && geteuid() == 0 &&
      ::syscall(SYS_setgroups, 0, nullptr) != 0) {
    return refused("leave the groups of the driver", {});
  }
  if (client.group && ::syscall(SYS_setresgid, *client.group, *client.group, k_same) != 0) {
    return refused("run as this group (only root may)", std::to_string(*client.group));
  }
  if (client.user && ::syscall(SYS_setresuid, *client.user, *client.user, k_same) != 0) {
    return refused("run as this user (only root may)", std::to_string(*client.user));
  }
  return {};
}

}  // namespace

Result<void> become_client(const plan::BlockIo& block) {
  if (auto done = settle_on_cpus(block.cpus); !done) return done;
  if (auto done = set_priorities(block); !done) return done;
  if (auto done = settle_memory(block.memory); !done) return done;
  return change_user(block.client);
}

Result<LockedMemory> LockedMemory::make(Bytes amount) {
  LockedMemory memory;
  if (amount.count() == 0) return memory;
  void* start =
      mmap(nullptr, amount.count(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return refused("get memory to lock", std::to_string(amount.count()));
  memory.start_ = start;
  memory.size_ = amount.count();
  if (mlock(start, memory.size_) != 0) {
    return refused("lock memory (ulimit -l says how much may be)",
                   std::to_string(amount.count()) + " bytes");
  }
  return memory;
}

LockedMemory::~LockedMemory() {
  if (start_ != nullptr) munmap(start_, size_);
}

LockedMemory::LockedMemory(LockedMemory&& other) noexcept
    : start_(std::exchange(other.start_, nullptr)), size_(std::exchange(other.size_, 0)) {}

LockedMemory& LockedMemory::operator=(LockedMemory&& other) noexcept {
  std::swap(start_, other.start_);
  std::swap(size_, other.size_);
  return *this;
}

Result<void> run_client_command(const std::string& command, const std::string& file,
                                const std::function<bool()>& over) {
  auto child =
      ChildProcess::start({.words = {"sh", "-c", command}, .output = file, .errors = file});
  if (!child) return propagate(child);
  std::optional<int> status;
  bool asked = false;
  while (!(status = child->wait(k_look_around_ms))) {
    if (!over()) continue;
    child->signal(asked ? SIGKILL : SIGTERM);
    if (!std::exchange(asked, true)) static_cast<void>(child->wait(k_grace_ms));
  }
  if (asked) return fail(ErrorCode::cancelled, "was stopped", command);
  if (*status == 0) return {};
  return fail(ErrorCode::io,
              "ended with status " + std::to_string(*status) + "; what it said is in " + file,
              command);
}

}  // namespace loadline::engine
