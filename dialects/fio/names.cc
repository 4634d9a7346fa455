#include "dialects/fio/names.h"

#include <algorithm>
#include <array>

namespace loadline::dialects::fio {
namespace {

constexpr std::size_t k_word_max = 64;

std::size_t shared_start(std::string_view a, std::string_view b) {
  std::size_t n = 0;
  while (n < a.size() && n < b.size() && a[n] == b[n]) ++n;
  return n;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  if (a.size() > k_word_max || b.size() > k_word_max) return std::max(a.size(), b.size());
  // Three rows of the optimal string alignment table are enough.
  std::array<std::size_t, k_word_max + 1> before{};
  std::array<std::size_t, k_word_max + 1> last{};
  std::array<std::size_t, k_word_max + 1> row{};
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::copy_n(last.begin(), b.size() + 1, before.begin());
    std::copy_n(row.begin(), b.size() + 1, last.begin());
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

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
    const std::size_t distance = edit_distance(word, name);
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
