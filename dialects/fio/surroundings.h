// What parsing may ask of the world, as functions, so that tests and fuzzers give their own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/error.h"

namespace loadline::dialects::fio {

struct Surroundings {
  // The value of an environment variable; none where it is not set.
  std::function<std::optional<std::string>(const std::string& name)> variable;
  // The whole text of a job file. "-" is standard input. not_found and io as usual.
  std::function<Result<std::string>(const std::string& path)> read_file;
  std::uint64_t page_size = 4096;  // $pagesize
  std::uint64_t memory_mb = 1024;  // $mb_memory, in MiB
  std::uint64_t cpus = 1;          // $ncpus
};

// The real ones: getenv, files, sysconf.
Surroundings system_surroundings();

}  // namespace loadline::dialects::fio
