// Guesses at a misspelt name.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace loadline::dialects::fio {

// The name nearest to `word`, if its distance is at most half of the word's length, rounded up: the
// rule of fio. A name that begins like the word wins among equals.
std::optional<std::string_view> nearest_name(std::string_view word,
                                             std::span<const std::string_view> names);

}  // namespace loadline::dialects::fio
