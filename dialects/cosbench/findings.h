// The mistakes and doubts found in one workload, each with its place.
//
// Threads: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "plan/diagnostic.h"

namespace loadline::dialects::cosbench {

// Where a value was given: in the text, or by an option.
struct Place {
  std::uint32_t line = 0;    // from 1; 0 where the text does not have it
  std::uint32_t column = 0;  // from 1, in characters
  std::string option;        // e.g. "--set work.runtime", where the value came from there
};

class Findings {
 public:
  // More than this are only counted.
  static constexpr std::size_t k_shown_max = 100;

  explicit Findings(std::string file) : file_(std::move(file)) {}

  // `where` names stage, work and operation. The same text at the same place is kept once: an
  // element that several works inherit is wrong once.
  void error(const Place& place, std::string_view where, std::string what);
  void warning(const Place& place, std::string_view where, std::string what);

  // No more are kept: looking for warnings is of no use.
  bool full() const { return diagnostics_.size() >= k_shown_max; }
  bool failed() const { return errors_ > 0; }
  // In the order of the text, options first.
  std::vector<plan::Diagnostic> take();

 private:
  void add(plan::Diagnostic::Level level, const Place& place, std::string_view where,
           std::string what);

  std::string file_;
  std::size_t errors_ = 0;
  std::size_t hidden_ = 0;
  std::set<std::string> seen_;
  std::vector<plan::Diagnostic> diagnostics_;  // sorted
};

}  // namespace loadline::dialects::cosbench
