// The circumstances of a run, as every result opens with them: this binary, and the host it runs
// on. The caller adds seed and command line.
//
// Threads: reads files below /proc, /sys and /etc; safe from any thread.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace loadline::drive {

// In the order in which people read it. No name and no value is empty: what cannot be known here is
// "unknown", what the host does not have is "none".
std::vector<std::pair<std::string, std::string>> gather_context(
    const std::filesystem::path& root = "/");  // tests have a root of their own

}  // namespace loadline::drive
