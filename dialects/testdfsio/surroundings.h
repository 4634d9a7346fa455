// What the dialect may ask of the world, as functions, so that tests and fuzzers give their own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/error.h"

namespace loadline::dialects::testdfsio {

struct Surroundings {
  // The value of an environment variable; none where it is not set.
  std::function<std::optional<std::string>(const std::string& name)> variable;
  // A whole text file; not_found and io as usual.
  std::function<Result<std::string>(const std::string& path)> read_file;
  std::uint32_t cores = 1;  // that this process may use
};

// The real ones.
Surroundings system_surroundings();

}  // namespace loadline::dialects::testdfsio
