// `loadline run FILE` and `loadline validate FILE`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "report/dialect.h"

namespace loadline::app {

struct RunCommand {
  std::string file;
  std::vector<report::Setting> settings;
  std::filesystem::path archive = "archive";
  bool json = false;   // one JSON document on stdout
  bool quiet = false;  // no progress
  bool preflight = true;
  bool check_only = false;    // validate
  std::uint32_t threads = 0;  // 0: one per core
  std::optional<std::uint64_t> seed;
  std::string command_line;  // secrets masked
};

// The exit status.
int run_command(const RunCommand& command, const std::stop_token& stop);

}  // namespace loadline::app
