#include "engine/block_offsets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace loadline::engine {
namespace {

using plan::Direction;
using plan::Placement;
using plan::Sequencing;
using ::testing::ElementsAre;

constexpr std::uint64_t k_k = 1024;

plan::BlockIo random_reads(std::uint64_t block = 4096) {
  plan::BlockIo io;
  io.files = {{"f", Bytes()}};
  io.uses = {true, false, false};
  for (auto& size : io.sizes)
    size = {.min = Bytes(block), .max = Bytes(block), .step = Bytes(block)};
  for (auto& order : io.order) order.placement = Placement::random;
  return io;
}

plan::BlockIo sequential_reads(std::uint64_t block = 4096) {
  plan::BlockIo io = random_reads(block);
  for (auto& order : io.order) order.placement = Placement::sequential;
  return io;
}

std::vector<FileRegion> one(std::uint64_t length) { return {{0, length, length}}; }

std::vector<std::uint64_t> offsets_of(BlockOffsets& offsets, std::size_t most = 1 << 20) {
  std::vector<std::uint64_t> all;
  BlockPlace place;
  while (all.size() < most && offsets.next(Direction::read, place)) all.push_back(place.offset);
  return all;
}

// Every byte of [0, length) exactly once.
void expect_covers(BlockOffsets& offsets, std::uint64_t length) {
  std::map<std::uint64_t, std::uint64_t> pieces;
  BlockPlace place;
  while (offsets.next(Direction::read, place)) {
    ASSERT_TRUE(pieces.emplace(place.offset, place.length).second) << place.offset;
  }
  std::uint64_t at = 0;
  for (const auto& [offset, size] : pieces) {
    ASSERT_EQ(offset, at);
    at += size;
  }
  EXPECT_EQ(at, length);
}

TEST(Permutation, holds_every_number_once_for_every_size) {
  Rng rng(1);
  for (std::uint64_t n = 1; n < 300; ++n) {
    const Permutation order(n, rng);
    std::set<std::uint64_t> seen;
    for (std::uint64_t i = 0; i < n; ++i) seen.insert(order[i]);
    EXPECT_EQ(seen.size(), n);
    EXPECT_LT(*seen.rbegin(), n);
  }
}

TEST(Permutation, looks_random) {
  // Steps between neighbours of a random order of n numbers are n/3 on average.
  Rng rng(7);
  const std::uint64_t n = 100'000;
  const Permutation order(n, rng);
  double sum = 0;
  for (std::uint64_t i = 1; i < n; ++i) {
    sum += std::abs(static_cast<double>(order[i]) - static_cast<double>(order[i - 1]));
  }
  EXPECT_NEAR(sum / static_cast<double>(n - 1), static_cast<double>(n) / 3, 0.05 * n);
}

TEST(BlockOffsets, reads_in_sequence_to_the_end) {
  const auto io = sequential_reads();
  BlockOffsets offsets(io, one(16 * k_k), 1);
  EXPECT_THAT(offsets_of(offsets), ElementsAre(0, 4096, 8192, 12288));
  EXPECT_THAT(offsets_of(offsets), ElementsAre());
  offsets.begin_pass();
  EXPECT_EQ(offsets_of(offsets).size(), 4U);
}

TEST(BlockOffsets, leaves_out_a_block_that_does_not_fit) {
  auto io = sequential_reads();
  BlockOffsets sequential(io, one(10'000), 1);
  EXPECT_THAT(offsets_of(sequential), ElementsAre(0, 4096));
  // A file that goes on past the region has room for the last one, as in fio.
  BlockOffsets inside(io, {{0, 10'000, 65'536}}, 1);
  EXPECT_THAT(offsets_of(inside), ElementsAre(0, 4096, 8192));
  io = random_reads();
  BlockOffsets random(io, one(10'000), 1);
  EXPECT_EQ(offsets_of(random).size(), 2U);
}

TEST(BlockOffsets, strides_forwards_leave_holes) {
  auto io = sequential_reads();
  io.sequencing = Sequencing::stride;
  io.sequence_by = 8192;
  BlockOffsets offsets(io, one(64 * k_k), 1);
  EXPECT_THAT(offsets_of(offsets), ElementsAre(0, 12288, 24576, 36864, 49152, 61440));
}

TEST(BlockOffsets, strides_backwards_come_from_the_end) {
  auto io = sequential_reads();
  io.sequencing = Sequencing::stride;
  io.sequence_by = -8192;
  BlockOffsets offsets(io, one(64 * k_k), 1);
  EXPECT_THAT(offsets_of(offsets, 5), ElementsAre(0, 57344, 53248, 49152, 45056));
}

TEST(BlockOffsets, visits_each_block_once_a_pass_in_another_order_each) {
  const auto io = random_reads();
  BlockOffsets offsets(io, one(1000 * 4096), 3);
  const auto first = offsets_of(offsets);
  EXPECT_EQ(std::set(first.begin(), first.end()).size(), 1000U);
  offsets.begin_pass();
  const auto second = offsets_of(offsets);
  EXPECT_EQ(std::set(second.begin(), second.end()).size(), 1000U);
  EXPECT_NE(first, second);
}

TEST(BlockOffsets, covers_every_byte_once_whatever_the_sizes) {
  for (const std::uint64_t length : {64 * k_k, 1000 * k_k, 1028 * k_k}) {
    auto io = random_reads();
    io.sizes[0].max = Bytes(16 * k_k);
    BlockOffsets offsets(io, one(length), length);
    expect_covers(offsets, length);
    io.sizes[0].split = {{Bytes(4 * k_k), 60}, {Bytes(64 * k_k), 10}, {Bytes(8 * k_k), 30}};
    BlockOffsets split(io, one(length), length);
    expect_covers(split, length);
  }
}

TEST(BlockOffsets, divides_a_map_between_reads_and_writes) {
  auto io = random_reads();
  io.uses = {true, true, false};
  BlockOffsets offsets(io, one(100 * 4096), 1);
  std::set<std::uint64_t> seen;
  BlockPlace place;
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(offsets.next(i % 3 ? Direction::read : Direction::write, place));
    seen.insert(place.offset);
  }
  EXPECT_EQ(seen.size(), 100U);
  EXPECT_FALSE(offsets.next(Direction::write, place));
}

TEST(BlockOffsets, repeats_where_it_may) {
  auto io = random_reads();
  io.with_repetition = true;
  BlockOffsets offsets(io, one(16 * 4096), 1);
  const auto all = offsets_of(offsets, 1600);
  ASSERT_EQ(all.size(), 1600U);
  std::map<std::uint64_t, int> times;
  for (const std::uint64_t offset : all) ++times[offset];
  EXPECT_EQ(times.size(), 16U);
  for (const auto& [offset, n] : times) EXPECT_NEAR(n, 100, 50) << offset;
}

TEST(BlockOffsets, runs_and_repetitions_follow_each_new_offset) {
  auto io = random_reads();
  io.sequencing = Sequencing::identical;
  io.sequence_by = 3;
  BlockOffsets identical(io, one(64 * k_k), 1);
  const auto same = offsets_of(identical, 9);
  EXPECT_EQ(same[0], same[1]);
  EXPECT_EQ(same[1], same[2]);
  EXPECT_NE(same[2], same[3]);
  io.sequencing = Sequencing::runs;
  BlockOffsets runs(io, one(6400 * k_k), 1);
  const auto some = offsets_of(runs, 300);
  int in_sequence = 0;
  for (std::size_t i = 1; i < some.size(); ++i) in_sequence += some[i] == some[i - 1] + 4096;
  EXPECT_NEAR(in_sequence, 200, 5);
}

TEST(BlockOffsets, mixes_sequential_ones_by_their_share) {
  auto io = random_reads();
  io.random_percent = {25, 25, 25};
  BlockOffsets offsets(io, one(40'000 * 4096), 1);
  const auto all = offsets_of(offsets, 10'000);
  int in_sequence = 0;
  for (std::size_t i = 1; i < all.size(); ++i) in_sequence += all[i] == all[i - 1] + 4096;
  EXPECT_NEAR(in_sequence, 7500, 200);
}

// The shares that fio 3.33 gave on 256 blocks with 16384 operations (theta 1.2, h 0.2, deviation
// 10 %): the hottest blocks.
TEST(BlockOffsets, skews_as_fio_does) {
  struct Case {
    plan::Distribution order;
    double first;
    double second;
    std::size_t distinct_least;
    std::size_t distinct_most;
  };
  const Case cases[] = {
      {{Placement::zipf, 1.2, -1, {}}, 4198, 1898, 250, 256},
      {{Placement::pareto, 0.2, 0.5, {}}, 7641, 768, 250, 256},
      {{Placement::normal, 10, -1, {}}, 313, 306, 130, 170},
  };
  for (const Case& c : cases) {
    auto io = random_reads();
    io.order[0] = c.order;
    BlockOffsets offsets(io, one(256 * 4096), 5);
    std::map<std::uint64_t, int> times;
    for (const std::uint64_t offset : offsets_of(offsets, 16'384)) ++times[offset];
    std::vector<int> counts;
    for (const auto& [offset, n] : times) counts.push_back(n);
    std::ranges::sort(counts, std::greater());
    const std::string name(to_string(c.order.placement));
    EXPECT_NEAR(counts[0], c.first, 0.12 * c.first) << name;
    EXPECT_NEAR(counts[1], c.second, 0.12 * c.second) << name;
    EXPECT_GE(counts.size(), c.distinct_least) << name;
    EXPECT_LE(counts.size(), c.distinct_most) << name;
  }
}

TEST(BlockOffsets, puts_the_hottest_block_at_the_centre) {
  auto io = random_reads();
  io.order[0] = {Placement::zipf, 1.2, 0.25, {}};
  BlockOffsets offsets(io, one(256 * 4096), 5);
  std::map<std::uint64_t, int> times;
  for (const std::uint64_t offset : offsets_of(offsets, 4000)) ++times[offset / 4096];
  const auto hottest =
      std::ranges::max_element(times, {}, [](const auto& entry) { return entry.second; });
  EXPECT_EQ(hottest->first, 64U);
}

TEST(BlockOffsets, zones_get_their_shares) {
  auto io = random_reads();
  io.order[0] = {Placement::zoned, 0, -1, {{60, 10}, {30, 20}, {10, 70}}};
  BlockOffsets offsets(io, one(1000 * 4096), 5);
  int in_zone[3] = {};
  for (const std::uint64_t offset : offsets_of(offsets, 10'000)) {
    const std::uint64_t block = offset / 4096;
    ++in_zone[block < 100 ? 0 : block < 300 ? 1 : 2];
  }
  EXPECT_NEAR(in_zone[0], 6000, 200);
  EXPECT_NEAR(in_zone[1], 3000, 200);
  EXPECT_NEAR(in_zone[2], 1000, 200);
  io.order[0] = {Placement::zoned_abs, 0, -1, {{95, 100 * 4096}, {5, 0}}};
  BlockOffsets absolute(io, one(1000 * 4096), 5);
  int inside = 0;
  for (const std::uint64_t offset : offsets_of(absolute, 10'000)) inside += offset < 100 * 4096;
  EXPECT_NEAR(inside, 9500, 150);
}

TEST(BlockOffsets, goes_round_the_files_and_leaves_out_those_that_are_done) {
  auto io = sequential_reads();
  io.files = {{"a", Bytes()}, {"b", Bytes()}};
  BlockOffsets offsets(io, {{0, 8192, 8192}, {0, 16384, 16384}}, 1);
  std::string files;
  BlockPlace place;
  while (offsets.next(Direction::read, place)) files += place.file == 0 ? 'a' : 'b';
  EXPECT_EQ(files, "ababbb");
  io.file_order = plan::FileOrder::sequential;
  BlockOffsets after(io, {{0, 8192, 8192}, {0, 16384, 16384}}, 1);
  files.clear();
  while (after.next(Direction::read, place)) files += place.file == 0 ? 'a' : 'b';
  EXPECT_EQ(files, "aabbbb");
  io.file_order = plan::FileOrder::random;
  io.file_run = 2;
  BlockOffsets random(io, {{0, 8192, 8192}, {0, 16384, 16384}}, 1);
  EXPECT_EQ(offsets_of(random).size(), 6U);
}

TEST(BlockOffsets, repeats_a_list_of_blocks) {
  auto io = sequential_reads();
  io.order[0].placement = plan::Placement::listed;
  io.order[0].blocks = {2, 0, 1};
  BlockOffsets offsets(io, {{8192, 8192 + 4 * 4096, 8192 + 4 * 4096}}, 1);
  std::vector<std::uint64_t> found;
  BlockPlace place;
  for (int i = 0; i < 5 && offsets.next(Direction::read, place); ++i) found.push_back(place.offset);
  EXPECT_THAT(found, ElementsAre(16384, 8192, 12288, 16384, 8192));
  io.order[0].blocks = {3, 4};
  BlockOffsets behind(io, {{0, 4 * 4096, 4 * 4096}}, 1);
  EXPECT_THAT(offsets_of(behind), ElementsAre(3 * 4096)) << "over with the first behind the end";
}

TEST(BlockOffsets, chooses_files_by_the_skew_that_is_asked) {
  const auto first_of = [](double skew) {
    auto io = sequential_reads();
    io.order[0].placement = plan::Placement::random;
    io.with_repetition = true;
    io.file_order = plan::FileOrder::zipf;
    io.file_skew = skew;
    std::vector<FileRegion> regions(64, FileRegion{0, 8192, 8192});
    io.files.assign(regions.size(), {"a", Bytes()});
    BlockOffsets offsets(io, regions, 1);
    BlockPlace place;
    int first = 0;
    for (int i = 0; i < 10'000 && offsets.next(Direction::read, place); ++i) {
      first += place.file == 0 ? 1 : 0;
    }
    return first;
  };
  // Sums of 1 / rank^theta over a 64th of 65536 places, to the sum over all.
  EXPECT_NEAR(first_of(0), 7667, 250) << "theta 1.1";
  EXPECT_NEAR(first_of(0.4), 825, 150);
  EXPECT_GT(first_of(2.0), 9'900);
}

TEST(BlockOffsets, steps_through_strided_zones) {
  auto io = sequential_reads();
  io.zone_size = Bytes(8 * k_k);
  io.zone_range = Bytes(16 * k_k);
  io.zone_skip = Bytes(4 * k_k);
  BlockOffsets offsets(io, one(64 * k_k), 1);
  EXPECT_THAT(offsets_of(offsets), ElementsAre(0, 4096, 20480, 24576, 40960, 45056, 61440));
}

TEST(BlockRegions, divides_a_size_over_the_files) {
  auto io = sequential_reads();
  io.files = {{"a", Bytes()}, {"b", Bytes()}, {"c", Bytes()}};
  io.size.bytes = Bytes(10 * 4096);
  const std::vector<Bytes> sizes(3, Bytes(100 * 4096));
  const BlockRegions regions = regions_of(io, sizes, true);
  for (const FileRegion& file : regions.files) EXPECT_EQ(file.length(), 13'653U);
  EXPECT_EQ(regions.asked, Bytes(3 * 13'653));
}

TEST(BlockRegions, reads_what_a_short_file_has) {
  auto io = sequential_reads();
  io.files[0].size = Bytes(1 << 20);
  io.offset.percent = 50;
  const std::vector<Bytes> sizes{Bytes(600 * k_k)};
  const BlockRegions regions = regions_of(io, sizes, true);
  EXPECT_EQ(regions.files[0].begin, 512U * k_k);
  EXPECT_EQ(regions.asked, Bytes(512 * k_k));
  EXPECT_EQ(regions.used, Bytes(88 * k_k));
}

}  // namespace
}  // namespace loadline::engine
