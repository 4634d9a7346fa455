// The names of a clone's files.
#pragma once

#include <string>
#include <vector>

#include "dialects/fio/planning/parts.h"

namespace loadline::dialects::fio {

// In order: those of filename=, of opendir=, or names made by filename_format=, behind the clone's
// directory. May be empty after an error.
std::vector<std::string> file_names(const Clone& clone, const FileView& view, Findings& findings);

}  // namespace loadline::dialects::fio
