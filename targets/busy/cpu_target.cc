// Burns processor time, a chunk an operation.
#include <string>

#include "base/check.h"
#include "target/target.h"

namespace loadline::targets {
namespace {

constexpr std::int64_t k_chunk_us = 50'000;
constexpr std::int64_t k_chunk_us_most = 10'000'000;  // a stop is noticed between two chunks
constexpr unsigned k_steps_between_looks = 4096;

class CpuSession final : public target::Session {
 public:
  CpuSession(Duration chunk, const target::WorkerContext& context)
      : chunk_(chunk), clock_(*context.clock), state_(context.seed | 1U) {}

  target::Submitted submit(const target::Op& op) override {
    CHECK(!under_way_);
    const Instant end = clock_.now() + chunk_;
    if (clock_.simulated()) clock_.sleep_until(end);
    while (clock_.now() < end) {
      std::uint64_t state = state_;
      for (unsigned i = 0; i < k_steps_between_looks; ++i) {
        state ^= state << 13U;
        state ^= state >> 7U;
        state ^= state << 17U;
      }
      state_ = state;
    }
    done_ = {.slot = op.slot, .done = clock_.now()};
    under_way_ = true;
    return target::Submitted::accepted;
  }

  std::size_t reap(std::span<target::Completion> into, Instant deadline) override {
    if (!under_way_) {
      clock_.sleep_until(deadline);
      return 0;
    }
    under_way_ = false;
    into[0] = done_;
    return 1;
  }

  void cancel() override {}

 private:
  Duration chunk_;
  const Clock& clock_;
  volatile std::uint64_t state_;  // so that the work is not optimised away
  bool under_way_ = false;
  target::Completion done_;
};

class CpuTarget final : public target::Target {
 public:
  explicit CpuTarget(Duration chunk) : chunk_(chunk) {}
  target::Capabilities capabilities() const override {
    return {.kinds = target::Capabilities::bit(target::OpKind::head),
            .blocking = true,
            .block_io = true,
            .block_io_waits = true,
            .remembers_data = false};
  }
  Result<void> preflight(std::span<const std::string>, std::span<const std::string>) override {
    return {};
  }
  Result<std::unique_ptr<target::Session>> open_session(
      const target::WorkerContext& context) override {
    return std::make_unique<CpuSession>(chunk_, context);
  }
  std::string describe() const override { return "a processor"; }

 private:
  Duration chunk_;
};

Result<std::unique_ptr<target::Target>> open(const target::Parameters& parameters) {
  const auto chunk = parameters.integer("chunk_us", k_chunk_us, 1, k_chunk_us_most);
  if (!chunk) return std::unexpected(chunk.error());
  return std::make_unique<CpuTarget>(Duration::microseconds(*chunk));
}

}  // namespace

target::TargetType cpu_target() {
  return {.name = "cpu",
          .summary = "burns processor time, a chunk an operation",
          .parameters = {{"chunk_us", std::to_string(k_chunk_us), "microseconds of one operation"}},
          .open = open};
}

}  // namespace loadline::targets
