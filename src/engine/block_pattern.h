// Bytes that a plan names: hex digits, and %o for the offset of the block as eight bytes, the
// lowest first. They are repeated to fill a block.
//
// Threads: read-only once made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace loadline::engine {

class BlockPattern {
 public:
  // Nothing where the text is no pattern; an empty text is a byte of zero.
  static std::optional<BlockPattern> parse(std::string_view text);

  void fill(std::span<std::byte> into, std::uint64_t offset) const;
  bool same_everywhere() const { return holes_.empty(); }

 private:
  std::vector<std::byte> bytes_;
  std::vector<std::size_t> holes_;  // where offsets go
};

}  // namespace loadline::engine
