// What the output and the classic report need to know of a command beside the plan: the text in
// plan::Job::source of its first job.
//
// One line of JSON; one encoder, one decoder. Threads: plain value, pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/units.h"
#include "dialects/testdfsio/options.h"
#include "plan/plan.h"

namespace loadline::dialects::testdfsio {

struct RunSource {
  Operation operation = Operation::write;
  Compat compat = Compat::v2_7;
  std::uint64_t files = 1;
  Bytes size;  // of each
  Bytes buffer;
  Bytes skip;
  std::string base;  // the folder of it all, as it was given
  std::string storage_policy;
  std::uint32_t concurrency = 1;
  bool control_files = true;  // false: too many to be worth it
  bool keep_going = false;
  bool operator==(const RunSource&) const = default;

  // Files that a worker moves one after the other, at most.
  std::uint64_t waves() const { return (files + concurrency - 1) / concurrency; }

  std::string to_text() const;
  // Error: bad_input, the context is the path of the field.
  static Result<RunSource> from_text(std::string_view text);
};

// That of a plan of this dialect; nothing where it is none.
std::optional<RunSource> run_source(const plan::Plan& plan);

}  // namespace loadline::dialects::testdfsio
