#include "engine/stream_content.h"

#include <gtest/gtest.h>

#include <vector>

namespace loadline::engine {
namespace {

using plan::StreamFill;

std::vector<std::byte> made(const StreamContent& content, std::uint64_t number,
                            std::uint64_t offset, std::size_t length) {
  std::vector<std::byte> bytes(length, std::byte{0xee});
  content.fill(number, offset, bytes);
  return bytes;
}

class StreamContentTest : public ::testing::TestWithParam<StreamFill> {};

TEST_P(StreamContentTest, depends_on_file_and_place_and_not_on_the_pieces) {
  const ContentPool pool(7);
  const StreamContent content(GetParam(), pool, 7);
  constexpr std::size_t k_length = 2'500'000;  // more than the pool has
  const std::vector<std::byte> whole = made(content, 3, 1'000, k_length);
  for (const std::size_t at : {0UL, 1UL, 49UL, 1'048'572UL, 2'400'001UL}) {
    const std::vector<std::byte> part = made(content, 3, 1'000 + at, 99'999);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + static_cast<long>(at)));
  }
  EXPECT_FALSE(content.first_wrong(3, 1'000, whole));
  const ContentPool same_pool(7);
  EXPECT_FALSE(StreamContent(GetParam(), same_pool, 7).first_wrong(3, 1'000, whole));
}

TEST_P(StreamContentTest, finds_the_first_wrong_byte) {
  const ContentPool pool(7);
  const StreamContent content(GetParam(), pool, 7);
  std::vector<std::byte> bytes = made(content, 3, 5, 1'500'000);
  bytes[1'400'000] ^= std::byte{1};
  bytes[1'400'007] ^= std::byte{1};
  EXPECT_EQ(content.first_wrong(3, 5, bytes), 1'400'005U);
}

INSTANTIATE_TEST_SUITE_P(All, StreamContentTest,
                         ::testing::Values(StreamFill::zero, StreamFill::pattern,
                                           StreamFill::random));

TEST(StreamContent, is_that_of_another_file_or_seed_only_where_it_is_the_same_everywhere) {
  const ContentPool pool(7);
  const StreamContent random(StreamFill::random, pool, 7);
  const std::vector<std::byte> bytes = made(random, 0, 0, 4096);
  EXPECT_TRUE(random.first_wrong(1, 0, bytes));
  EXPECT_TRUE(random.first_wrong(0, 4096, bytes));
  EXPECT_TRUE(StreamContent(StreamFill::random, pool, 8).first_wrong(0, 0, bytes));
}

TEST(StreamContent, has_the_pattern_that_its_users_know) {
  const ContentPool pool(1);
  const StreamContent pattern(StreamFill::pattern, pool, 1);
  const std::vector<std::byte> bytes = made(pattern, 9, 100, 51);
  EXPECT_EQ(bytes[0], std::byte{'0'});
  EXPECT_EQ(bytes[49], static_cast<std::byte>('0' + 49));
  EXPECT_EQ(bytes[50], std::byte{'0'});
}

}  // namespace
}  // namespace loadline::engine
