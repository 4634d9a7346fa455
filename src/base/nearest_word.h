// What somebody may have meant who mistyped a word.
//
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace loadline {

// The closest word within the distance of a typing mistake (about a third of the letters, case
// aside), or nothing.
std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> words);
enum class LetterCase : bool { counts, aside };
// Letters to insert, delete, replace or swap to get from one to the other.
std::size_t edit_distance(std::string_view from, std::string_view to,
                          LetterCase letter_case = LetterCase::aside);

}  // namespace loadline
