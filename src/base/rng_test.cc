#include "base/rng.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace loadline {
namespace {

// Worked out apart from this code, by an implementation that gives the published vectors of
// SplitMix64 (seed 1234567) and xoshiro256++ (state 1, 2, 3, 4).
TEST(Rng, gives_the_numbers_of_the_reference) {
  Rng rng(42);
  EXPECT_EQ(rng.next(), 15021278609987233951U);
  EXPECT_EQ(rng.next(), 5881210131331364753U);
  EXPECT_EQ(rng.next(), 18149643915985481100U);
  EXPECT_EQ(rng.next(), 12933668939759105464U);
  Rng split = Rng::split(42, 7);
  EXPECT_EQ(split.next(), 14911984385084203135U);
  EXPECT_EQ(split.next(), 14804305487529889343U);
}

TEST(Rng, streams_of_a_seed_differ) {
  std::set<std::uint64_t> firsts;
  for (std::uint64_t stream = 0; stream < 10'000; ++stream) {
    firsts.insert(Rng::split(1, stream).next());
  }
  EXPECT_EQ(firsts.size(), 10'000U);
}

// Chi-squared over 10 cells, 9 degrees of freedom: above 27.9 once in a thousand seeds.
TEST(Rng, below_is_uniform) {
  Rng rng(5);
  std::array<int, 10> cells{};
  constexpr int k_draws = 100'000;
  for (int i = 0; i < k_draws; ++i) ++cells[rng.below(10)];
  double chi_squared = 0;
  for (const int n : cells) {
    const double off = n - k_draws / 10.0;
    chi_squared += off * off / (k_draws / 10.0);
  }
  EXPECT_LT(chi_squared, 27.9);
}

TEST(Rng, below_stays_below_for_any_bound) {
  Rng rng(6);
  for (const std::uint64_t bound : {1UL, 2UL, 3UL, 1000UL, (1UL << 63) + 1, UINT64_MAX}) {
    for (int i = 0; i < 100; ++i) ASSERT_LT(rng.below(bound), bound);
  }
}

TEST(Rng, unit_and_exponential_have_their_means) {
  Rng rng(7);
  double units = 0;
  double gaps = 0;
  constexpr int k_draws = 100'000;
  for (int i = 0; i < k_draws; ++i) {
    const double unit = rng.unit();
    ASSERT_TRUE(unit >= 0 && unit < 1);
    const double gap = rng.exponential();
    ASSERT_GE(gap, 0);
    units += unit;
    gaps += gap;
  }
  EXPECT_NEAR(units / k_draws, 0.5, 0.005);
  EXPECT_NEAR(gaps / k_draws, 1.0, 0.015);
}

}  // namespace
}  // namespace loadline
