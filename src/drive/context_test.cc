#include "drive/context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "drive/build_info.h"

namespace loadline::drive {
namespace {

namespace fs = std::filesystem;

// A made-up host below a folder of the test's own.
class Host : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(testing::TempDir()) / "loadline_context_test";
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& file, const std::string& text) {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  std::map<std::string, std::string> gathered() const {
    const auto context = gather_context(root_);
    return {context.begin(), context.end()};
  }

  fs::path root_;
};

TEST(Context, of_this_host_has_no_empty_text_and_no_name_twice) {
  const auto context = gather_context();
  std::vector<std::string> names;
  for (const auto& [name, value] : context) {
    EXPECT_FALSE(name.empty());
    EXPECT_FALSE(value.empty()) << name;
    EXPECT_EQ(value.find('\n'), std::string::npos) << name;
    names.push_back(name);
  }
  std::ranges::sort(names);
  EXPECT_TRUE(std::ranges::adjacent_find(names) == names.end());
  EXPECT_GE(context.size(), 17U);
}

TEST_F(Host, that_says_nothing_is_unknown_not_empty) {
  for (const auto& [name, value] : gathered()) EXPECT_FALSE(value.empty()) << name;
  EXPECT_EQ(gathered()["cpu"], "unknown");
  EXPECT_EQ(gathered()["memory"], "unknown");
  EXPECT_EQ(gathered()["cpu governor"], "none");
  EXPECT_EQ(gathered()["container"], "none");
  EXPECT_EQ(gathered()["cpu limit"], "none");
}

TEST_F(Host, is_described_from_its_files) {
  write("proc/cpuinfo",
        "processor\t: 0\nmodel name\t: AMD EPYC 7763\nflags\t\t: fpu hypervisor sse2\n");
  write("proc/meminfo", "MemTotal:       24000000 kB\nMemAvailable:   20000000 kB\n");
  write("proc/loadavg", "0.31 0.20 0.10 1/123 4567\n");
  write("etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n");
  write("sys/devices/system/cpu/online", "0-7\n");
  write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
  write("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n");
  write("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
  write("sys/class/dmi/id/sys_vendor", "QEMU\n");
  write(".dockerenv", "");
  auto context = gathered();
  EXPECT_EQ(context["cpu"], "AMD EPYC 7763");
  EXPECT_THAT(context["cpus"], testing::HasSubstr("usable, online: 0-7"));
  EXPECT_EQ(context["memory"], "24.6 GB, 20.5 GB available");
  EXPECT_EQ(context["system"], "Debian GNU/Linux 12 (bookworm)");
  EXPECT_EQ(context["cpu governor"], "performance, powersave");
  EXPECT_EQ(context["clock source"], "tsc");
  EXPECT_EQ(context["machine"], "QEMU, virtual");
  EXPECT_EQ(context["container"], "docker");
  EXPECT_EQ(context["load average"], "0.31 0.20 0.10 1/123 4567");
}

TEST_F(Host, shows_interfaces_that_are_not_down) {
  write("sys/class/net/eth0/operstate", "up\n");
  write("sys/class/net/eth0/speed", "25000\n");
  write("sys/class/net/eth0/mtu", "9000\n");
  fs::create_directories(root_ / "sys/class/net/eth0/device");
  fs::create_symlink("../../bus/drivers/mlx5_core", root_ / "sys/class/net/eth0/device/driver");
  write("sys/class/net/eth1/operstate", "down\n");
  write("sys/class/net/lo/operstate", "unknown\n");
  write("sys/class/net/tun0/operstate", "unknown\n");
  write("sys/class/net/tun0/speed", "-1\n");
  auto context = gathered();
  EXPECT_EQ(context["network eth0"], "up, 25000 Mbit/s, mtu 9000, driver mlx5_core");
  EXPECT_EQ(context["network tun0"], "unknown, speed unknown");
  EXPECT_EQ(context.count("network eth1"), 0U);
  EXPECT_EQ(context.count("network lo"), 0U);
}

TEST_F(Host, limits_come_from_either_version_of_cgroups) {
  write("proc/self/cgroup", "0::/jobs/a\n");
  write("sys/fs/cgroup/jobs/a/cpu.max", "150000 100000\n");
  write("sys/fs/cgroup/jobs/a/memory.max", "2000000000\n");
  EXPECT_EQ(gathered()["cpu limit"], "1.50 CPUs");
  EXPECT_EQ(gathered()["memory limit"], "2.0 GB");

  write("sys/fs/cgroup/jobs/a/cpu.max", "max 100000\n");
  write("sys/fs/cgroup/jobs/a/memory.max", "max\n");
  EXPECT_EQ(gathered()["cpu limit"], "none");
  EXPECT_EQ(gathered()["memory limit"], "none");

  fs::remove_all(root_ / "sys");
  write("proc/self/cgroup", "4:memory:/b\n3:cpu,cpuacct:/b\n");
  write("sys/fs/cgroup/cpu/b/cpu.cfs_quota_us", "50000\n");
  write("sys/fs/cgroup/cpu/b/cpu.cfs_period_us", "100000\n");
  write("sys/fs/cgroup/memory/b/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(gathered()["cpu limit"], "0.50 CPUs");
  EXPECT_EQ(gathered()["memory limit"], "none");
  write("sys/fs/cgroup/memory/b/memory.limit_in_bytes", "512000000\n");
  EXPECT_EQ(gathered()["memory limit"], "0.5 GB");
}

TEST(BuildInfo, knows_its_version_commit_and_compiler) {
  const BuildInfo info = build_info();
  EXPECT_THAT(info.version, testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
  EXPECT_FALSE(info.commit.empty());
  EXPECT_THAT(info.compiler,
              testing::AnyOf(testing::StartsWith("g++ "), testing::StartsWith("clang ")));
  EXPECT_THAT(info.release(), testing::StartsWith(info.version + " (commit "));
  EXPECT_THAT(info.how(), testing::HasSubstr(info.compiler));
}

}  // namespace
}  // namespace loadline::drive
