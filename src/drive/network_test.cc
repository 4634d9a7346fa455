#include "drive/network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace loadline::drive {
namespace {

using record::InterfaceCounters;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class NetworkTest : public ::testing::Test {
 protected:
  NetworkTest() {
    std::string pattern = ::testing::TempDir() + "network-XXXXXX";
    if (const char* made = ::mkdtemp(pattern.data())) root_ = made;
    std::filesystem::create_directories(root_ / "proc/net");
  }
  ~NetworkTest() override { std::filesystem::remove_all(root_); }

  void counters(const std::string& lines) {
    std::ofstream(root_ / "proc/net/dev")
        << "Inter-|   Receive                            |  Transmit\n"
           " face |bytes    packets errs drop fifo frame compressed multicast|bytes packets\n"
        << lines;
  }
  void speed(const std::string& name, const std::string& text) {
    std::filesystem::create_directories(root_ / "sys/class/net" / name);
    std::ofstream(root_ / "sys/class/net" / name / "speed") << text;
  }

  std::filesystem::path root_;
};

TEST_F(NetworkTest, counts_what_each_interface_has_moved_since) {
  counters(
      "    lo:    1000 1 0 0 0 0 0 0     1000 1 0 0 0 0 0 0\n"
      "  eth0:50000000000 1 0 0 0 0 0 0 7 1 0 0 0 0 0 0\n"
      "  eth1:       5 1 0 0 0 0 0 0        5 1 0 0 0 0 0 0\n");
  speed("eth0", "25000\n");
  speed("eth2", "-1\n");
  const NetworkWatch watch(root_);
  EXPECT_THAT(watch.counted(), IsEmpty());
  counters(
      "    lo:    1300 1 0 0 0 0 0 0     1400 1 0 0 0 0 0 0\n"
      "  eth0:50000000100 1 0 0 0 0 0 0 9 1 0 0 0 0 0 0\n"
      "  eth1:       5 1 0 0 0 0 0 0        5 1 0 0 0 0 0 0\n"
      "  eth2:      11 1 0 0 0 0 0 0       12 1 0 0 0 0 0 0\n");
  EXPECT_THAT(watch.counted(), ElementsAre(InterfaceCounters{"eth0", Bytes(100), Bytes(2), 25'000},
                                           InterfaceCounters{"eth2", Bytes(11), Bytes(12), 0},
                                           InterfaceCounters{"lo", Bytes(300), Bytes(400), 0}));
}

TEST_F(NetworkTest, says_nothing_where_the_system_does_not) {
  EXPECT_THAT(NetworkWatch(root_).counted(), IsEmpty());
  counters("no numbers: here\n");
  EXPECT_THAT(NetworkWatch(root_ / "none").counted(), IsEmpty());
}

}  // namespace
}  // namespace loadline::drive
