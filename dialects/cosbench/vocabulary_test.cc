#include "dialects/cosbench/vocabulary.h"

#include <gtest/gtest.h>

namespace loadline::dialects::cosbench {
namespace {

TEST(Vocabulary, measures_typing_mistakes) {
  EXPECT_EQ(edit_distance("read", "read"), 0U);
  EXPECT_EQ(edit_distance("hashcheck", "hashCheck"), 0U);
  EXPECT_EQ(edit_distance("raed", "read"), 1U);
  EXPECT_EQ(edit_distance("wirte", "write"), 1U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
}

TEST(Vocabulary, suggests_only_near_words) {
  const auto types = operation_type_names();
  EXPECT_EQ(nearest("raed", types), "read");
  EXPECT_EQ(nearest("wirte", types), "write");
  EXPECT_EQ(nearest("frobnicate", types), std::nullopt);
  EXPECT_EQ(nearest("", types), std::nullopt);
  EXPECT_EQ(suggestion("swfit", storage_types()), "; did you mean 'swift'?");
  EXPECT_EQ(nearest("container", operation_keys()), "containers");
}

TEST(Vocabulary, maps_the_branch_adapters_to_s3) {
  EXPECT_EQ(target_of_storage("siov2"), "s3");
  EXPECT_EQ(target_of_storage("gdas"), "s3");
  EXPECT_EQ(target_of_storage("swift"), "swift");
}

TEST(Vocabulary, enumerates_as_people_do) {
  const std::string_view words[] = {"mock", "none", "s3"};
  EXPECT_EQ(enumerate(words), "mock, none and s3");
  EXPECT_EQ(enumerate({words, 1}), "mock");
}

}  // namespace
}  // namespace loadline::dialects::cosbench
