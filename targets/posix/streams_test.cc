// Whole files as streams: opened to be replaced or appended to, listed, cut, counted.
#include <cerrno>

#include "targets/posix/object_files.h"
#include "targets/posix/scratch_test.h"

namespace loadline::targets::posix {
namespace {

using target::Completion;
using target::Op;
using target::OpenMode;
using target::OpKind;
using target::Outcome;

constexpr std::size_t k_block = 4096;
constexpr OpenMode k_replace{.read = false, .write = true, .create = true, .replace = true};
constexpr OpenMode k_append{.read = false, .write = true, .append = true};

class Streams : public ::testing::TestWithParam<std::string> {
 protected:
  Streams() { open({{"engine", GetParam()}, {"root", folder_.path()}}); }

  void open(Settings settings) {
    target_ = open_posix(std::move(settings));
    auto session = target_->open_session({.clock = &clock_, .seed = 1});
    ASSERT_TRUE(session.has_value()) << session.error().message();
    session_ = std::move(*session);
    ASSERT_TRUE(session_->use_memory(memory_.all()).has_value());
  }
  Completion perform(const Op& op) {
    EXPECT_EQ(session_->submit(op), target::Submitted::accepted);
    Completion completion;
    while (session_->reap({&completion, 1}, clock_.now() + Duration::seconds(1)) == 0) {
    }
    return completion;
  }
  Completion move(OpKind kind, target::ObjectHandle handle, std::uint64_t offset,
                  std::size_t length) {
    return perform({.kind = kind,
                    .range = target::ByteRange{Bytes(offset), Bytes(length)},
                    .handle = handle,
                    .memory = memory_.all().first(length)});
  }
  target::OpenedObject opened(const std::string& name, const OpenMode& mode) {
    auto object = session_->open_object(name, mode);
    EXPECT_TRUE(object.has_value()) << object.error().message();
    return object ? *object : target::OpenedObject{};
  }
  void close(target::ObjectHandle handle) {
    EXPECT_TRUE(session_->close_object(handle).has_value());
  }

  SteadyClock clock_;
  TemporaryFolder folder_;
  AlignedMemory memory_{2 * k_block};
  std::unique_ptr<target::Target> target_;
  std::unique_ptr<target::Session> session_;
};

TEST_P(Streams, replace_what_was_there_and_make_folders_on_the_way) {
  const auto first = opened("a/b/f0", k_replace);
  EXPECT_EQ(move(OpKind::write, first.handle, 0, k_block).bytes, Bytes(k_block));
  close(first.handle);
  const auto second = opened("a/b/f0", k_replace);
  EXPECT_EQ(second.size, Bytes());
  EXPECT_EQ(move(OpKind::write, second.handle, 0, 100).bytes, Bytes(100));
  close(second.handle);
  EXPECT_EQ(read_file(folder_.file("a/b/f0")).size(), 100U);
}

TEST_P(Streams, append_behind_what_is_there_whatever_the_range_says) {
  EXPECT_FALSE(session_->open_object("f0", k_append).has_value());
  write_file(folder_.file("f0"), 1000);
  const auto object = opened("f0", k_append);
  EXPECT_EQ(object.size, Bytes(1000));
  EXPECT_EQ(move(OpKind::write, object.handle, 0, 50).outcome, Outcome::ok);
  EXPECT_EQ(move(OpKind::write, object.handle, 0, 50).outcome, Outcome::ok);
  close(object.handle);
  EXPECT_EQ(read_file(folder_.file("f0")), std::string(1000, 'x') + std::string(100, '\0'));
}

TEST_P(Streams, end_where_the_file_ends) {
  write_file(folder_.file("f0"), k_block + 10);
  const auto object = opened("f0", {});
  EXPECT_EQ(object.size, Bytes(k_block + 10));
  const Completion part = move(OpKind::read, object.handle, k_block, k_block);
  EXPECT_EQ(part.outcome, Outcome::ok);
  EXPECT_EQ(part.bytes, Bytes(10));
  const Completion past = move(OpKind::read, object.handle, k_block + 10, k_block);
  EXPECT_EQ(past.outcome, Outcome::ok);
  EXPECT_EQ(past.bytes, Bytes());
  close(object.handle);
}

TEST_P(Streams, are_cut_without_being_opened_for_writing) {
  write_file(folder_.file("f0"), 1000);
  const auto object = opened("f0", {});
  EXPECT_EQ(perform({.kind = OpKind::truncate,
                     .range = target::ByteRange{Bytes(300), Bytes()},
                     .handle = object.handle})
                .outcome,
            Outcome::ok);
  close(object.handle);
  EXPECT_EQ(read_file(folder_.file("f0")).size(), 300U);
}

TEST_P(Streams, are_listed_and_removed_by_name) {
  std::filesystem::create_directories(folder_.file("d/sub"));
  write_file(folder_.file("d/f0"), 1);
  write_file(folder_.file("d/g0"), 1);
  auto names = session_->list_names("d", "");
  ASSERT_TRUE(names.has_value());
  std::ranges::sort(*names);
  EXPECT_EQ(*names, (std::vector<std::string>{"f0", "g0", "sub"}));
  EXPECT_EQ(session_->list_names("d", "f").value(), std::vector<std::string>{"f0"});
  const auto missing = session_->list_names("none", "");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_EQ(perform({.kind = OpKind::remove, .container = "d", .object = "f0"}).outcome,
            Outcome::ok);
  EXPECT_FALSE(std::filesystem::exists(folder_.file("d/f0")));
  EXPECT_EQ(perform({.kind = OpKind::remove_container, .container = "d"}).outcome,
            Outcome::not_empty);
}

TEST_P(Streams, stay_below_the_root) {
  for (const char* name : {"../f", "a/../../f", "", "/", "/f"}) {
    const auto object = session_->open_object(name, k_replace);
    ASSERT_FALSE(object.has_value()) << name;
    EXPECT_EQ(object.error().code, ErrorCode::bad_input);
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, Streams, ::testing::Values("psync", "sync", "pvsync2", "libaio"));

TEST(ContentSummary, counts_what_lies_below_a_path) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.file("a/b/c"));
  write_file(folder.file("a/x"), 100);
  write_file(folder.file("a/b/y"), 20);
  const auto target = open_posix({{"root", folder.path()}});
  const auto all = target->content_summary("a");
  ASSERT_TRUE(all.has_value()) << all.error().message();
  EXPECT_EQ(*all, (target::ContentSummary{.folders = 3, .files = 2, .bytes = Bytes(120)}));
  EXPECT_EQ(target->content_summary("")->folders, 4U);
  EXPECT_EQ(target->content_summary("a/x")->files, 1U);
  EXPECT_EQ(target->content_summary("a/x")->folders, 0U);
  const auto missing = target->content_summary("none");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
}

TEST(StreamPreflight, asks_whether_folders_can_be_made_where_they_are_missing) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.file("open"));
  const auto target = open_posix({{"root", folder.path()}});
  const std::vector<std::string> deep = {"open/x/y"};
  EXPECT_TRUE(target->preflight(deep, deep).has_value());
  EXPECT_FALSE(target->preflight(deep, {}).has_value());
  write_file(folder.file("open/file"), 1);
  const std::vector<std::string> below_a_file = {"open/file/y"};
  EXPECT_FALSE(target->preflight(below_a_file, below_a_file).has_value());
}

}  // namespace
}  // namespace loadline::targets::posix
