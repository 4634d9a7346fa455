// `loadline version`.
#pragma once

namespace loadline::app {

// Prints version, compiler, dialects, and targets with what they were built with.
int version_command();

}  // namespace loadline::app
