// Values of options, by TestDFSIO's rules.
//
// Errors: bad_input; the context is the option. Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/units.h"

namespace loadline::dialects::testdfsio {

// Digits, then B, KB, MB, GB or TB in any case, by powers of 1024. Without a suffix: MB. At most
// 2^63 - 1 bytes; TestDFSIO itself wraps around there.
Result<Bytes> size_value(std::string_view option, std::string_view text);

// As Hadoop's configuration has sizes: bytes, or digits and k, m, g, t, p or e, by powers of 1024.
Result<Bytes> setting_size(std::string_view key, std::string_view text);

// A whole number in [least, most], digits alone.
Result<std::uint64_t> count_value(std::string_view option, std::string_view text,
                                  std::uint64_t least, std::uint64_t most);

}  // namespace loadline::dialects::testdfsio
