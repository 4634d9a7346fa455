// From what a plan asks for to what a target is asked for.
#pragma once

#include "plan/plan.h"
#include "target/op.h"

namespace loadline::engine {

// Of an action that is one operation: a walk has many.
target::OpKind kind_of(plan::Action action);

// Its data is that of files.
bool sends_file(plan::Action action);

}  // namespace loadline::engine
