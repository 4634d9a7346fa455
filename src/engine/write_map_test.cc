#include "engine/write_map.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>

#include "base/rng.h"

namespace loadline::engine {
namespace {

constexpr std::uint64_t k_interval = 512;
const std::vector<FileRegion> k_regions = {{.begin = 4096, .end = 1 << 23U, .extent = 1 << 23U},
                                           {.begin = 0, .end = 1 << 20U, .extent = 1 << 20U}};

void expect_same(const WriteMap& a, const WriteMap& b) {
  for (std::uint32_t file = 0; file < 2; ++file) {
    for (std::uint64_t at = 0; at < k_regions[file].end; at += k_interval) {
      ASSERT_EQ(a.at(file, at), b.at(file, at)) << file << " at " << at;
    }
  }
}

Result<void> decode(WriteMap& map, const std::string& text) {
  return map.decode(std::as_bytes(std::span(text)));
}

TEST(WriteMap, comes_back_from_its_text) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    WriteMap map(k_regions, k_interval);
    for (std::uint32_t i = 1; i < 3000; ++i) {
      const auto file = static_cast<std::uint32_t>(rng.below(2));
      const std::uint64_t length = k_interval * (1 + rng.below(16));
      const std::uint64_t space = k_regions[file].end - k_regions[file].begin - length;
      const std::uint64_t offset =
          k_regions[file].begin + rng.below(space / k_interval) * k_interval;
      const std::uint32_t what = rng.below(9) == 0 ? WriteMap::k_trimmed : i;
      map.note({.file = file, .offset = offset, .length = length}, rng.below(9) == 0 ? 0 : what);
    }
    WriteMap other(k_regions, k_interval);
    ASSERT_TRUE(decode(other, map.encoded()).has_value()) << seed;
    expect_same(map, other);
  }
}

TEST(WriteMap, takes_a_few_bytes_for_a_sequence) {
  WriteMap map(k_regions, k_interval);
  for (std::uint32_t i = 0; i < 100; ++i) {
    map.note({.file = 0, .offset = 4096 + i * 65'536ULL, .length = 65'536}, i + 1);
  }
  EXPECT_LE(map.encoded().size(), 8U);
  WriteMap other(k_regions, k_interval);
  ASSERT_TRUE(decode(other, map.encoded()).has_value());
  expect_same(map, other);
}

TEST(WriteMap, refuses_damaged_text) {
  WriteMap map(k_regions, k_interval);
  for (const std::string text : {"", "\x05", "\xff\xff", "\x01\x01\x01\x01\x01"}) {
    EXPECT_FALSE(decode(map, text).has_value());
  }
}

TEST(VerifyState, is_kept_and_refused_when_damaged) {
  const std::string path = ::testing::TempDir() + "write_map.state";
  static_cast<void>(std::remove(path.c_str()));
  const VerifyState state{.seed = 1, .interval = 512, .files = 2, .map = "abc"};
  ASSERT_TRUE(save_verify_state(path, state).has_value());
  const auto back = load_verify_state(path);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->seed, 1U);
  EXPECT_EQ(back->map, "abc");
  std::ofstream(path, std::ios::app) << "x";
  EXPECT_FALSE(load_verify_state(path).has_value());
  EXPECT_EQ(load_verify_state(path + ".absent").error().code, ErrorCode::not_found);
}

TEST(VerifyState, does_not_overwrite_what_is_another_programs) {
  const std::string path = ::testing::TempDir() + "foreign.state";
  std::ofstream(path) << "something else";
  EXPECT_FALSE(save_verify_state(path, {}).has_value());
  EXPECT_FALSE(load_verify_state(path).has_value());
  std::string text;
  std::getline(std::ifstream(path), text);
  EXPECT_EQ(text, "something else");
}

}  // namespace
}  // namespace loadline::engine
