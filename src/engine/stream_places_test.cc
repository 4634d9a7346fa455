#include "engine/stream_places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace loadline::engine {
namespace {

using plan::StreamAction;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Lt;

// The first `count` offsets where every call gives its whole buffer.
std::vector<std::uint64_t> places(StreamAction action, std::uint64_t size, std::uint64_t buffer,
                                  std::size_t count, std::uint64_t skip = 0,
                                  std::uint64_t seed = 1) {
  const plan::StreamIo io{.action = action, .buffer = Bytes(buffer), .skip = Bytes(skip)};
  StreamPlaces chooser(io, Bytes(size), Rng(seed));
  std::vector<std::uint64_t> all;
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = chooser.next(i * buffer);
    if (!at) break;
    all.push_back(*at);
  }
  return all;
}

TEST(StreamPlaces, go_from_the_start_to_whatever_end_there_is) {
  EXPECT_THAT(places(StreamAction::read, 100, 40, 4), ElementsAre(0, 40, 80, 120));
}

TEST(StreamPlaces, go_backward_and_stay_at_the_first_block) {
  EXPECT_THAT(places(StreamAction::read_backward, 100, 40, 5), ElementsAre(60, 20, 0, 0, 0));
  EXPECT_THAT(places(StreamAction::read_backward, 30, 40, 2), ElementsAre(0, 0));
}

TEST(StreamPlaces, leave_gaps_and_end_with_the_file) {
  EXPECT_THAT(places(StreamAction::read_skip, 100, 10, 99, 10), ElementsAre(0, 20, 40, 60, 80));
  EXPECT_THAT(places(StreamAction::read_skip, 100, 40, 99, 0), ElementsAre(0, 40, 80));
  EXPECT_THAT(places(StreamAction::read_skip, 0, 40, 99, 0), ElementsAre());
}

TEST(StreamPlaces, lie_anywhere_in_files_larger_than_32_bits_count) {
  constexpr std::uint64_t k_size = 5ULL << 30;
  const auto all = places(StreamAction::read_random, k_size, 4096, 10'000);
  EXPECT_THAT(all, Each(Lt(k_size)));
  std::size_t past_4_gib = 0;
  for (const std::uint64_t at : all) past_4_gib += at >= (4ULL << 30) ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(past_4_gib), 2000, 200);
}

TEST(StreamPlaces, are_the_same_for_the_same_seed) {
  const auto once = places(StreamAction::read_random, 1 << 20, 4096, 100);
  EXPECT_EQ(places(StreamAction::read_random, 1 << 20, 4096, 100), once);
  EXPECT_NE(places(StreamAction::read_random, 1 << 20, 4096, 100, 0, 2), once);
}

}  // namespace
}  // namespace loadline::engine
