#include "record/hdr_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "base/rng.h"

namespace loadline::record {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// The counts of both, bucket by bucket: what the format keeps.
void expect_same_buckets(const Histogram& a, const Histogram& b) {
  EXPECT_EQ(a.count(), b.count());
  for (std::size_t i = 0; i < Histogram::k_buckets; ++i) ASSERT_EQ(a.at(i), b.at(i)) << i;
}

Histogram random_histogram(std::uint64_t seed) {
  Rng rng(seed);
  Histogram histogram;
  for (int i = 0; i < 2000; ++i) {
    const auto value = static_cast<std::int64_t>(rng.next() >> (19 + rng.below(45)));
    histogram.add(Duration::nanoseconds(value), 1 + rng.below(100'000));
  }
  return histogram;
}

TEST(HdrLog, buckets_survive_encoding) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const Histogram histogram = random_histogram(seed);
    const Result<Histogram> again = decode_hdr(encode_hdr(histogram));
    ASSERT_TRUE(again) << again.error().message();
    expect_same_buckets(*again, histogram);
  }
}

TEST(HdrLog, encodes_nothing_and_the_ends_of_the_range) {
  EXPECT_TRUE(decode_hdr(encode_hdr(Histogram()))->empty());
  Histogram ends;
  ends.add(Duration());
  ends.add(Duration::nanoseconds((std::int64_t{1} << 45) - 1), std::uint64_t{1} << 62);
  expect_same_buckets(*decode_hdr(encode_hdr(ends)), ends);
}

TEST(HdrLog, values_past_the_top_lie_in_the_topmost_bucket) {
  Histogram histogram;
  histogram.add(Duration::seconds(100'000), 3);
  const Result<Histogram> again = decode_hdr(encode_hdr(histogram));
  EXPECT_EQ(again->count(), 3U);
  EXPECT_EQ(again->at(Histogram::k_buckets - 1), 3U);
}

TEST(HdrLog, begins_like_every_compressed_v2_histogram) {
  EXPECT_THAT(encode_hdr(random_histogram(1)), StartsWith("HISTFAAA"));
}

// made_by_hdrhistogram_0.10.8.txt: PyPI's hdrhistogram, HdrHistogram(1, 2**45 - 1, 2), values
// 1..1000 once each and 123456789 seven times.
TEST(HdrLog, reads_what_another_implementation_wrote) {
  std::ifstream file(LOADLINE_TESTDATA "/made_by_hdrhistogram_0.10.8.txt");
  std::string text;
  file >> text;
  Histogram expected;
  for (int i = 1; i <= 1000; ++i) expected.add(Duration::nanoseconds(i));
  expected.add(Duration::nanoseconds(123'456'789), 7);
  const Result<Histogram> decoded = decode_hdr(text);
  ASSERT_TRUE(decoded) << decoded.error().message();
  expect_same_buckets(*decoded, expected);
}

TEST(HdrLog, refuses_damage_without_reading_past_it) {
  const std::string good = encode_hdr(random_histogram(5));
  EXPECT_FALSE(decode_hdr(""));
  EXPECT_FALSE(decode_hdr("HIST"));
  EXPECT_FALSE(decode_hdr("!" + good.substr(1)));
  EXPECT_FALSE(decode_hdr("AAAA" + good.substr(4)));
  for (std::size_t length = 4; length + 4 < good.size(); length += 40) {
    EXPECT_FALSE(decode_hdr(good.substr(0, length))) << length;
  }
  Rng rng(9);
  for (int i = 0; i < 2000; ++i) {
    std::string bad = good;
    bad[rng.below(bad.size())] = static_cast<char>('A' + rng.below(26));
    (void)decode_hdr(bad);  // may be lucky; must not crash
  }
}

TEST(HdrLog, a_line_comes_back) {
  const Histogram histogram = random_histogram(3);
  const std::string line = hdr_log_line("s1-main.mix.read", Duration::milliseconds(12'345),
                                        Duration::milliseconds(1000), histogram);
  EXPECT_THAT(line, StartsWith("Tag=s1-main.mix.read,12.345,1.000,"));
  const Result<HdrInterval> interval = parse_hdr_log_line(line);
  ASSERT_TRUE(interval) << interval.error().message();
  EXPECT_EQ(interval->tag, "s1-main.mix.read");
  EXPECT_EQ(interval->start, Duration::milliseconds(12'345));
  EXPECT_EQ(interval->length, Duration::seconds(1));
  expect_same_buckets(interval->histogram, histogram);
}

TEST(HdrLog, says_the_maximum_of_an_interval_in_milliseconds) {
  Histogram histogram;
  histogram.add(Duration::microseconds(1500));
  EXPECT_THAT(hdr_log_line("t", Duration(), Duration::seconds(1), histogram),
              HasSubstr(",1.000,1.500,"));
}

TEST(HdrLog, refuses_lines_that_are_none) {
  for (const char* line : {"", "Tag=a", "Tag=a,1,2,3", "Tag=a,x,2,3,HISTFAAA", "1,2,3",
                           "Tag=a,1,-2,3,HISTFAAA", "#[comment]"}) {
    EXPECT_FALSE(parse_hdr_log_line(line)) << line;
  }
}

TEST(HdrLog, opens_with_the_lines_that_readers_look_for) {
  const std::string header = hdr_log_header(WallTime::from_ns(1'796'057'987'123'000'000));
  EXPECT_THAT(header, StartsWith("#[Histogram log format version 1.3]\n"));
  EXPECT_THAT(header, HasSubstr("#[StartTime: 1796057987.123 (seconds since epoch), 2026-"));
  EXPECT_THAT(header, HasSubstr("#[BaseTime: 1796057987.123 (seconds since epoch)]\n"));
}

TEST(HdrLog, a_tag_has_no_commas_and_no_blanks) {
  EXPECT_EQ(hdr_tag("s1 a,b\tc\n.d"), "s1_a_b_c_.d");
}

}  // namespace
}  // namespace loadline::record
