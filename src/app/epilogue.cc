#include "app/epilogue.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "drive/run.h"
#include "plan/check.h"

namespace loadline::app {
namespace {

class NoTicks final : public record::TickSink {
 public:
  void consume(const record::Tick&) override {}
};

// Stops what it is given after a while, unless it is gone before.
class Deadline {
 public:
  explicit Deadline(std::stop_source& stop)
      : thread_([&stop](const std::stop_token& gone) {
          std::mutex mutex;
          std::condition_variable_any waiting;
          std::unique_lock lock(mutex);
          const auto most = std::chrono::nanoseconds(k_epilogue_most.ns());
          waiting.wait_for(lock, gone, most, [] { return false; });
          if (!gone.stop_requested()) stop.request_stop();
        }) {}

 private:
  std::jthread thread_;
};

}  // namespace

Epilogue run_epilogue(plan::Plan plan, const std::vector<target::TargetType>& types,
                      const Clock& clock) {
  if (auto sound = plan::check(plan); !sound) return {.done = std::move(sound)};
  auto kept = std::make_unique<const plan::Plan>(std::move(plan));
  std::stop_source stop;
  const Deadline deadline(stop);
  auto run = drive::Run::prepare(
      *kept,
      {.target_types = &types, .clock = &clock, .preflight = false, .stop = stop.get_token()});
  if (!run) return {.done = propagate(run)};
  NoTicks ticks;
  const record::RunResult result = (*run)->execute(ticks);
  Epilogue epilogue{.left_threads = (*run)->left_threads()};
  if (epilogue.left_threads) {
    // Those threads use both until the process ends.
    [[maybe_unused]] const drive::Run* left = run->release();
    [[maybe_unused]] const plan::Plan* left_plan = kept.release();
  }
  if (result.state == record::RunState::finished) return epilogue;
  std::string why = result.reason;
  if (why.empty()) why = "it was " + std::string(to_string(result.state));
  epilogue.done = fail(ErrorCode::io, std::move(why));
  return epilogue;
}

}  // namespace loadline::app
