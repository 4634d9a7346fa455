// The Range header of a GET (RFC 9110, section 14): one range of bytes. Several ranges, other units
// and malformed ones are ignored, as the RFC allows and S3 does.
#pragma once

#include <cstdint>
#include <string_view>

namespace loadline::serve {

enum class RangeState : std::uint8_t { whole, partial, unsatisfiable };

struct RangeResult {
  RangeState state = RangeState::whole;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // past the last byte
};

RangeResult parse_range(std::string_view text, std::uint64_t size);

}  // namespace loadline::serve
