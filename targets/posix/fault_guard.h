// Copies to and from a mapped file that survive the file getting shorter meanwhile, or a read error
// below it: the kernel then sends SIGBUS, and the copy ends with an error instead of the process.
//
// A signal's handler belongs to the whole process, so it is installed once and stays; it does
// nothing but leave a copy that this file has begun.
#pragma once

#include <cstddef>

#include "base/error.h"

namespace loadline::targets::posix {

// Before the first copy.
Result<void> install_fault_guard();

// Like memcpy; false where the mapping had no storage behind it.
bool guarded_copy(std::byte* to, const std::byte* from, std::size_t size);

}  // namespace loadline::targets::posix
