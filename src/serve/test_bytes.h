// For the tests of this folder: bytes that do not repeat.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "base/rng.h"

namespace loadline::serve {

inline std::string random_bytes(std::size_t size, std::uint64_t seed) {
  Rng rng(seed);
  std::string bytes((size + 7) / 8 * 8, '\0');
  for (std::size_t i = 0; i < size; i += 8) {
    const std::uint64_t word = rng.next();
    std::memcpy(bytes.data() + i, &word, sizeof word);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace loadline::serve
