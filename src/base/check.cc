#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace loadline {

void check_failed(const char* condition, std::source_location where) {
  std::fprintf(stderr, "loadline: bug: CHECK(%s) failed at %s:%u in %s\n", condition,
               where.file_name(), where.line(), where.function_name());
  std::abort();
}

}  // namespace loadline
