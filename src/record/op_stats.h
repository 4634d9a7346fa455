// What was counted of one operation of a job: the unit that workers fill, ticks carry and merging
// adds up. Only samples inside the measured window are here; what fell outside is a count.
//
// Threads: a plain value.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"
#include "record/histogram.h"
#include "target/outcome.h"

namespace loadline::record {

// One failure kept as an example, in the store's words.
struct FailureExample {
  target::Outcome outcome = target::Outcome::io_error;
  std::uint16_t status = 0;
  std::uint64_t times = 0;  // how often this pair of outcome and status happened
  std::string item;         // one it happened to, container/object: not the first in time
  std::string detail;
  bool operator==(const FailureExample&) const = default;
};

struct OpStats {
  std::array<std::uint64_t, target::k_outcomes> outcomes{};
  Bytes bytes;              // of successes
  std::uint64_t items = 0;  // names listed or removed in batches, of successes
  std::uint64_t retries = 0;
  std::uint64_t outside = 0;        // ended, but not inside the window (ramps, or across its end)
  std::uint64_t container_ops = 0;  // containers made or removed on the way
  std::uint64_t container_failures = 0;
  Histogram service;     // successes: issued to done
  Histogram response;    // successes: intended to done; empty in a closed loop, where the
                         // two are the same
  Histogram first_byte;  // successes: issued to the first byte of the answer
  Histogram failed;      // failures: issued to done
  // The two parts of `service` where a block target is asynchronous, else empty.
  Histogram submission;  // successes: issued to accepted
  Histogram completion;  // successes: accepted to done
  // By outcome and status; at most k_failure_examples, the rest only counted in `outcomes`.
  std::vector<FailureExample> failures;

  static constexpr std::size_t k_failure_examples = 32;

  std::uint64_t successes() const { return outcomes[0]; }
  std::uint64_t samples() const;
  std::uint64_t failure_count() const { return samples() - successes(); }
  // Intended to done where paced, else issued to done.
  const Histogram& latency() const { return response.empty() ? service : response; }

  void count_failure(target::Outcome outcome, std::uint16_t status, std::string_view container,
                     std::string_view object, std::string_view detail);
  // Adds `other`. Associative and commutative but for which examples are kept past the limit.
  void merge(const OpStats& other);
  void clear();
  bool operator==(const OpStats&) const = default;
};

}  // namespace loadline::record
