#include "serve/body.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "serve/test_bytes.h"

namespace loadline::serve {
namespace {

constexpr std::size_t k_kib = 1024;
constexpr std::size_t k_mib = 1024 * 1024;

std::string repeated(const std::string& pool, std::size_t start, std::size_t size) {
  std::string bytes;
  bytes.reserve(size);
  while (bytes.size() < size) {
    bytes.append(pool, start, size - bytes.size());
    start = 0;
  }
  return bytes;
}

std::string read_all(const Body& body) {
  std::string bytes;
  while (bytes.size() < body.size().count()) {
    const Slice slice = body.slice(bytes.size(), 300 * k_kib);
    EXPECT_GT(slice.length, 0U);
    bytes.append(reinterpret_cast<const char*>(slice.data), slice.length);
  }
  return bytes;
}

class BodyTest : public testing::Test {
 protected:
  BodyTest() : scratch_(64 * k_kib) {
    auto made = Arena::make(Bytes(16 * k_mib));
    EXPECT_TRUE(made);
    arena_ = std::move(*made);
  }

  // As a socket gives it: pieces of `piece` bytes into space().
  std::unique_ptr<Body> write(std::string_view bytes, std::size_t piece, bool length_known = true) {
    BodyWriter writer(*arena_, length_known ? std::optional(Bytes(bytes.size())) : std::nullopt,
                      nullptr);
    while (!bytes.empty()) {
      const auto space = writer.space(scratch_);
      const std::size_t n = std::min({piece, space.size(), bytes.size()});
      std::memcpy(space.data(), bytes.data(), n);
      writer.commit(n);
      if (writer.full()) return nullptr;
      bytes.remove_prefix(n);
    }
    return writer.finish();
  }

  std::unique_ptr<Body> append(std::string_view bytes, std::size_t piece) {
    BodyWriter writer(*arena_, std::nullopt, nullptr);
    while (!bytes.empty()) {
      const std::size_t n = std::min(piece, bytes.size());
      writer.append(std::as_bytes(std::span(bytes.data(), n)));
      bytes.remove_prefix(n);
    }
    return writer.finish();
  }

  std::unique_ptr<Arena> arena_;
  std::vector<std::byte> scratch_;
};

TEST_F(BodyTest, gives_back_what_was_written_at_every_size) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, 4 * k_kib, 16 * k_kib,
                                 16 * k_kib + 1, 100'000UL, k_mib, k_mib + 1, 3 * k_mib + 17}) {
    const std::string bytes = random_bytes(size, size + 1);
    EXPECT_EQ(read_all(*write(bytes, 7000)), bytes) << size;
    EXPECT_EQ(read_all(*write(bytes, k_mib, false)), bytes) << size;
    EXPECT_EQ(read_all(*append(bytes, 5000)), bytes) << size;
  }
  EXPECT_EQ(arena_->used(), Bytes(0));
}

TEST_F(BodyTest, slices_begin_anywhere) {
  const std::string bytes = random_bytes(3 * k_mib, 5);
  const auto body = write(bytes, 100'000);
  for (const std::size_t at : {std::size_t{1}, k_mib - 1, k_mib, 2 * k_mib + 12345}) {
    const Slice slice = body->slice(at, 1000);
    ASSERT_GT(slice.length, 0U);
    EXPECT_EQ(std::memcmp(slice.data, bytes.data() + at, slice.length), 0);
  }
  EXPECT_EQ(body->slice(bytes.size(), 10).length, 0U);
}

TEST_F(BodyTest, folds_a_repeating_pool) {
  for (const std::size_t period : {std::size_t{1}, 4 * k_kib, 100'003UL, k_mib, 3 * k_mib}) {
    const std::string pool = random_bytes(period, 9);
    const std::string bytes = repeated(pool, period / 3, 10 * k_mib + 4711);
    for (const std::size_t piece : {17 * k_kib, k_mib}) {
      const auto body = write(bytes, piece);
      EXPECT_EQ(read_all(*body), bytes) << period;
      EXPECT_LT(body->footprint().count(), 2 * period + 3 * k_mib) << period << " " << piece;
    }
  }
}

TEST_F(BodyTest, keeps_what_follows_a_repetition) {
  const std::string pool = random_bytes(300 * k_kib, 11);
  std::string bytes = repeated(pool, 0, 4 * k_mib) + "!!!!trailer!!!!";
  EXPECT_EQ(read_all(*write(bytes, 60'000)), bytes);
  bytes += repeated(random_bytes(70 * k_kib, 12), 100, 2 * k_mib);
  bytes += random_bytes(400 * k_kib, 13);
  bytes += repeated(pool, 1000, 2 * k_mib);
  for (const std::size_t piece : {1000UL, 60'000UL, k_mib}) {
    const auto body = write(bytes, piece);
    ASSERT_EQ(read_all(*body), bytes) << piece;
    EXPECT_EQ(read_all(*append(bytes, piece)), bytes) << piece;
  }
}

TEST_F(BodyTest, notices_one_byte_that_breaks_the_repetition) {
  const std::string pool = random_bytes(128 * k_kib, 14);
  std::string bytes = repeated(pool, 0, 4 * k_mib);
  for (const std::size_t at : {200'000UL, 300'001UL, 2 * k_mib, 4 * k_mib - 1}) {
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    EXPECT_EQ(read_all(*write(bytes, 50'000)), bytes) << at;
  }
}

TEST_F(BodyTest, gives_up_on_a_needle_that_comes_again_and_again) {
  // The first 32 bytes stand in every kilobyte, and nothing else repeats.
  std::string bytes = random_bytes(2 * k_mib, 15);
  for (std::size_t at = k_kib; at + 32 < bytes.size(); at += k_kib) {
    std::copy_n(bytes.begin(), 32, bytes.begin() + static_cast<std::ptrdiff_t>(at));
  }
  EXPECT_EQ(read_all(*write(bytes, 60'000)), bytes);
}

TEST_F(BodyTest, says_when_memory_has_run_out_and_gives_it_back) {
  EXPECT_EQ(write(random_bytes(17 * k_mib, 16), k_mib), nullptr);
  EXPECT_EQ(arena_->used(), Bytes(0));
  const std::string bytes = random_bytes(15 * k_mib, 17);
  EXPECT_EQ(read_all(*write(bytes, k_mib)), bytes);
}

TEST_F(BodyTest, never_rewrites_pages_that_were_sent) {
  const std::string bytes = random_bytes(k_mib, 18);
  auto body = write(bytes, k_mib);
  const auto place = body->slice(0, 1).file_offset;
  ASSERT_TRUE(place);
  body->mark_sent();
  body.reset();
  // The chunk comes again, with new pages: zeros, not what the peer may still have to read.
  const auto chunk = arena_->allocate(k_mib);
  ASSERT_TRUE(chunk);
  EXPECT_EQ(chunk->offset, *place);
  EXPECT_EQ(*arena_->at(chunk->offset), std::byte{0});
  arena_->release(*chunk, false);
}

TEST_F(BodyTest, counts_lengths_only_with_a_filler) {
  const auto filler = arena_->allocate(Arena::k_chunk_most);
  ASSERT_TRUE(filler);
  BodyWriter writer(*arena_, Bytes(20 * k_mib), &*filler);
  for (int i = 0; i < 320; ++i) {
    ASSERT_EQ(writer.space(scratch_).size(), scratch_.size());
    writer.commit(scratch_.size());
  }
  const auto body = writer.finish();
  EXPECT_EQ(body->size(), Bytes(20 * k_mib));
  EXPECT_EQ(read_all(*body).size(), 20 * k_mib);
  EXPECT_EQ(arena_->used(), Bytes(k_mib));
}

TEST(Arena, reuses_chunks_and_gives_pages_back_under_pressure) {
  auto arena = Arena::make(Bytes(4 * k_mib));
  ASSERT_TRUE(arena);
  std::vector<Chunk> chunks;
  while (const auto chunk = (*arena)->allocate(100'000)) chunks.push_back(*chunk);
  EXPECT_EQ(chunks.size(), 4 * k_mib / 102'400);
  for (const Chunk& chunk : chunks) (*arena)->release(chunk, false);
  EXPECT_EQ((*arena)->used(), Bytes(0));
  // Another size now: the free chunks must not stand in the way.
  EXPECT_TRUE((*arena)->charge(Bytes(k_mib)));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE((*arena)->allocate(k_mib));
  EXPECT_FALSE((*arena)->allocate(1));
  EXPECT_FALSE((*arena)->charge(Bytes(1)));
}

}  // namespace
}  // namespace loadline::serve
