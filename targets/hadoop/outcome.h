// Writes how a call into Java went into a completion.
//
// Threads: one, its session's.
#pragma once

#include <string>

#include "target/op.h"
#include "targets/hadoop/exception.h"

namespace loadline::targets::hadoop {

// `text` keeps the words and outlives the completion.
void note_failure(target::Completion& completion, const Failure& failure, std::string& text);

}  // namespace loadline::targets::hadoop
