// CHECK(condition): a broken invariant is our bug; the program aborts with file, line and the
// condition, in release builds too. Never used for input or for what a storage answers.
#pragma once

#include <source_location>

namespace loadline {

[[noreturn]] void check_failed(const char* condition,
                               std::source_location where = std::source_location::current());

}  // namespace loadline

#define CHECK(condition)                                       \
  (__builtin_expect(static_cast<bool>(condition), 1) ? (void)0 \
                                                     : ::loadline::check_failed(#condition))
