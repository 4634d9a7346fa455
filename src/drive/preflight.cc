#include "drive/preflight.h"

#include <chrono>
#include <future>
#include <thread>
#include <utility>

namespace loadline::drive {
namespace {

constexpr std::chrono::milliseconds k_look_around(50);  // at the stop token

}  // namespace

Result<void> ask_until_stopped(std::function<Result<void>()> ask, const std::stop_token& stop) {
  std::packaged_task<Result<void>()> task(std::move(ask));
  std::future<Result<void>> answer = task.get_future();
  std::thread asking(std::move(task));
  while (answer.wait_for(k_look_around) != std::future_status::ready) {
    if (!stop.stop_requested()) continue;
    asking.detach();
    return fail(ErrorCode::cancelled, "cancelled while the storage was asked: nothing was started");
  }
  asking.join();
  return answer.get();
}

}  // namespace loadline::drive
