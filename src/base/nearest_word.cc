#include "base/nearest_word.h"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

namespace loadline {
namespace {

using std::string_view;

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Longer words are no typing mistakes of ours, and the distance takes length squared.
constexpr std::size_t k_word_max = 64;

}  // namespace

// Optimal string alignment: https://en.wikipedia.org/wiki/Damerau-Levenshtein_distance
std::size_t edit_distance(string_view from, string_view to, LetterCase letter_case) {
  const auto same = [letter_case](char a, char b) {
    return letter_case == LetterCase::counts ? a == b : lower(a) == lower(b);
  };
  const std::size_t width = to.size() + 1;
  std::vector<std::size_t> before(width);
  std::vector<std::size_t> above(width);
  std::vector<std::size_t> row(width);
  for (std::size_t j = 0; j < width; ++j) above[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j < width; ++j) {
      const std::size_t change = same(from[i - 1], to[j - 1]) ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + change});
      if (i > 1 && j > 1 && same(from[i - 1], to[j - 2]) && same(from[i - 2], to[j - 1])) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[to.size()];
}

std::optional<string_view> nearest(string_view word, std::span<const string_view> words) {
  if (word.empty() || word.size() > k_word_max) return std::nullopt;
  std::optional<string_view> best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const string_view candidate : words) {
    // The lengths alone may be too far apart.
    if (std::max(word.size(), candidate.size()) - std::min(word.size(), candidate.size()) >=
        best_distance) {
      continue;
    }
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance && distance < candidate.size()) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace loadline
