#include "drive/preflight.h"

#include <gtest/gtest.h>

#include <future>

namespace loadline::drive {
namespace {

TEST(AskUntilStopped, passes_on_what_the_storage_says) {
  const std::stop_source stop;
  const auto asked = ask_until_stopped(
      []() -> Result<void> { return fail(ErrorCode::unavailable, "no answer"); }, stop.get_token());
  ASSERT_FALSE(asked);
  EXPECT_EQ(asked.error().what, "no answer");
}

TEST(AskUntilStopped, does_not_wait_for_a_storage_that_hangs) {
  std::promise<void> woken;
  std::promise<void> ended;
  std::stop_source stop;
  stop.request_stop();
  const auto asked = ask_until_stopped(
      [&]() -> Result<void> {
        woken.get_future().wait();
        ended.set_value();
        return {};
      },
      stop.get_token());
  ASSERT_FALSE(asked);
  EXPECT_EQ(asked.error().code, ErrorCode::cancelled);
  woken.set_value();
  ended.get_future().wait();
}

}  // namespace
}  // namespace loadline::drive
