#include "base/output_path.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "base/device_use.h"
#include "base/mounts.h"

namespace loadline {
namespace {

using ::testing::HasSubstr;

class OutputPath : public ::testing::Test {
 protected:
  ~OutputPath() override { std::filesystem::remove(link_); }

  const std::string link_ = ::testing::TempDir() + "loadline_output_path_link";
};

TEST_F(OutputPath, takes_files_and_what_is_no_storage) {
  for (const char* path : {"/dev/null", "/dev/stderr", "/dev/fd/2", "/dev/shm/loadline_new_file",
                           "loadline_new_file", "/no/such/folder/file"}) {
    EXPECT_TRUE(may_be_output(path)) << path;
  }
}

TEST_F(OutputPath, makes_nothing_under_dev) {
  std::filesystem::create_symlink("/dev/loadline_no_such", link_);
  for (const std::string& path :
       {std::string("/dev/loadline_no_such"), std::string("/dev/no/such/folder"),
        std::string("/tmp/../dev/loadline_no_such"), link_}) {
    const auto allowed = may_be_output(path);
    ASSERT_FALSE(allowed) << path;
    EXPECT_THAT(allowed.error().message(), HasSubstr(path + ": would be a new file under /dev"));
  }
}

TEST_F(OutputPath, follows_links_that_lead_to_nothing) {
  std::filesystem::create_symlink("loadline_not_there", link_);
  EXPECT_EQ(real_path(link_), real_path(::testing::TempDir()) + "/loadline_not_there");
  std::filesystem::remove(link_);
  std::filesystem::create_symlink(link_, link_);
  EXPECT_EQ(real_path(link_), "");
}

TEST(DeviceWrites, need_the_option_whatever_the_device_is_used_for) {
  EXPECT_TRUE(may_write("/dev/x", {.mounted_at = "/", .allow_mounted = true}).has_value());
  for (const auto& [use, words] : std::vector<std::pair<DeviceUse, std::string>>{
           {{.mounted_at = "/"}, "mounted at /"},
           {{.part_mounted = "/dev/x1, mounted at /boot"}, "/boot"},
           {{.whole_mounted = "/data"}, "/data"},
           {{.holder = "dm-0"}, "dm-0"},
           {{.swap = true}, "swap"},
           {{.held = true}, "kernel"},
           {{}, "raw device"}}) {
    auto allowed = may_write("/dev/x", use);
    ASSERT_FALSE(allowed.has_value()) << words;
    EXPECT_THAT(allowed.error().what, HasSubstr(words));
    EXPECT_THAT(allowed.error().what, HasSubstr("allow_mounted_write=1 permits"));
  }
}

TEST(DeviceWrites, are_no_matter_of_files) {
  EXPECT_TRUE(may_write_device("/dev/null", false));
  EXPECT_TRUE(may_write_device("/no/such/file", false));
}

}  // namespace
}  // namespace loadline
