#include "dialects/fio/names.h"

#include "base/nearest_word.h"

namespace loadline::dialects::fio {
namespace {

constexpr std::size_t k_word_max = 64;

std::size_t shared_start(std::string_view a, std::string_view b) {
  std::size_t n = 0;
  while (n < a.size() && n < b.size() && a[n] == b[n]) ++n;
  return n;
}

}  // namespace

std::optional<std::string_view> nearest_name(std::string_view word,
                                             std::span<const std::string_view> names) {
  if (word.empty() || word.size() > k_word_max) return std::nullopt;
  std::optional<std::string_view> best;
  std::size_t best_distance = (word.size() + 1) / 2;
  std::size_t best_start = 0;
  for (const std::string_view name : names) {
    const std::size_t lengths =
        word.size() > name.size() ? word.size() - name.size() : name.size() - word.size();
    if (lengths > best_distance) continue;
    const std::size_t distance = edit_distance(word, name, LetterCase::counts);
    const std::size_t start = shared_start(word, name);
    if (distance > best_distance) continue;
    if (best && distance == best_distance && start <= best_start) continue;
    best = name;
    best_distance = distance;
    best_start = start;
  }
  return best;
}

}  // namespace loadline::dialects::fio
