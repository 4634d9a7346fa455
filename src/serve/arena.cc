#include "serve/arena.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cerrno>

#include "base/check.h"

namespace loadline::serve {

namespace {

constexpr std::uint64_t k_page = 4096;
// Addresses are free, memory is not: a chunk of which one page is used takes up its whole capacity
// of addresses, and chunks of one size are never made into another.
constexpr std::uint64_t k_address_factor = 16;
constexpr std::uint64_t k_address_least = 1ULL << 30;

std::uint64_t whole_pages(std::uint64_t bytes) { return (bytes + k_page - 1) / k_page * k_page; }

std::size_t class_of(std::size_t bytes) {
  const std::size_t capacity =
      std::clamp(std::bit_ceil(bytes), Arena::k_chunk_least, Arena::k_chunk_most);
  return static_cast<std::size_t>(std::countr_zero(capacity) -
                                  std::countr_zero(Arena::k_chunk_least));
}

std::uint32_t capacity_of(std::size_t size_class) {
  return static_cast<std::uint32_t>(Arena::k_chunk_least << size_class);
}

}  // namespace

Result<std::unique_ptr<Arena>> Arena::make(Bytes limit) {
  const std::uint64_t length =
      std::max(k_address_least, whole_pages(limit.count()) * k_address_factor);
  UniqueFd file(::memfd_create("loadline-store", MFD_CLOEXEC));
  if (!file) return fail_errno(errno, "memfd_create", "store memory");
  if (::ftruncate(file.get(), static_cast<off_t>(length)) != 0) {
    return fail_errno(errno, "ftruncate", "store memory");
  }
  void* base =
      ::mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file.get(), 0);
  if (base == MAP_FAILED) return fail_errno(errno, "mmap", "store memory");
  return std::unique_ptr<Arena>(
      new Arena(std::move(file), static_cast<std::byte*>(base), length, limit.count()));
}

Arena::~Arena() { ::munmap(base_, length_); }

std::optional<Chunk> Arena::allocate(std::size_t wanted) {
  const std::size_t size_class = class_of(wanted);
  Chunk chunk{.capacity = capacity_of(size_class)};
  chunk.touched =
      static_cast<std::uint32_t>(whole_pages(std::min<std::size_t>(wanted, chunk.capacity)));
  const std::lock_guard lock(mutex_);
  auto& dirty = free_dirty_[size_class];
  auto& clean = free_clean_[size_class];
  if (!dirty.empty()) {
    Chunk reused = dirty.back();
    const std::uint64_t charged = std::max(reused.touched, chunk.touched);
    if (live_ + charged <= limit_) {
      dirty.pop_back();
      idle_ -= reused.touched;
      reused.touched = static_cast<std::uint32_t>(charged);
      live_ += charged;
      return reused;
    }
  }
  if (!make_room(chunk.touched)) return std::nullopt;
  if (!clean.empty()) {
    chunk.offset = clean.back();
    clean.pop_back();
  } else {
    if (next_ + chunk.capacity > length_) return std::nullopt;
    chunk.offset = next_;
    next_ += chunk.capacity;
  }
  live_ += chunk.touched;
  return chunk;
}

void Arena::release(Chunk chunk, bool sent) {
  // Outside the lock: giving pages back is slow, and the chunk is still the caller's.
  if (sent) give_back(chunk);
  const std::lock_guard lock(mutex_);
  CHECK(live_ >= chunk.touched);
  live_ -= chunk.touched;
  const std::size_t size_class = class_of(chunk.capacity);
  if (sent) {
    free_clean_[size_class].push_back(chunk.offset);
  } else {
    idle_ += chunk.touched;
    free_dirty_[size_class].push_back(chunk);
  }
}

void Arena::trim(Chunk& chunk, std::size_t used) {
  const auto pages = static_cast<std::uint32_t>(whole_pages(used));
  if (pages >= chunk.touched) return;
  // The pages behind may have been written: hand them back, so that the count stays true.
  ::fallocate(file_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
              static_cast<off_t>(chunk.offset + pages), chunk.touched - pages);
  const std::lock_guard lock(mutex_);
  live_ -= chunk.touched - pages;
  chunk.touched = pages;
}

bool Arena::charge(Bytes bytes) {
  const std::lock_guard lock(mutex_);
  if (!make_room(bytes.count())) return false;
  live_ += bytes.count();
  return true;
}

void Arena::uncharge(Bytes bytes) {
  const std::lock_guard lock(mutex_);
  CHECK(live_ >= bytes.count());
  live_ -= bytes.count();
}

// True where `bytes` more fit under the limit, after free chunks have given up their pages.
bool Arena::make_room(std::uint64_t bytes) {
  if (live_ + bytes > limit_) return false;
  for (std::size_t i = k_classes; i-- > 0 && live_ + idle_ + bytes > limit_;) {
    while (!free_dirty_[i].empty() && live_ + idle_ + bytes > limit_) {
      const Chunk chunk = free_dirty_[i].back();
      free_dirty_[i].pop_back();
      give_back(chunk);
      idle_ -= chunk.touched;
      free_clean_[i].push_back(chunk.offset);
    }
  }
  return true;
}

void Arena::give_back(const Chunk& chunk) {
  CHECK(::fallocate(file_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                    static_cast<off_t>(chunk.offset), chunk.capacity) == 0);
}

}  // namespace loadline::serve
