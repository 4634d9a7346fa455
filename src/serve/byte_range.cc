#include "serve/byte_range.h"

#include <algorithm>

#include "serve/http_head.h"

namespace loadline::serve {

RangeResult parse_range(std::string_view text, std::uint64_t size) {
  constexpr std::string_view k_unit = "bytes=";
  const RangeResult whole{RangeState::whole, 0, size};
  if (!text.starts_with(k_unit)) return whole;
  text.remove_prefix(k_unit.size());
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return whole;
  const auto first = parse_decimal(text.substr(0, dash));
  const auto last = parse_decimal(text.substr(dash + 1));
  if (dash == 0) {  // the last so many bytes
    if (!last) return whole;
    if (*last == 0 || size == 0) return {RangeState::unsatisfiable, 0, 0};
    return {RangeState::partial, size - std::min(size, *last), size};
  }
  const bool open = dash + 1 == text.size();
  if (!first || (!open && !last) || (last && *last < *first)) return whole;
  if (*first >= size) return {RangeState::unsatisfiable, 0, 0};
  return {RangeState::partial, *first, open || *last >= size ? size : *last + 1};
}

}  // namespace loadline::serve
