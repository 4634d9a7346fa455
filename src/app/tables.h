// The generated tables of what this build can do: every folder of targets/ and dialects/ is in
// them.
#pragma once

#include <vector>

#include "report/dialect.h"
#include "target/target.h"

namespace loadline::targets {
std::vector<target::TargetType> all();
}

namespace loadline::dialects {
std::vector<report::Dialect> all();
}
