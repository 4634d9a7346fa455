// Hides secrets in text that a user wrote freely - an argument, a part of a configuration, a URL -
// before it goes into a message, a result, an archived workload or the list of processes.
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace loadline::target {

// [begin, end) of a text.
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Where the text holds what may be a secret: the user info of every URL
// (https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1), and everything after a key that
// looks like one (is_secret_key), as a secret may hold any delimiter. In order, never empty.
std::vector<TextRange> secret_ranges(std::string_view text);

// The text with Secret::k_mask in place of each of them.
std::string masked(std::string_view text);

// A parameter's value: the whole of it where the key is secret, else the user info of its URLs.
std::string masked_value(std::string_view key, std::string_view value);

}  // namespace loadline::target
