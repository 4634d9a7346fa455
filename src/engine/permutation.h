// Every number of [0, n) once, in an order that looks random, in constant memory: rounds of
// multiplication by an odd number and of folding the upper bits down permute [0, 2^b), and numbers
// from n on are permuted again until they fall inside (cycle walking; Black and Rogaway, "Ciphers
// with Arbitrary Finite Domains", 2002). 2^b is less than 2n, so that takes less than two rounds on
// average.
//
// Threads: a plain value.
#pragma once

#include <bit>
#include <cstdint>

#include "base/rng.h"

namespace loadline::engine {

class Permutation {
 public:
  Permutation() = default;
  Permutation(std::uint64_t n, Rng& rng) : n_(n) {
    const auto bits = static_cast<unsigned>(std::bit_width(n > 1 ? n - 1 : 1));
    mask_ = bits >= 64 ? UINT64_MAX : (std::uint64_t{1} << bits) - 1;
    fold_ = bits / 2 == 0 ? 1 : (bits + 1) / 2;
    rekey(rng);
  }

  std::uint64_t size() const { return n_; }

  // Another order of the same numbers.
  void rekey(Rng& rng) {
    for (Round& round : rounds_) {
      round.factor = rng.next() | 1;
      round.addend = rng.next();
    }
  }

  // The number at place `i` of the order; i < n.
  std::uint64_t operator[](std::uint64_t i) const {
    do {
      for (const Round& round : rounds_) {
        i = (i * round.factor + round.addend) & mask_;
        i ^= i >> fold_;
      }
    } while (i >= n_);
    return i;
  }

 private:
  struct Round {
    std::uint64_t factor = 1;
    std::uint64_t addend = 0;
  };
  std::uint64_t n_ = 0;
  std::uint64_t mask_ = 0;
  unsigned fold_ = 1;
  Round rounds_[3];
};

}  // namespace loadline::engine
