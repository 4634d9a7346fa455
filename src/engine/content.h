// The bytes that writes send: a pool of incompressible bytes made once a run, and zeros. Operations
// start at a random place in the pool and go round it, so that no filling happens inside the
// latency window. The pool's length is prime: storage that finds equal aligned blocks finds none.
//
// Ownership: payloads borrow from the pool; it outlives every operation. Threads: read-only once
// made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.h"
#include "base/units.h"
#include "plan/plan.h"
#include "target/payload.h"

namespace loadline::engine {

class ContentPool {
 public:
  static constexpr std::size_t k_random_size = 1'048'573;  // the largest prime below 2^20
  static constexpr std::size_t k_zero_size = 262'144;

  explicit ContentPool(std::uint64_t seed);

  target::Payload payload(plan::Content content, Bytes size, Rng& rng,
                          std::span<const std::byte> trailer = {}) const;

  // Whole, for whoever must know what stands where.
  std::span<const std::byte> random() const { return random_; }
  std::span<const std::byte> zeros() const { return zero_; }

 private:
  std::vector<std::byte> random_;
  std::vector<std::byte> zero_;
};

}  // namespace loadline::engine
