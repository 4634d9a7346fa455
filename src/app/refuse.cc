#include "app/refuse.h"

#include <fmt/core.h>

#include "app/exit_status.h"

namespace loadline::app {

int refuse(const Error& error) {
  fmt::print(stderr, "loadline: {}\n", error.message());
  if (error.code == ErrorCode::cancelled) leave(k_exit_cancelled);
  return k_exit_bad_input;
}

}  // namespace loadline::app
