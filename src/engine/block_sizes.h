// How long an operation is: fixed, uniform over the multiples of a step, or by weights.
//
// Threads: a plain value.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "plan/block_io.h"

namespace loadline::engine {

class BlockSizes {
 public:
  BlockSizes() = default;
  explicit BlockSizes(const plan::BlockSize& size)
      : least_(size.min.count()), most_(size.max.count()), step_(size.step.count()) {
    for (const plan::WeightedSize& part : size.split) {
      total_ += part.percent;
      if (part.percent > 0) parts_.push_back({total_, part.size.count()});
    }
    if (!parts_.empty()) {
      least_ = UINT64_MAX;
      most_ = step_ = 0;
      for (const Part& part : parts_) {
        least_ = std::min(least_, part.size);
        most_ = std::max(most_, part.size);
        step_ = std::gcd(step_, part.size);
      }
    }
    fixed_ = least_ == most_;
    choices_ = step_ > 0 ? (most_ - least_) / step_ + 1 : 1;
  }

  bool fixed() const { return fixed_; }
  std::uint64_t least() const { return least_; }
  std::uint64_t most() const { return most_; }
  // Every size is a multiple of it.
  std::uint64_t unit() const { return fixed_ ? least_ : std::gcd(least_, step_); }

  // The size that belongs to 64 random bits.
  std::uint64_t pick(std::uint64_t random) const {
    if (fixed_) return least_;
    if (parts_.empty()) return least_ + step_ * scaled(random, choices_);
    const std::uint64_t weight = scaled(random, total_);
    for (const Part& part : parts_) {
      if (weight < part.up_to) return part.size;
    }
    return most_;
  }

  // The longest size of at most `room`; zero where there is none.
  std::uint64_t fitting(std::uint64_t room) const {
    if (room >= most_) return most_;
    if (room < least_) return 0;
    return fixed_ ? least_ : least_ + (room - least_) / unit() * unit();
  }

 private:
  struct Part {
    std::uint64_t up_to;  // cumulative weight
    std::uint64_t size;
  };
  static std::uint64_t scaled(std::uint64_t random, std::uint64_t n) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(random) * n) >> 64);
  }

  std::uint64_t least_ = 4096;
  std::uint64_t most_ = 4096;
  std::uint64_t step_ = 4096;
  std::uint64_t choices_ = 1;
  std::uint64_t total_ = 0;
  bool fixed_ = true;
  std::vector<Part> parts_;
};

}  // namespace loadline::engine
