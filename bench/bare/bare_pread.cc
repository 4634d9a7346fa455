// The least that 4 KiB random reads can cost: pread in a loop, two looks at the clock around each.
// usage: bare_pread FILE SECONDS; prints operations, bytes.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace {

std::int64_t now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1'000'000'000 + t.tv_nsec;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int fd = open(argv[1], O_RDONLY);
  struct stat facts{};
  if (fd < 0 || fstat(fd, &facts) != 0) return 1;
  constexpr std::uint64_t k_block = 4096;
  const std::uint64_t blocks = static_cast<std::uint64_t>(facts.st_size) / k_block;
  void* buffer = std::aligned_alloc(k_block, k_block);
  std::uint64_t random = 88172645463325252ULL;
  std::uint64_t done = 0;
  std::int64_t spent = 0;
  const std::int64_t end = now() + std::strtoll(argv[2], nullptr, 10) * 1'000'000'000;
  for (std::int64_t after = 0; after < end; ++done) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    const std::int64_t before = now();
    if (pread(fd, buffer, k_block, static_cast<off_t>(random % blocks * k_block)) != k_block) {
      return 1;
    }
    after = now();
    spent += after - before;
  }
  std::printf("%llu %lld\n", static_cast<unsigned long long>(done), static_cast<long long>(spent));
}
