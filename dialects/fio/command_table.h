// The table of fio's own options, which belong to no job.
#pragma once

#include <span>
#include <string_view>

#include "base/error.h"
#include "dialects/fio/options.h"

namespace loadline::dialects::fio {

enum class Argument : std::uint8_t { none, required, optional };

struct CommandOption {
  std::string_view name;
  Argument argument = Argument::none;
  // Errors: bad_input without the option's name. Null for those that are read and dropped.
  Result<void> (*set)(CommandOptions&, std::string_view) = nullptr;
  std::string_view help = {};
  std::string_view refused = {};  // why; empty: it is not
};

std::span<const CommandOption> command_options();

}  // namespace loadline::dialects::fio
