// Java's strings are UTF-16, ours UTF-8. (JNI's own UTF-8 functions want a form of it in which
// letters beyond the basic plane look different.)
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadline::targets::hadoop {

// What is no UTF-8 becomes U+FFFD, a byte at a time.
std::vector<std::uint16_t> to_utf16(std::string_view text);
// Half a pair becomes U+FFFD.
std::string to_utf8(std::span<const std::uint16_t> units);

}  // namespace loadline::targets::hadoop
