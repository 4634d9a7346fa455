// What a session adds to the system call: the null engine's whole cost, and psync beside a bare
// loop of pread.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/rng.h"
#include "base/unique_fd.h"
#include "targets/posix/posix_target.h"

namespace loadline::targets::posix {
namespace {

constexpr std::uint64_t k_block = 4096;
constexpr std::uint64_t k_blocks = 4096;

class File {
 public:
  File() {
    std::string pattern = "/dev/shm/loadline-bench-XXXXXX";
    fd_ = UniqueFd(::mkstemp(pattern.data()));
    path_ = pattern;
    const std::string data(k_block, 'x');
    for (std::uint64_t i = 0; i < k_blocks && fd_; ++i) {
      if (::pwrite(fd_.get(), data.data(), k_block, static_cast<off_t>(i * k_block)) < 0) break;
    }
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { ::unlink(path_.c_str()); }
  int fd() const { return fd_.get(); }
  const std::string& path() const { return path_; }

 private:
  UniqueFd fd_;
  std::string path_;
};

void bare_pread(benchmark::State& state) {
  const File file;
  std::vector<std::byte> buffer(k_block);
  Rng rng(1);
  for (auto _ : state) {
    const std::uint64_t offset = rng.below(k_blocks) * k_block;
    benchmark::DoNotOptimize(
        ::pread(file.fd(), buffer.data(), k_block, static_cast<off_t>(offset)));
  }
}
BENCHMARK(bare_pread);

void session_of(benchmark::State& state, const char* engine) {
  const SteadyClock clock;
  const File file;
  target::Parameters parameters;
  parameters.set("engine", engine);
  auto target = PosixTarget::open(parameters);
  auto session = (*target)->open_session({.slots = 1, .clock = &clock, .seed = 1});
  if (!session) {
    state.SkipWithError(session.error().message().c_str());
    return;
  }
  auto opened = (*session)->open_object(file.path(), {});
  std::vector<std::byte> buffer(k_block);
  std::vector<target::Completion> done(1);
  target::Op op{.kind = target::OpKind::read, .handle = opened->handle, .memory = buffer};
  Rng rng(1);
  for (auto _ : state) {
    op.range = target::ByteRange{Bytes(rng.below(k_blocks) * k_block), Bytes(k_block)};
    benchmark::DoNotOptimize((*session)->submit(op));
    benchmark::DoNotOptimize((*session)->reap(done, Instant::max()));
  }
}
BENCHMARK_CAPTURE(session_of, null, "null");
BENCHMARK_CAPTURE(session_of, psync, "psync");
BENCHMARK_CAPTURE(session_of, pvsync2, "pvsync2");
BENCHMARK_CAPTURE(session_of, mmap, "mmap");
BENCHMARK_CAPTURE(session_of, libaio, "libaio");
BENCHMARK_CAPTURE(session_of, io_uring, "io_uring");

}  // namespace
}  // namespace loadline::targets::posix
