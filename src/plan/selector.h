// How an operation chooses a number: which container, which object, which size, which file.
#pragma once

#include <cstdint>
#include <vector>

namespace loadline::plan {

// One bucket of a histogram selector.
struct WeightedRange {
  std::int64_t lower = 0;
  std::int64_t upper = 0;  // inclusive
  double weight = 1;       // above zero; relative to the other buckets
  bool operator==(const WeightedRange&) const = default;
};

// Bounds are inclusive and lower <= upper.
struct Selector {
  enum class Kind : std::uint8_t {
    constant,   // always `lower`
    uniform,    // random in [lower, upper]; in the worker's own slice where divided
    range,      // lower, lower+1, .. upper, again: own slice and cursor where divided, else one
                // cursor for all workers of the job on a driver
    sequence,   // the same, never divided
    histogram,  // a bucket by weight, then uniform inside it
  };
  Kind kind = Kind::constant;
  std::int64_t lower = 0;
  std::int64_t upper = 0;
  std::vector<WeightedRange> buckets;  // histogram only

  // The largest number it can choose.
  std::int64_t largest() const;

  static Selector constant(std::int64_t n) { return {Kind::constant, n, n, {}}; }
  static Selector uniform(std::int64_t a, std::int64_t b) { return {Kind::uniform, a, b, {}}; }
  static Selector range(std::int64_t a, std::int64_t b) { return {Kind::range, a, b, {}}; }
  static Selector sequence(std::int64_t a, std::int64_t b) { return {Kind::sequence, a, b, {}}; }

  bool operator==(const Selector&) const = default;
};

// The part of [lower, upper] that belongs to one of `workers` workers: contiguous slices, the first
// ones longer by one where it does not divide (COSBench's rule). count is 0 where there are more
// workers than numbers.
struct Slice {
  std::int64_t first = 0;
  std::int64_t count = 0;
  bool operator==(const Slice&) const = default;
};
// `worker` counts from 0.
Slice slice_of(std::int64_t lower, std::int64_t upper, std::uint32_t worker, std::uint32_t workers);

}  // namespace loadline::plan
