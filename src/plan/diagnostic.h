// What a dialect has to say about a workload: every mistake with its place, in one line each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace loadline::plan {

struct Diagnostic {
  enum class Level : std::uint8_t { error, warning };
  Level level = Level::error;
  std::string file;
  std::uint32_t line = 0;    // from 1; 0 where there is no text, e.g. for a command line option
  std::uint32_t column = 0;  // from 1
  std::string where;         // e.g. "stage main, work read, operation 2", or an option
  std::string what;          // what is wrong, and what would be right

  // "file:line:column: error: what (where)"
  std::string message() const;
};

}  // namespace loadline::plan
