// Random numbers from one seed: xoshiro256++ 1.0 seeded by SplitMix64 (Blackman and Vigna,
// https://prng.di.unimi.it/). The seed of a plan is split by name, so that every worker has its own
// stream and a run can be repeated.
//
// Threads: an Rng belongs to one thread.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace loadline {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) {
    for (auto& word : state_) word = split_mix(seed);
  }
  // The stream number `stream` of a seed.
  static Rng split(std::uint64_t seed, std::uint64_t stream) {
    std::uint64_t mixed = seed ^ (stream * 0xd1342543de82ef95ULL + 0x9e3779b97f4a7c15ULL);
    return Rng(split_mix(mixed));
  }

  std::uint64_t next() {
    const std::uint64_t result = rotate(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  // Uniform in [0, bound), without bias (Lemire's method). bound > 0.
  std::uint64_t below(std::uint64_t bound) {
    unsigned __int128 product = static_cast<unsigned __int128>(next()) * bound;
    auto low = static_cast<std::uint64_t>(product);
    if (low < bound) {
      const std::uint64_t threshold = (0 - bound) % bound;
      while (low < threshold) {
        product = static_cast<unsigned __int128>(next()) * bound;
        low = static_cast<std::uint64_t>(product);
      }
    }
    return static_cast<std::uint64_t>(product >> 64);
  }

  // Uniform in [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  // Exponential with mean 1: the gaps of a Poisson process.
  double exponential() { return -std::log1p(-unit()); }

 private:
  static std::uint64_t rotate(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  static std::uint64_t split_mix(std::uint64_t& seed) {
    std::uint64_t z = (seed += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace loadline
