#include "engine/block_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

namespace loadline::engine {
namespace {

using plan::MemoryKind;
using ::testing::HasSubstr;

constexpr std::size_t k_bytes = 300'000;

bool lies_at(const BlockMemory& memory, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(memory.bytes().data()) % alignment == 0;
}

TEST(BlockMemory, lies_where_it_is_to_lie) {
  for (const std::size_t alignment :
       {std::size_t{4096}, std::size_t{65536}, std::size_t{1} << 22U}) {
    const auto memory = BlockMemory::make({}, k_bytes, alignment);
    ASSERT_TRUE(memory);
    EXPECT_TRUE(lies_at(*memory, alignment));
    ASSERT_EQ(memory->bytes().size(), k_bytes);
    std::memset(memory->bytes().data(), 1, k_bytes);
  }
}

TEST(BlockMemory, is_a_file_that_is_long_enough) {
  const std::string path = ::testing::TempDir() + "block_memory";
  std::filesystem::remove(path);
  {
    const auto memory =
        BlockMemory::make({.kind = MemoryKind::file, .file = path, .shared = true}, k_bytes, 4096);
    ASSERT_TRUE(memory);
    std::memset(memory->bytes().data(), 'x', k_bytes);
  }
  EXPECT_GE(std::filesystem::file_size(path), k_bytes);
  EXPECT_EQ(std::ifstream(path).get(), 'x');
  std::filesystem::remove(path);
}

TEST(BlockMemory, says_how_many_huge_pages_are_missing) {
  const auto memory =
      BlockMemory::make({.kind = MemoryKind::huge_pages}, std::size_t{1} << 50U, 4096);
  ASSERT_FALSE(memory);
  EXPECT_THAT(memory.error().what, HasSubstr("/proc/sys/vm/nr_hugepages"));
  EXPECT_THAT(memory.error().what, HasSubstr("at least 536870912"));
}

TEST(BlockMemory, refuses_a_file_that_cannot_be_opened) {
  const auto memory =
      BlockMemory::make({.kind = MemoryKind::file, .file = "/no/such/file"}, k_bytes, 4096);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().os_error, ENOENT);
}

}  // namespace
}  // namespace loadline::engine
