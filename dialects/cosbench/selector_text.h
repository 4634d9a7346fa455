// COSBench's selectors as text: c(n), u(a,b), r(a,b) or a-b, s(a,b), h(a|b|weight,...), and sizes,
// a selector followed by its unit.
//
// Errors carry COSBench's own words and, after a semicolon, what would be right.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "plan/plan.h"
#include "plan/selector.h"

namespace loadline::dialects::cosbench {

// What u(a) and h(a||w) leave open ends here, as in COSBench.
inline constexpr std::int64_t k_open_top = 2'147'483'647;
// The largest number a selector may name.
inline constexpr std::int64_t k_number_max = 1'000'000'000'000'000;

struct ParsedSelector {
  plan::Selector selector;
  std::string ignored;  // what COSBench drops silently: text after ')', further arguments of c()
};

// For one draw an operation.
Result<ParsedSelector> parse_selector(std::string_view text);

// For the works that enumerate (init, prepare, cleanup, dispose): r(a,b) and a-b, and here also
// c(n) and s(a,b). r(0,0) and 0-0 are nothing at all: no selector.
struct ParsedRange {
  std::optional<plan::Selector> range;
  std::string ignored;
};
Result<ParsedRange> parse_range(std::string_view text);

// Units: B, KB, MB, GB count by 1000; KiB, MiB, GiB by 1024. The largest size fits 63 bits.
Result<plan::SizeSpec> parse_size(std::string_view text);

}  // namespace loadline::dialects::cosbench
