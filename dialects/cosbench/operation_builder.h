// From one expanded operation to the plan's OpSpec: selectors, sizes, flags, names. What COSBench
// finds only when the stage starts is found here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialects/cosbench/findings.h"
#include "dialects/cosbench/workload.h"
#include "plan/plan.h"

namespace loadline::dialects::cosbench {

// Nothing where `findings` got an error. `name` is the reported one.
std::optional<plan::OpSpec> build_operation(const Work& work, const Operation& operation,
                                            std::string name, Findings& findings);

// The names of the operations in every report: the key name= up to its first dot, or the type, with
// a number in front where a type occurs twice in the work; and behind it the sample type where that
// is another word: read, prepare-write, hot-read, 1-read-read.
std::vector<std::string> reported_names(const Work& work);

}  // namespace loadline::dialects::cosbench
