// What the loop of a job on blocks costs an operation where the storage costs nothing.
#include <benchmark/benchmark.h>

#include "engine/block_worker.h"

namespace loadline::engine {
namespace {

class NullSession final : public target::Session {
 public:
  target::Submitted submit(const target::Op& op) override {
    done_[count_++] = {.slot = op.slot, .bytes = op.range ? op.range->length : Bytes()};
    return target::Submitted::accepted;
  }
  std::size_t reap(std::span<target::Completion> into, Instant) override {
    const std::size_t n = std::min<std::size_t>(count_, into.size());
    for (std::size_t i = 0; i < n; ++i) into[i] = done_[count_ - 1 - i];
    count_ -= static_cast<std::uint32_t>(n);
    return n;
  }
  void cancel() override {}
  Result<target::OpenedObject> open_object(std::string_view, const target::OpenMode&) override {
    return target::OpenedObject{target::ObjectHandle{0}, Bytes()};
  }
  Result<void> close_object(target::ObjectHandle) override { return {}; }

 private:
  target::Completion done_[64];
  std::uint32_t count_ = 0;
};

class NullTarget final : public target::Target {
 public:
  bool blocking = true;
  target::Capabilities capabilities() const override {
    return {.kinds = ~0U, .block_io = true, .block_io_waits = blocking, .remembers_data = false};
  }
  Result<void> preflight(std::span<const std::string>, std::span<const std::string>) override {
    return {};
  }
  Result<std::unique_ptr<target::Session>> open_session(const target::WorkerContext&) override {
    return std::make_unique<NullSession>();
  }
  std::string describe() const override { return "null"; }
};

void run(benchmark::State& state, plan::Job job, bool blocking) {
  const SteadyClock clock;
  NullTarget target;
  target.blocking = blocking;
  constexpr std::uint64_t k_operations = 1'000'000;
  job.name = "a";
  job.block->operations = k_operations;
  job.block->time_based = true;
  job.block->files = {{"f", Bytes(std::uint64_t{1} << 30)}};
  for (auto _ : state) {
    record::Mailbox mailbox;
    BlockWorker worker(
        {.job = &job, .target = &target, .clock = &clock, .mailbox = &mailbox, .seed = 1});
    worker.prepare();
    worker.run(clock.now());
    benchmark::DoNotOptimize(worker.report());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * k_operations));
  state.counters["ns_per_operation"] =
      benchmark::Counter(static_cast<double>(state.iterations() * k_operations) / 1e9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

plan::Job job_of(plan::Placement placement, bool writes) {
  plan::Job job;
  job.block.emplace();
  job.block->uses = {!writes, writes, false};
  for (auto& order : job.block->order) order.placement = placement;
  return job;
}

void sequential_reads(benchmark::State& state) {
  run(state, job_of(plan::Placement::sequential, false), true);
}
void random_reads(benchmark::State& state) {
  run(state, job_of(plan::Placement::random, false), true);
}
void random_writes(benchmark::State& state) {
  run(state, job_of(plan::Placement::random, true), true);
}
void random_reads_at_depth_32(benchmark::State& state) {
  plan::Job job = job_of(plan::Placement::random, false);
  job.workers = 32;
  run(state, job, false);
}
void a_look_at_the_clock(benchmark::State& state) {
  const SteadyClock clock;
  for (auto _ : state) benchmark::DoNotOptimize(clock.now());
}

BENCHMARK(a_look_at_the_clock);
BENCHMARK(sequential_reads)->Unit(benchmark::kMillisecond);
BENCHMARK(random_reads)->Unit(benchmark::kMillisecond);
BENCHMARK(random_writes)->Unit(benchmark::kMillisecond);
BENCHMARK(random_reads_at_depth_32)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace loadline::engine
