// The one place where an errno of a measured operation becomes an Outcome.
#pragma once

#include <string_view>

#include "target/op.h"
#include "target/outcome.h"

namespace loadline::targets::posix {

target::Outcome outcome_of_errno(int error_number);

// The C library's words for it; lives for ever.
std::string_view errno_words(int error_number);

// Fills a completion in.
void note_errno(target::Completion& completion, int error_number);

}  // namespace loadline::targets::posix
