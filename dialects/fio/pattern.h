// Data patterns: "text", 0xhex, decimal numbers, 'file', %o, one after the other.
//
// The grammar and byte orders are those of fio 3.33: hex digits stand in writing order, a decimal
// number is 32 bit and little endian without leading zero bytes, %o is eight bytes of offset.
#pragma once

#include <string_view>

#include "base/error.h"
#include "dialects/fio/option_values.h"
#include "dialects/fio/surroundings.h"

namespace loadline::dialects::fio {

enum class PatternOffsets : std::uint8_t { refused, allowed };

// At most 64 KiB. 'file' is read through `world`. Errors: bad_input, and those of the file.
Result<Pattern> parse_pattern(std::string_view text, PatternOffsets offsets,
                              const Surroundings& world);

}  // namespace loadline::dialects::fio
