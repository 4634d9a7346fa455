#include "record/op_stats.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/rng.h"

namespace loadline::record {
namespace {

using target::Outcome;

void count(OpStats& stats, Outcome outcome) { ++stats.outcomes[static_cast<std::size_t>(outcome)]; }

// Something of everything.
OpStats random_stats(Rng& rng) {
  OpStats stats;
  for (auto& n : stats.outcomes) n = rng.below(100);
  stats.bytes = Bytes(rng.below(1 << 30));
  stats.items = rng.below(100);
  stats.retries = rng.below(100);
  stats.outside = rng.below(100);
  stats.container_ops = rng.below(100);
  stats.container_failures = rng.below(100);
  for (Histogram* h : {&stats.service, &stats.response, &stats.first_byte, &stats.failed}) {
    h->add(Duration::nanoseconds(static_cast<std::int64_t>(rng.below(1'000'000'000))));
  }
  for (int i = 0; i < 3; ++i) {
    const char* items[] = {"c/a", "c/b", "d/a"};
    const char* details[] = {"slow down", "no", "gone"};
    stats.count_failure(rng.below(2) == 0 ? Outcome::throttled : Outcome::timeout,
                        static_cast<std::uint16_t>(500 + rng.below(3)), items[rng.below(3)], "",
                        details[rng.below(3)]);
  }
  return stats;
}

TEST(OpStats, samples_are_successes_and_failures) {
  OpStats stats;
  count(stats, Outcome::ok);
  count(stats, Outcome::ok);
  count(stats, Outcome::timeout);
  count(stats, Outcome::cancelled);
  EXPECT_EQ(stats.successes(), 2U);
  EXPECT_EQ(stats.failure_count(), 2U);
  EXPECT_EQ(stats.samples(), 4U);
}

TEST(OpStats, latency_is_the_response_time_where_paced) {
  OpStats stats;
  stats.service.add(Duration::nanoseconds(5));
  EXPECT_EQ(stats.latency().max(), Duration::nanoseconds(5));
  stats.response.add(Duration::nanoseconds(9));
  EXPECT_EQ(stats.latency().max(), Duration::nanoseconds(9));
}

TEST(OpStats, keeps_the_first_example_of_each_outcome_and_status) {
  OpStats stats;
  stats.count_failure(Outcome::throttled, 503, "c", "o1", "SlowDown");
  stats.count_failure(Outcome::throttled, 503, "c", "o2", "SlowDown again");
  stats.count_failure(Outcome::throttled, 429, "c", "", "");
  ASSERT_EQ(stats.failures.size(), 2U);
  EXPECT_EQ(stats.failures[0], (FailureExample{Outcome::throttled, 503, 2, "c/o1", "SlowDown"}));
  EXPECT_EQ(stats.failures[1], (FailureExample{Outcome::throttled, 429, 1, "c", ""}));
}

TEST(OpStats, keeps_no_more_examples_than_the_limit) {
  OpStats stats;
  OpStats other;
  for (std::uint16_t status = 0; status < 100; ++status) {
    stats.count_failure(Outcome::server_error, status, "c", "o", "");
    other.count_failure(Outcome::invalid, status, "c", "o", "");
  }
  EXPECT_EQ(stats.failures.size(), OpStats::k_failure_examples);
  stats.merge(other);
  EXPECT_EQ(stats.failures.size(), OpStats::k_failure_examples);
}

TEST(OpStats, merging_gives_the_same_in_any_order) {
  Rng rng(3);
  std::vector<OpStats> parts;
  for (int i = 0; i < 8; ++i) parts.push_back(random_stats(rng));
  OpStats in_order;
  for (const OpStats& part : parts) in_order.merge(part);
  for (int round = 0; round < 20; ++round) {
    for (std::size_t i = parts.size() - 1; i > 0; --i) {
      std::swap(parts[i], parts[rng.below(i + 1)]);
    }
    OpStats shuffled;
    for (const OpStats& part : parts) shuffled.merge(part);
    ASSERT_EQ(shuffled, in_order);
    // And by halves.
    OpStats left;
    OpStats right;
    for (std::size_t i = 0; i < parts.size(); ++i) (i < 3 ? left : right).merge(parts[i]);
    left.merge(right);
    ASSERT_EQ(left, in_order);
  }
}

TEST(OpStats, clearing_leaves_no_trace) {
  Rng rng(4);
  OpStats stats = random_stats(rng);
  stats.clear();
  EXPECT_EQ(stats, OpStats());
}

}  // namespace
}  // namespace loadline::record
