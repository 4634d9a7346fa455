#include "engine/block_client.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace loadline::engine {
namespace {

using ::testing::HasSubstr;

bool never() { return false; }

// What becomes of a client stays with its thread.
template <typename Work>
void in_a_thread(const Work& work) {
  std::thread thread(work);
  thread.join();
}

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(BecomeClient, changes_user_and_group_of_its_thread_alone) {
  if (geteuid() != 0) GTEST_SKIP() << "only root may";
  in_a_thread([] {
    plan::BlockIo block;
    block.client = {.user = 65534, .group = 65533};
    ASSERT_TRUE(become_client(block));
    EXPECT_EQ(::syscall(SYS_geteuid), 65534);
    EXPECT_EQ(::syscall(SYS_getegid), 65533);
    const auto again = become_client({.client = {.user = 1}});
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().os_error, EPERM);
    EXPECT_THAT(again.error().what, HasSubstr("run as this user"));
  });
  EXPECT_EQ(geteuid(), 0U);
}

TEST(BecomeClient, sets_the_io_priority_of_its_thread) {
  constexpr int k_of_process = 1;
  in_a_thread([] {
    ASSERT_TRUE(become_client({.client = {.io_class = 2, .io_level = 6}}));
    EXPECT_EQ(::syscall(SYS_ioprio_get, k_of_process, 0), (2 << 13) | 6);
  });
}

TEST(BecomeClient, refuses_lists_that_are_none) {
  in_a_thread([] {
    EXPECT_FALSE(become_client({.cpus = "0-"}));
    EXPECT_FALSE(become_client({.memory = {.place = plan::MemoryPlace::bind, .nodes = "x"}}));
    const auto far = become_client({.memory = {.place = plan::MemoryPlace::bind, .nodes = "999"}});
    ASSERT_FALSE(far);
    EXPECT_THAT(far.error().context, HasSubstr("999"));
  });
}

TEST(LockedMemory, is_locked_or_says_that_it_cannot_be) {
  EXPECT_TRUE(LockedMemory::make(Bytes(65536)));
  EXPECT_FALSE(LockedMemory::make(Bytes(1ULL << 60U)));
}

TEST(ClientCommand, leaves_what_it_says_in_a_file) {
  const std::string file = ::testing::TempDir() + "client.prerun.txt";
  EXPECT_TRUE(run_client_command("echo one && echo two >&2", file, never));
  EXPECT_EQ(text_of(file), "one\ntwo\n");
  const auto failed = run_client_command("exit 4", file, never);
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().message(), HasSubstr("ended with status 4"));
  std::filesystem::remove(file);
}

TEST(ClientCommand, is_ended_when_the_run_is) {
  const std::string file = ::testing::TempDir() + "client.postrun.txt";
  const auto stopped = run_client_command("sleep 100", file, [] { return true; });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace loadline::engine
