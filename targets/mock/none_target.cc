// The storage that does nothing: what the generator itself costs. Like COSBench's `none`, reads
// give no bytes and writes take none.
#include <algorithm>
#include <vector>

#include "target/target.h"

namespace loadline::targets {
namespace {

class NoneSession final : public target::Session {
 public:
  explicit NoneSession(const target::WorkerContext& context) : clock_(*context.clock) {
    done_.reserve(context.slots);
  }

  target::Submitted submit(const target::Op& op) override {
    done_.push_back(op.slot);
    return target::Submitted::accepted;
  }

  std::size_t reap(std::span<target::Completion> into, Instant deadline) override {
    if (done_.empty()) {
      clock_.sleep_until(deadline);
      return 0;
    }
    const std::size_t n = std::min(into.size(), done_.size());
    for (std::size_t i = 0; i < n; ++i) into[i] = {.slot = done_[i]};
    done_.erase(done_.begin(), done_.begin() + static_cast<std::ptrdiff_t>(n));
    return n;
  }

  void cancel() override {}

 private:
  const Clock& clock_;
  std::vector<std::uint32_t> done_;
};

class NoneTarget final : public target::Target {
 public:
  target::Capabilities capabilities() const override {
    return {.kinds = ~0U, .range_reads = true, .remembers_data = false};
  }
  Result<void> preflight(std::span<const std::string>, std::span<const std::string>) override {
    return {};
  }
  Result<std::unique_ptr<target::Session>> open_session(
      const target::WorkerContext& context) override {
    return std::make_unique<NoneSession>(context);
  }
  std::string describe() const override { return "no storage"; }
};

Result<std::unique_ptr<target::Target>> open(const target::Parameters&) {
  return std::make_unique<NoneTarget>();
}

}  // namespace

target::TargetType none_target() {
  return {.name = "none",
          .summary = "does nothing: what the generator itself costs",
          .parameters = {{"logging", "true", "accepted for COSBench's sake, has no effect"}},
          .open = open};
}

}  // namespace loadline::targets
