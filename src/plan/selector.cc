#include "plan/selector.h"

#include <algorithm>

#include "base/check.h"

namespace loadline::plan {

std::int64_t Selector::largest() const {
  std::int64_t largest = upper;
  for (const WeightedRange& bucket : buckets) largest = std::max(largest, bucket.upper);
  return largest;
}

Slice slice_of(std::int64_t lower, std::int64_t upper, std::uint32_t worker,
               std::uint32_t workers) {
  CHECK(lower <= upper && worker < workers);
  const std::int64_t range = upper - lower + 1;
  const std::int64_t base = range / workers;
  const std::int64_t extra = range % workers;
  const std::int64_t index = worker;
  return {.first = lower + base * index + std::min(index, extra),
          .count = base + (index < extra ? 1 : 0)};
}

}  // namespace loadline::plan
