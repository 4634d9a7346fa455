// How a command says that it does not begin.
#pragma once

#include "base/error.h"

namespace loadline::app {

// Prints the error as one line on stderr; returns the exit status of bad input. Where the user has
// stopped the command the process ends here: what was asked of a storage may still be waited for.
int refuse(const Error& error);

}  // namespace loadline::app
