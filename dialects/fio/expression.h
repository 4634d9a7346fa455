// Whole-number arithmetic in values: "(4k*2)", "4096*8/2".
//
// The grammar is ours: + and -, then * / %, then ^ (to the right), signs, parentheses. The format
// is that of fio's documentation ("Parameter types").
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "base/error.h"

namespace loadline::dialects::fio {

// `number_of` reads one number with its unit. Errors: bad_input for text, overflow, division by 0.
Result<std::int64_t> evaluate(
    std::string_view text, const std::function<Result<std::uint64_t>(std::string_view)>& number_of);

}  // namespace loadline::dialects::fio
