// The options that the Java VM is started with.
//
// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/units.h"

namespace loadline::targets::hadoop {

struct VmRequest {
  std::string class_path;
  bool modules = true;            // Java 9 or newer
  Bytes memory;                   // of this machine
  std::vector<std::string> user;  // the user's own; stand last, so that they win
};

std::vector<std::string> vm_options(const VmRequest& request);

// Words as a shell splits them: blanks between, '...' and "..." and \ to keep them. Nothing is
// expanded. Error: a quote that is not closed.
Result<std::vector<std::string>> shell_words(std::string_view text);

// This machine's memory, or its group's limit where that is smaller.
Bytes machine_memory();

}  // namespace loadline::targets::hadoop
