// `loadline testdfsio WORDS...`: what the words come to before anything is printed or touched.
//
// Threads: pure but for `world`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "dialects/testdfsio/options.h"
#include "dialects/testdfsio/plan_builder.h"
#include "dialects/testdfsio/surroundings.h"

namespace loadline::dialects::testdfsio {

// What is known of the run that asks, beside its words.
struct Asked {
  std::uint64_t seed = 0;
  std::span<const std::string> target_types;  // what this build can run
};

struct Answer {
  int exit_status = 0;
  Compat compat = Compat::v2_7;
  std::string out;                        // for standard output
  std::string err;                        // for standard error: mistakes, or warnings
  std::optional<PlannedCommand> planned;  // none: answered
  std::string result_file;                // where `planned` is there
  std::string json_file;
};

Answer answer(std::span<const std::string> words, const Asked& asked, const Surroundings& world);

// The words in one line, secrets masked: for the run's folder.
std::string command_text(std::span<const std::string> words);

}  // namespace loadline::dialects::testdfsio
