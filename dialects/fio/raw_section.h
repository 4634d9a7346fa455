// Options before they are understood: what the command line and a job file have in common.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "plan/diagnostic.h"

namespace loadline::dialects::fio {

// A place in a job file; the line is 0 on the command line.
struct Place {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

struct RawOption {
  std::string name;
  std::string value;
  bool has_value = false;
  Place place;                     // of the name
  std::uint32_t value_column = 0;  // of the value, in the same line
  std::string word;                // as typed, for messages: "--bs=4k", "bs=4k"
};

struct RawSection {
  std::string name;
  Place place;
  std::vector<RawOption> options;
  // All names that begin with "global" are global sections: fio compares six letters.
  bool is_global() const { return std::string_view(name).starts_with("global"); }
};

inline plan::Diagnostic diagnostic_at(const Place& place, plan::Diagnostic::Level level,
                                      std::string what, std::string where = {}) {
  return {.level = level,
          .file = place.file,
          .line = place.line,
          .column = place.column,
          .where = std::move(where),
          .what = std::move(what)};
}

}  // namespace loadline::dialects::fio
