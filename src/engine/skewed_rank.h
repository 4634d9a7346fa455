// Numbers of [0, n) that are not equally likely: zipf, pareto and normal as fio defines them, so
// that hot blocks lie where they lie there. Zipf's ranks are drawn by the method of Gray et al.,
// "Quickly Generating Billion-Record Synthetic Databases" (SIGMOD 1994), with the harmonic sum over
// at most ten million ranks; ranks are then spread by multiplicative hashing (Knuth, The Art of
// Computer Programming, volume 3, 6.4) unless told otherwise.
//
// Threads: belongs to one thread.
#pragma once

#include <cstdint>

#include "base/rng.h"
#include "plan/block_io.h"

namespace loadline::engine {

class SkewedRank {
 public:
  enum class Kind : std::uint8_t { zipf, pareto, normal };
  struct Options {
    Kind kind = Kind::zipf;
    std::uint64_t n = 1;   // above zero
    double parameter = 0;  // theta; h; the deviation in percent
    double centre = -1;    // 0..1; negative: anywhere (normal: in the middle)
    bool spread = true;    // hash the ranks
  };
  SkewedRank(const Options& options, Rng& rng);

  std::uint64_t next(Rng& rng) const;

 private:
  std::uint64_t zipf(Rng& rng) const;
  std::uint64_t normal(Rng& rng) const;

  Options options_;
  std::uint64_t shift_ = 0;
  double zeta_n_ = 0;
  double alpha_ = 0;
  double eta_ = 0;
  double second_ = 0;  // up to here on the harmonic scale: rank 2
  double exponent_ = 0;
  std::uint64_t deviation_ = 0;
};

}  // namespace loadline::engine
