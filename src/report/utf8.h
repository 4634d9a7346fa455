// UTF-8, one character at a time (RFC 3629: no overlong forms, no surrogates).
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

namespace loadline::report {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;  // that it took; 1 where it is not valid
  bool valid = false;

  // A control character, or one of the marks that reverse the direction of what follows.
  bool control() const;
};

// The character at the start of `text`, which is not empty.
Character first_character(std::string_view text);

}  // namespace loadline::report
