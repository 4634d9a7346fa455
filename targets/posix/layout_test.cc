#include "targets/posix/layout.h"

#include <gmock/gmock.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

#include <cerrno>

#include "base/mounts.h"
#include "targets/posix/layout_decision.h"
#include "targets/posix/scratch_test.h"

namespace loadline::targets::posix {
namespace {

using target::ObjectNeed;
using ::testing::HasSubstr;

struct Row {
  std::string what;
  FileState state;
  ObjectNeed need;
  LayoutStep step = LayoutStep::use;
  int error = 0;
  std::string words;
};

ObjectNeed writing(ObjectNeed need) {
  need.writes = true;
  return need;
}
ObjectNeed preallocating() {
  return {.name = "f", .size = Bytes(100), .reads = false, .writes = true, .preallocate = true};
}
ObjectNeed reading() { return need_of("f", 100); }
ObjectNeed forbidden() {
  ObjectNeed need = need_of("f", 100);
  need.may_create = false;
  return need;
}
ObjectNeed read_only() {
  ObjectNeed need = need_of("f", 100);
  need.read_only = true;
  return need;
}

TEST(LayoutDecision, follows_the_table) {
  const FileState missing{};
  const FileState shorter{.kind = FileKind::regular, .size = 50};
  const FileState own{.kind = FileKind::regular, .size = 50, .made_here = true};
  const FileState longer{.kind = FileKind::regular, .size = 200};
  const std::vector<Row> rows{
      {"missing, read", missing, reading(), LayoutStep::fill},
      {"missing, write", missing, preallocating(), LayoutStep::allocate},
      {"long enough", longer, reading(), LayoutStep::use},
      {"long enough for a write", longer, preallocating(), LayoutStep::use},
      {"short, foreign, read", shorter, reading(), {}, EIO, "--create_only=1 or --rw=write"},
      {"short, foreign, read", shorter, reading(), {}, EIO, "it has 50 bytes"},
      {"short, foreign, write", shorter, writing(reading()), LayoutStep::fill},
      {"short, our own, read", own, reading(), LayoutStep::fill},
      {"short, for its name alone",
       shorter,
       {.name = "f", .size = Bytes(100), .reads = false, .lay_out = true}},
      {"short, write", shorter, preallocating(), LayoutStep::allocate},
      {"short, readonly", shorter, read_only(), {}, EROFS, "refusing extend of file"},
      {"missing, readonly", missing, read_only(), {}, ENOENT, "file missing; --readonly"},
      {"write, readonly", longer, writing(read_only()), {}, EROFS, "--readonly forbids"},
      {"missing, not to be made", missing, forbidden(), {}, ENOENT, "allow_file_create=0"},
      {"missing in /dev", {.under_dev = true}, reading(), {}, ENOENT, "no file is made under /dev"},
      {"no size", missing, need_of("f", 0), {}, ENOENT, "--size="},
      {"broken link",
       {.kind = FileKind::broken_link, .link_to = "/mnt/gone"},
       preallocating(),
       {},
       ENOENT,
       "symbolic link to /mnt/gone, which is not there"},
      {"folder", {.kind = FileKind::folder}, reading(), {}, EISDIR, "a folder"},
      {"socket", {.kind = FileKind::other}, reading(), {}, EINVAL, "neither a file nor a device"},
  };
  for (const Row& row : rows) {
    auto layout = decide_layout(row.state, row.need);
    ASSERT_EQ(layout.has_value(), row.error == 0) << row.what;
    if (layout) {
      EXPECT_EQ(layout->step, row.step) << row.what;
    } else {
      EXPECT_EQ(layout.error().os_error, row.error) << row.what;
      EXPECT_THAT(layout.error().what, HasSubstr(row.words)) << row.what;
    }
  }
}

TEST(LayoutDecision, grows_from_the_end_of_what_is_there) {
  auto layout =
      decide_layout({.kind = FileKind::regular, .size = 50, .made_here = true}, reading());
  ASSERT_TRUE(layout.has_value());
  EXPECT_EQ(layout->from, 50U);
  EXPECT_EQ(layout->to, 100U);
}

class Layouts : public ::testing::Test {
 protected:
  Result<std::vector<target::ObjectFacts>> provide(const ObjectNeed& need) {
    const std::vector<ObjectNeed> needs{need};
    return target_->provide(needs, [this](std::size_t files, Bytes bytes) {
      files_ = files;
      bytes_ = bytes;
    });
  }

  TemporaryFolder folder_;
  std::unique_ptr<target::Target> target_ = open_posix({});
  std::size_t files_ = 0;
  Bytes bytes_;
};

TEST_F(Layouts, make_a_missing_file_and_its_folders) {
  auto facts = provide(need_of(folder_.file("a/b/f"), 1'000'001));
  ASSERT_TRUE(facts.has_value()) << facts.error().message();
  EXPECT_EQ((*facts)[0].size, Bytes(1'000'001));
  EXPECT_TRUE((*facts)[0].made);
  EXPECT_TRUE((*facts)[0].laid_out);
  EXPECT_EQ(files_, 1U);
  EXPECT_EQ(bytes_, Bytes(1'000'001));
  const std::string text = read_file(folder_.file("a/b/f"));
  ASSERT_EQ(text.size(), 1'000'001U);
  EXPECT_NE(text.substr(0, 4096), text.substr(262'144, 4096)) << "the data repeats";
}

TEST_F(Layouts, leave_a_foreign_short_file_alone_for_a_read_job) {
  write_file(folder_.file("f"), 8192, 'q');
  auto facts = provide(need_of(folder_.file("f"), 1 << 20));
  ASSERT_FALSE(facts.has_value());
  EXPECT_THAT(facts.error().what, HasSubstr("8KiB (8192 bytes)"));
  EXPECT_THAT(facts.error().what, HasSubstr("1MiB (1048576 bytes)"));
  EXPECT_EQ(read_file(folder_.file("f")), std::string(8192, 'q'));
  EXPECT_EQ(files_, 0U);
}

TEST_F(Layouts, keep_the_data_of_a_file_that_grows) {
  write_file(folder_.file("f"), 8192, 'q');
  auto facts = provide(writing(need_of(folder_.file("f"), 20'000)));
  ASSERT_TRUE(facts.has_value()) << facts.error().message();
  EXPECT_FALSE((*facts)[0].made);
  const std::string text = read_file(folder_.file("f"));
  EXPECT_EQ(text.size(), 20'000U);
  EXPECT_EQ(text.substr(0, 8192), std::string(8192, 'q'));
  EXPECT_EQ(bytes_, Bytes(20'000 - 8192));
}

TEST_F(Layouts, grow_a_file_that_this_target_made) {
  ASSERT_TRUE(provide(need_of(folder_.file("f"), 4096)).has_value());
  auto facts = provide(need_of(folder_.file("f"), 8192));
  ASSERT_TRUE(facts.has_value()) << facts.error().message();
  EXPECT_EQ(std::filesystem::file_size(folder_.file("f")), 8192U);
}

TEST_F(Layouts, write_nothing_where_one_file_of_several_is_refused) {
  write_file(folder_.file("short"), 100);
  const std::vector<ObjectNeed> needs{need_of(folder_.file("new"), 4096),
                                      need_of(folder_.file("short"), 4096)};
  EXPECT_FALSE(target_->provide(needs, {}).has_value());
  EXPECT_FALSE(std::filesystem::exists(folder_.file("new")));
}

TEST_F(Layouts, make_a_file_once_that_is_named_twice) {
  const std::vector<ObjectNeed> needs{need_of(folder_.file("f"), 4096),
                                      need_of(folder_.file("f"), 8192)};
  auto facts = target_->provide(needs, {});
  ASSERT_TRUE(facts.has_value()) << facts.error().message();
  EXPECT_EQ(std::filesystem::file_size(folder_.file("f")), 8192U);
}

TEST_F(Layouts, preallocate_as_they_are_told) {
  for (const std::string how : {"native", "none", "posix", "truncate", "keep"}) {
    target_ = open_posix({{"fallocate", how}});
    ObjectNeed need{.name = folder_.file(how),
                    .size = Bytes(65'536),
                    .reads = false,
                    .writes = true,
                    .preallocate = true};
    auto facts = provide(need);
    ASSERT_TRUE(facts.has_value()) << facts.error().message();
    EXPECT_EQ((*facts)[0].size, Bytes(how == "keep" ? 0 : 65'536)) << how;
    struct stat status{};
    ASSERT_EQ(::stat(need.name.c_str(), &status), 0);
    const bool has_space = how == "native" || how == "posix" || how == "keep";
    EXPECT_EQ(status.st_blocks > 0, has_space) << how;
  }
}

TEST_F(Layouts, make_nothing_under_dev) {
  auto facts = provide(need_of("/dev/loadline_test_no_such_device", 4096));
  ASSERT_FALSE(facts.has_value());
  EXPECT_EQ(facts.error().os_error, ENOENT);
  EXPECT_FALSE(std::filesystem::exists("/dev/loadline_test_no_such_device"));
}

TEST_F(Layouts, refuse_folders_and_sockets) {
  EXPECT_FALSE(provide(need_of(folder_.path(), 4096)).has_value());
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{.sun_family = AF_UNIX};
  const std::string path = folder_.file("socket");
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  ASSERT_EQ(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_FALSE(provide(need_of(path, 4096)).has_value());
  ::close(fd);
}

TEST_F(Layouts, refuse_to_write_to_the_device_below_a_mounted_file_system) {
  struct stat status{};
  ASSERT_EQ(::stat("/", &status), 0);
  const DeviceNumber root{major(status.st_dev), minor(status.st_dev)};
  std::string device;
  for (const auto& entry : std::filesystem::directory_iterator("/dev")) {
    if (::stat(entry.path().c_str(), &status) == 0 && S_ISBLK(status.st_mode) &&
        DeviceNumber{major(status.st_rdev), minor(status.st_rdev)} == root) {
      device = entry.path();
    }
  }
  if (device.empty()) GTEST_SKIP() << "the root file system has no device here";
  auto facts = provide({.name = device, .reads = false, .writes = true});
  ASSERT_FALSE(facts.has_value());
  EXPECT_THAT(facts.error().message(), HasSubstr("mounted at /"));
  auto reading_it = provide({.name = device});
  if (!reading_it && reading_it.error().code == ErrorCode::denied) GTEST_SKIP() << "not root";
  ASSERT_TRUE(reading_it.has_value()) << reading_it.error().message();
  EXPECT_GT((*reading_it)[0].size, Bytes(0));
}

TEST_F(Layouts, say_when_the_space_is_used_up) {
  // A file system of 1 MiB that this process alone sees.
  if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, "") != 0 ||
      ::mount("none", folder_.path().c_str(), "tmpfs", 0, "size=1m") != 0) {
    GTEST_SKIP() << "cannot mount: " << errno_text(errno);
  }
  write_file(folder_.file("old"), 8192, 'q');
  auto made = provide(need_of(folder_.file("new"), 2 << 20));
  auto grown = provide(writing(need_of(folder_.file("old"), 2 << 20)));
  EXPECT_FALSE(std::filesystem::exists(folder_.file("new"))) << "half a file stayed";
  EXPECT_EQ(read_file(folder_.file("old")), std::string(8192, 'q'));
  ::umount(folder_.path().c_str());
  for (const auto* facts : {&made, &grown}) {
    ASSERT_FALSE(facts->has_value());
    EXPECT_EQ(facts->error().os_error, ENOSPC);
    EXPECT_EQ(facts->error().what, "ENOSPC on laying out file, stopping");
  }
}

TEST_F(Layouts, take_the_devices_that_are_always_there) {
  auto facts = provide({.name = "/dev/zero", .size = Bytes(1 << 20), .lay_out = true});
  ASSERT_TRUE(facts.has_value()) << facts.error().message();
  EXPECT_EQ((*facts)[0].size, Bytes(1 << 20));
}

}  // namespace
}  // namespace loadline::targets::posix
