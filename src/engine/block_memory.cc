#include "engine/block_memory.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <string>
#include <utility>

#include "base/unique_fd.h"

namespace loadline::engine {
namespace {

using plan::MemoryKind;

std::size_t rounded_up(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

// Where pages of this size are set aside.
std::string pool_of(std::size_t page) {
  constexpr std::size_t k_usual = 2U << 20U;
  if (page == k_usual) return "/proc/sys/vm/nr_hugepages";
  return "/sys/kernel/mm/hugepages/hugepages-" + std::to_string(page >> 10U) + "kB/nr_hugepages";
}

std::unexpected<Error> no_huge_pages(int error, std::size_t bytes, std::size_t page) {
  return fail_errno(error,
                    "there are not enough huge pages: write at least " +
                        std::to_string(bytes / page) + ", for each such job, to " + pool_of(page),
                    std::to_string(bytes) + " bytes");
}

// A file to map, as long as `bytes` at least. `unit`: what its mapping is a multiple of.
Result<UniqueFd> open_file(const std::string& path, std::size_t& bytes, std::size_t& unit) {
  UniqueFd fd(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  struct stat facts{};
  struct statfs system{};
  if (!fd || fstat(fd.get(), &facts) != 0 || fstatfs(fd.get(), &system) != 0) {
    return fail_errno(errno, "cannot open the file of memory", path);
  }
  if (system.f_type == HUGETLBFS_MAGIC) unit = static_cast<std::size_t>(system.f_bsize);
  bytes = rounded_up(bytes, unit);
  if (S_ISREG(facts.st_mode) && static_cast<std::size_t>(facts.st_size) < bytes &&
      ftruncate(fd.get(), static_cast<off_t>(bytes)) != 0) {
    return fail_errno(errno, "cannot make the file of memory as long as the blocks", path);
  }
  return fd;
}

}  // namespace

Result<BlockMemory> BlockMemory::make(const plan::MemorySpec& spec, std::size_t bytes,
                                      std::size_t alignment) {
  constexpr std::size_t k_page = 4096;
  const bool huge = spec.kind == MemoryKind::huge_pages;
  const std::size_t page = std::max<std::size_t>(spec.huge_page.count(), k_page);
  if (huge && !std::has_single_bit(page)) {
    return fail(ErrorCode::bad_input, "is no size of a huge page, e.g. 2m",
                std::to_string(page) + " bytes");
  }
  std::size_t unit = huge ? page : k_page;
  std::size_t length = rounded_up(alignment > unit ? bytes + alignment : bytes, unit);
  UniqueFd fd;
  if (spec.kind == MemoryKind::file) {
    auto opened = open_file(spec.file, length, unit);
    if (!opened) return propagate(opened);
    fd = std::move(*opened);
  }
  unsigned flags = spec.shared ? MAP_SHARED : MAP_PRIVATE;
  if (!fd) flags |= MAP_ANONYMOUS;
  if (huge) {
    flags |= MAP_HUGETLB | static_cast<unsigned>(std::countr_zero(page)) << MAP_HUGE_SHIFT;
  }
  void* mapping =
      mmap(nullptr, length, PROT_READ | PROT_WRITE, static_cast<int>(flags), fd.get(), 0);
  if (mapping == MAP_FAILED) {
    if (unit > k_page) return no_huge_pages(errno, length, unit);
    return fail_errno(errno, "cannot get memory for blocks",
                      spec.file.empty() ? std::to_string(length) + " bytes" : spec.file);
  }
  BlockMemory memory;
  memory.mapping_ = static_cast<std::byte*>(mapping);
  memory.mapped_ = length;
  const auto address = reinterpret_cast<std::uintptr_t>(mapping);
  memory.bytes_ = {memory.mapping_ + (rounded_up(address, alignment) - address), bytes};
  return memory;
}

BlockMemory::BlockMemory(BlockMemory&& other) noexcept
    : mapping_(std::exchange(other.mapping_, nullptr)),
      mapped_(std::exchange(other.mapped_, 0)),
      bytes_(std::exchange(other.bytes_, {})) {}

BlockMemory::~BlockMemory() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_);
}

}  // namespace loadline::engine
