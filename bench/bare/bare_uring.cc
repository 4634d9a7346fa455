// The least that direct random reads at a depth of 32 can cost: liburing in a loop, one look at the
// clock a completion. usage: bare_uring FILE SECONDS DIRECT; prints operations.
#include <fcntl.h>
#include <liburing.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace {

constexpr unsigned k_depth = 32;
constexpr std::uint64_t k_block = 4096;

std::int64_t now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1'000'000'000 + t.tv_nsec;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const int fd = open(argv[1], O_RDONLY | (*argv[3] == '1' ? O_DIRECT : 0));
  struct stat facts{};
  if (fd < 0 || fstat(fd, &facts) != 0) return 1;
  const std::uint64_t blocks = static_cast<std::uint64_t>(facts.st_size) / k_block;
  char* buffer = static_cast<char*>(std::aligned_alloc(k_block, k_block * k_depth));
  io_uring ring{};
  if (io_uring_queue_init(k_depth, &ring, 0) != 0) return 1;
  std::uint64_t random = 88172645463325252ULL;
  const auto add = [&](std::uint64_t slot) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    io_uring_sqe* entry = io_uring_get_sqe(&ring);
    io_uring_prep_read(entry, fd, buffer + slot * k_block, k_block, random % blocks * k_block);
    io_uring_sqe_set_data64(entry, slot);
  };
  for (std::uint64_t slot = 0; slot < k_depth; ++slot) add(slot);
  std::uint64_t done = 0;
  const std::int64_t end = now() + std::strtoll(argv[2], nullptr, 10) * 1'000'000'000;
  for (std::int64_t time = 0; time < end;) {
    if (io_uring_submit_and_wait(&ring, 1) < 0) return 1;
    io_uring_cqe* completion = nullptr;
    unsigned head = 0;
    unsigned seen = 0;
    io_uring_for_each_cqe(&ring, head, completion) {
      if (completion->res != static_cast<int>(k_block)) return 1;
      time = now();
      ++seen;
      add(completion->user_data);
    }
    io_uring_cq_advance(&ring, seen);
    done += seen;
  }
  std::printf("%llu\n", static_cast<unsigned long long>(done));
}
