// What this binary says of itself: in every result, in `loadline version`, and for the verdict on
// debug builds.
//
// Threads: a pure function.
#pragma once

#include <string>

namespace loadline::drive {

struct BuildInfo {
  std::string version;     // "0.1.0"
  std::string commit;      // ten digits, "-dirty" where the tree had changes; or "unknown"
  std::string build_type;  // CMake's word, "Release"; empty: none was chosen
  std::string compiler;    // "g++ 12.2.0"
  std::string sanitizers;  // "address,undefined"; empty: none

  // "0.1.0 (commit 0123456789)"
  std::string release() const;
  // "Release, g++ 12.2.0"
  std::string how() const;
};

BuildInfo build_info();

}  // namespace loadline::drive
