#include "engine/hash_trailer.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/content.h"

namespace loadline::engine {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::string object_of(const std::string& body) {
  Md5 md5;
  const HashTrailer trailer =
      hash_trailer_of(md5, target::Payload(Bytes(body.size()), bytes_of(body), 0));
  return body + std::string(reinterpret_cast<const char*>(trailer.data()), trailer.size());
}

HashSink::Verdict check(std::string_view object, std::size_t piece) {
  HashSink sink;
  sink.restart();
  for (std::size_t at = 0; at < object.size(); at += piece) {
    sink.consume(bytes_of(object.substr(at, piece)));
  }
  return sink.verdict();
}

TEST(HashTrailer, is_the_md5_between_marks) {
  EXPECT_EQ(object_of("hello").substr(5), "!!!!5d41402abc4b2a76b9719d911017c592!!!!");
}

TEST(HashSink, finds_an_object_intact_however_it_arrives) {
  const std::string object = object_of(std::string(1000, 'x'));
  for (const std::size_t piece : {1UL, 7UL, 39UL, 40UL, 41UL, 500UL, 2000UL}) {
    EXPECT_EQ(check(object, piece), HashSink::Verdict::intact) << piece;
  }
}

TEST(HashSink, finds_a_flipped_byte) {
  std::string object = object_of(std::string(1000, 'x'));
  object[500] = 'y';
  EXPECT_EQ(check(object, 64), HashSink::Verdict::mismatch);
}

TEST(HashSink, takes_objects_without_a_trailer_as_they_are) {
  EXPECT_EQ(check(std::string(1000, 'x'), 64), HashSink::Verdict::no_trailer);
  EXPECT_EQ(check("short", 64), HashSink::Verdict::no_trailer);
}

TEST(ContentPool, gives_payloads_of_the_size_asked_for) {
  const ContentPool pool(3);
  Rng rng(1);
  const target::Payload payload = pool.payload(plan::Content::random, Bytes(3'000'000), rng);
  std::uint64_t total = 0;
  for (auto run = payload.at(Bytes(total)); !run.empty(); run = payload.at(Bytes(total))) {
    total += run.size();
  }
  EXPECT_EQ(total, 3'000'000U);
}

}  // namespace
}  // namespace loadline::engine
