#include "engine/stream_content.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace loadline::engine {
namespace {

// "0123..." of fifty characters: the pattern that TestDFSIO means to write and does not.
constexpr std::size_t k_pattern_period = 50;
constexpr std::size_t k_pattern_size = k_pattern_period * 1024;

constexpr std::array<std::byte, k_pattern_size> make_pattern() {
  std::array<std::byte, k_pattern_size> pattern{};
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    pattern[i] = static_cast<std::byte>('0' + i % k_pattern_period);
  }
  return pattern;
}

constexpr std::array<std::byte, k_pattern_size> k_pattern = make_pattern();

}  // namespace

std::span<const std::byte> StreamContent::piece_at(std::uint64_t number,
                                                   std::uint64_t offset) const {
  switch (fill_) {
    case plan::StreamFill::zero: return pool_.zeros();
    case plan::StreamFill::pattern:
      return std::span(k_pattern).subspan(static_cast<std::size_t>(offset % k_pattern_period));
    case plan::StreamFill::random: break;
  }
  const std::span<const std::byte> pool = pool_.random();
  const std::uint64_t start = Rng::split(seed_, number).below(pool.size());
  return pool.subspan(static_cast<std::size_t>((start + offset) % pool.size()));
}

void StreamContent::fill(std::uint64_t number, std::uint64_t offset,
                         std::span<std::byte> into) const {
  while (!into.empty()) {
    const std::span<const std::byte> piece = piece_at(number, offset);
    const std::size_t n = std::min(piece.size(), into.size());
    std::memcpy(into.data(), piece.data(), n);
    into = into.subspan(n);
    offset += n;
  }
}

std::optional<std::uint64_t> StreamContent::first_wrong(std::uint64_t number, std::uint64_t offset,
                                                        std::span<const std::byte> found) const {
  while (!found.empty()) {
    const std::span<const std::byte> piece = piece_at(number, offset);
    const std::size_t n = std::min(piece.size(), found.size());
    if (std::memcmp(found.data(), piece.data(), n) != 0) {
      const auto wrong = std::ranges::mismatch(found.first(n), piece.first(n)).in1;
      return offset + static_cast<std::uint64_t>(wrong - found.begin());
    }
    found = found.subspan(n);
    offset += n;
  }
  return std::nullopt;
}

}  // namespace loadline::engine
