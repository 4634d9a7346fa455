#include "engine/block_buffers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace loadline::engine {
namespace {

constexpr std::size_t k_block = 4096;

std::string next_block(BlockBuffers& buffers, std::uint64_t number) {
  const std::span<std::byte> block = buffers.of(0, k_block);
  if (buffers.fills()) buffers.fill(block, number * k_block);
  return {reinterpret_cast<const char*>(block.data()), block.size()};
}

std::set<std::string> blocks_of(const plan::BufferSpec& spec, BlockBuffers::Options options,
                                std::uint64_t blocks) {
  options.blocks = blocks;
  auto buffers = BlockBuffers::make(spec, options);
  EXPECT_TRUE(buffers.has_value());
  std::set<std::string> all;
  for (std::uint64_t i = 0; i < blocks; ++i) all.insert(next_block(*buffers, i));
  return all;
}

TEST(BlockBuffers, keep_the_same_bytes_in_all_slots) {
  auto buffers = BlockBuffers::make({.fill = plan::BufferFill::same}, {.slots = 3, .reads = false});
  ASSERT_TRUE(buffers.has_value());
  EXPECT_FALSE(buffers->fills());
  const auto first = buffers->of(0, k_block);
  for (std::uint32_t slot = 1; slot < 3; ++slot) {
    EXPECT_TRUE(std::ranges::equal(first, buffers->of(slot, k_block)));
  }
  EXPECT_NE(first[0], first[1]);
}

TEST(BlockBuffers, bring_the_same_bytes_back_after_reads) {
  auto buffers = BlockBuffers::make({.fill = plan::BufferFill::same}, {.slots = 2});
  ASSERT_TRUE(buffers.has_value());
  const std::string before = next_block(*buffers, 0);
  std::ranges::fill(buffers->of(0, k_block), std::byte{7});
  EXPECT_EQ(next_block(*buffers, 1), before);
}

TEST(BlockBuffers, repeat_a_share_of_the_blocks_of_a_set) {
  const plan::BufferSpec spec{.dedupe_percent = 50, .dedupe_set_percent = 10};
  const auto all = blocks_of(spec, {.seed = 3}, 4000);
  EXPECT_NEAR(static_cast<double>(all.size()), 2000, 120);
}

TEST(BlockBuffers, jobs_repeat_blocks_of_one_set) {
  plan::BufferSpec spec{.dedupe_percent = 50, .dedupe_set_percent = 10, .dedupe_global = true};
  const auto both = [&spec] {
    auto all = blocks_of(spec, {.seed = 3, .shared_seed = 9, .sharers = 2, .rank = 0}, 2000);
    const std::size_t first = all.size();
    all.merge(blocks_of(spec, {.seed = 4, .shared_seed = 9, .sharers = 2, .rank = 1}, 2000));
    return std::pair(first, all.size());
  };
  const auto [first, together] = both();
  // Half of the first's repeats are of the other's 200 blocks.
  EXPECT_NEAR(static_cast<double>(first), 1200, 70);
  EXPECT_NEAR(static_cast<double>(together), 2000, 120);
  spec.dedupe_global = false;
  EXPECT_NEAR(static_cast<double>(both().second), 2000, 120);
}

}  // namespace
}  // namespace loadline::engine
