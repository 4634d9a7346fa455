// What this build is.
#pragma once

#include <string>
#include <string_view>

namespace loadline::app {

std::string_view version();     // "0.1.0"
std::string_view build_type();  // CMake's word, e.g. "Release"
bool sanitized();               // built with a sanitizer
std::string compiler();         // "g++ 12.2.0"

// Prints version, compiler, dialects, and targets with what they were built with. `loadline version`.
int version_command();

}  // namespace loadline::app
