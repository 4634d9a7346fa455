// As whom and as what a job runs, the commands around it, and the memory that it uses.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "dialects/fio/planning/parts.h"

namespace loadline::dialects::fio {
namespace {

constexpr std::uint32_t k_best_effort = 2;  // of ioprio_set(2)

plan::MemoryPlace place_of(NumaMemory::Mode mode) {
  switch (mode) {
    case NumaMemory::Mode::default_:
    case NumaMemory::Mode::local: return plan::MemoryPlace::local;
    case NumaMemory::Mode::prefer: return plan::MemoryPlace::prefer;
    case NumaMemory::Mode::bind: return plan::MemoryPlace::bind;
    case NumaMemory::Mode::interleave: return plan::MemoryPlace::interleave;
  }
  return plan::MemoryPlace::local;
}

plan::MemorySpec memory_of(const JobOptions& job) {
  using Kind = Memory::Kind;
  plan::MemorySpec memory;
  const bool huge = job.mem.kind == Kind::shmhuge || job.mem.kind == Kind::mmaphuge;
  if (!job.mem.file.empty()) {
    memory.kind = plan::MemoryKind::file;
    memory.file = job.mem.file;
  } else if (huge) {
    memory.kind = plan::MemoryKind::huge_pages;
  }
  memory.shared = job.mem.kind == Kind::mmapshared || job.mem.kind == Kind::shmhuge;
  memory.huge_page = job.hugepage_size;
  memory.align = job.iomem_align;
  memory.locked = job.lockmem;
  if (job.numa_mem_policy) {
    memory.place = place_of(job.numa_mem_policy->mode);
    memory.nodes = job.numa_mem_policy->all
                       ? "all"
                       : fmt::format("{}", fmt::join(job.numa_mem_policy->nodes, ","));
  }
  return memory;
}

}  // namespace

void put_client(const Clone& clone, plan::BlockIo& block) {
  const JobOptions& job = clone.job;
  block.memory = memory_of(job);
  plan::ClientSpec& client = block.client;
  client.user = job.uid;
  client.group = job.gid;
  client.io_class = job.prioclass.value_or(0);
  client.io_level = job.prio.value_or(0);
  client.io_hint = job.priohint.value_or(0);
  // A level or a hint needs a class.
  if (client.io_class == 0 && (job.prio || client.io_hint > 0)) client.io_class = k_best_effort;
  client.command_before = job.exec_prerun;
  client.command_after = job.exec_postrun;
}

}  // namespace loadline::dialects::fio
