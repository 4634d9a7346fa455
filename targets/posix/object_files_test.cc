// Objects as files: the conformance suite, and what it does not ask.
#include "targets/posix/object_files.h"

#include <cerrno>

#include "target/conformance.h"
#include "targets/posix/scratch_test.h"

namespace loadline::target {
namespace {

OpenStorage open_with(targets::posix::Settings settings) {
  auto folder = std::make_unique<targets::posix::TemporaryFolder>();
  settings.emplace_back("root", folder->path());
  auto target = targets::posix::open_posix(settings);
  return {.server = std::move(folder), .target = std::move(target)};
}

OpenStorage open_buffered() { return open_with({}); }
OpenStorage open_direct() { return open_with({{"direct", "true"}}); }
OpenStorage open_uring() { return open_with({{"engine", "io_uring"}}); }
OpenStorage open_libaio() { return open_with({{"engine", "libaio"}}); }

INSTANTIATE_TEST_SUITE_P(Posix, ConformanceTest, ::testing::Values(open_buffered));
INSTANTIATE_TEST_SUITE_P(PosixDirect, ConformanceTest, ::testing::Values(open_direct));
INSTANTIATE_TEST_SUITE_P(PosixUring, ConformanceTest, ::testing::Values(open_uring));
INSTANTIATE_TEST_SUITE_P(PosixLibaio, ConformanceTest, ::testing::Values(open_libaio));

}  // namespace
}  // namespace loadline::target

namespace loadline::targets::posix {
namespace {

using target::Completion;
using target::Op;
using target::OpKind;
using target::Outcome;

TEST(SafeName, stays_below_its_folder) {
  for (const std::string_view good : {"a", "a/b", "..a", "a..", "a/...", "with space", "~x"}) {
    EXPECT_TRUE(is_safe_name(good)) << good;
  }
  for (const std::string_view bad :
       {std::string_view(""), std::string_view("/a"), std::string_view("a/"),
        std::string_view("a//b"), std::string_view(".."), std::string_view("a/../b"),
        std::string_view("./a"), std::string_view("a/.."), std::string_view("a\0b", 3)}) {
    EXPECT_FALSE(is_safe_name(bad)) << bad;
  }
}

class Objects : public ::testing::Test {
 protected:
  Objects() : target_(open_posix({{"root", folder_.path()}})) {
    auto session = target_->open_session({.clock = &clock_, .seed = 1});
    EXPECT_TRUE(session.has_value());
    session_ = std::move(*session);
    pool_.resize(4096, std::byte{'z'});
  }
  Completion perform(const Op& op) {
    EXPECT_EQ(session_->submit(op), target::Submitted::accepted);
    std::vector<Completion> done(1);
    EXPECT_EQ(session_->reap(done, clock_.now()), 1U);
    return done[0];
  }
  Outcome write(std::string_view container, std::string_view object) {
    return perform({.kind = OpKind::write,
                    .container = container,
                    .object = object,
                    .payload = target::Payload(Bytes(10'000), pool_, 0)})
        .outcome;
  }

  SteadyClock clock_;
  TemporaryFolder folder_;
  std::unique_ptr<target::Target> target_;
  std::unique_ptr<target::Session> session_;
  std::vector<std::byte> pool_;
};

TEST_F(Objects, never_leave_the_root) {
  ASSERT_EQ(perform({.kind = OpKind::create_container, .container = "c"}).outcome, Outcome::ok);
  EXPECT_EQ(write("c", "../../escaped"), Outcome::invalid);
  EXPECT_EQ(write("..", "escaped"), Outcome::invalid);
  EXPECT_EQ(write("/tmp", "escaped"), Outcome::invalid);
  EXPECT_EQ(perform({.kind = OpKind::remove_container, .container = ".."}).outcome,
            Outcome::invalid);
}

TEST_F(Objects, of_a_missing_container_are_not_found) {
  EXPECT_EQ(write("none", "o"), Outcome::not_found);
  EXPECT_EQ(perform({.kind = OpKind::list, .container = "none"}).outcome, Outcome::not_found);
  EXPECT_EQ(perform({.kind = OpKind::remove, .container = "none", .object = "o"}).outcome,
            Outcome::not_found);
}

TEST_F(Objects, leave_no_temporary_names_and_go_with_their_folders) {
  ASSERT_EQ(perform({.kind = OpKind::create_container, .container = "c"}).outcome, Outcome::ok);
  ASSERT_EQ(write("c", "a/b/o"), Outcome::ok);
  ASSERT_EQ(write("c", "a/b/o"), Outcome::ok) << "overwritten";
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.file("c"))) {
    if (entry.is_regular_file()) ++files;
  }
  EXPECT_EQ(files, 1U);
  EXPECT_EQ(perform({.kind = OpKind::remove_container, .container = "c"}).outcome,
            Outcome::not_empty);
  EXPECT_EQ(perform({.kind = OpKind::remove, .container = "c", .object = "a/b/o"}).outcome,
            Outcome::ok);
  // What an interrupted run left behind.
  write_file(folder_.file("c/a/.loadline-0123-4"), 5);
  EXPECT_EQ(perform({.kind = OpKind::list, .container = "c"}).items, 0U);
  EXPECT_EQ(perform({.kind = OpKind::remove_container, .container = "c"}).outcome, Outcome::ok);
  EXPECT_FALSE(std::filesystem::exists(folder_.file("c")));
}

TEST_F(Objects, are_renamed_into_folders_that_are_there) {
  perform({.kind = OpKind::create_container, .container = "c"});
  perform({.kind = OpKind::write, .container = "c", .object = "o"});
  const auto rename = [&](std::string_view from, std::string_view to) {
    return perform({.kind = OpKind::rename, .container = "c", .object = from, .new_object = to})
        .outcome;
  };
  EXPECT_EQ(rename("o", "d/o"), Outcome::not_found);
  EXPECT_EQ(rename("o", "../o"), Outcome::invalid);
  perform({.kind = OpKind::make_folder, .container = "c", .object = "d"});
  EXPECT_EQ(rename("o", "d/o"), Outcome::ok);
  perform({.kind = OpKind::write, .container = "c", .object = "o"});
  EXPECT_EQ(rename("o", "d/o"), Outcome::exists) << "nothing is replaced";
}

TEST_F(Objects, leave_a_folder_that_holds_something) {
  perform({.kind = OpKind::create_container, .container = "c"});
  perform({.kind = OpKind::write, .container = "c", .object = "d/o"});
  EXPECT_EQ(perform({.kind = OpKind::remove, .container = "c", .object = "d"}).outcome,
            Outcome::ok);
  EXPECT_EQ(perform({.kind = OpKind::head, .container = "c", .object = "d/o"}).outcome,
            Outcome::ok);
}

TEST_F(Objects, end_short_where_a_range_goes_past_their_end) {
  ASSERT_EQ(perform({.kind = OpKind::create_container, .container = "c"}).outcome, Outcome::ok);
  ASSERT_EQ(write("c", "o"), Outcome::ok);
  const Completion done = perform({.kind = OpKind::read,
                                   .container = "c",
                                   .object = "o",
                                   .range = target::ByteRange{Bytes(9'000), Bytes(2'000)}});
  EXPECT_EQ(done.outcome, Outcome::short_transfer);
  EXPECT_EQ(done.bytes, Bytes(1'000));
}

TEST_F(Objects, need_their_root_before_the_run) {
  const std::vector<std::string> containers{"c"};
  EXPECT_FALSE(target_->preflight(containers, {}).has_value()) << "the container is missing";
  EXPECT_TRUE(target_->preflight(containers, containers).has_value());
  EXPECT_TRUE(target_->preflight({}, {}).has_value());
  EXPECT_FALSE(open_posix({})->preflight(containers, {}).has_value()) << "no root";
  EXPECT_FALSE(open_posix({{"root", "/no/such/root"}})->preflight({}, containers).has_value());
}

TEST(Config, names_the_parameter_that_is_wrong) {
  for (const auto& [key, value] : Settings{{"engine", "psink"},
                                           {"direct", "maybe"},
                                           {"sync", "2"},
                                           {"fallocate", "yes"},
                                           {"fadvise", "2"},
                                           {"hipri_percentage", "101"}}) {
    target::Parameters parameters;
    parameters.set(key, value);
    const auto config = read_config(parameters);
    ASSERT_FALSE(config.has_value()) << key;
    EXPECT_EQ(config.error().context, key);
  }
  target::Parameters polled;
  polled.set("engine", "io_uring");
  polled.set("hipri", "1");
  EXPECT_FALSE(read_config(polled).has_value()) << "without direct=1";
}

}  // namespace
}  // namespace loadline::targets::posix
