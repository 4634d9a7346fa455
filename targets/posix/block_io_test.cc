// Reads, writes and the rest by handle, on every engine.
#include <cerrno>
#include <cstring>

#include "targets/posix/scratch_test.h"

namespace loadline::targets::posix {
namespace {

using target::Completion;
using target::ObjectHandle;
using target::Op;
using target::OpKind;
using target::Outcome;
using target::Submitted;

constexpr std::uint32_t k_slots = 8;
constexpr std::size_t k_block = 4096;

struct Case {
  std::string name;
  Settings settings;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class BlockIo : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override { open(); }

  void open(std::uint32_t reap_min = 1) {
    session_.reset();
    target_ = open_posix(GetParam().settings);
    auto session = target_->open_session(
        {.slots = k_slots, .clock = &clock_, .seed = 1, .reap_min = reap_min});
    if (!session && session.error().code == ErrorCode::unsupported) {
      GTEST_SKIP() << session.error().message();
    }
    ASSERT_TRUE(session.has_value()) << session.error().message();
    session_ = std::move(*session);
    ASSERT_TRUE(session_->use_memory(memory_.all()).has_value());
  }

  ObjectHandle open_file(const std::string& name, bool write) {
    auto opened = session_->open_object(name, {.read = true, .write = write, .create = write});
    EXPECT_TRUE(opened.has_value()) << opened.error().message();
    return opened ? opened->handle : target::k_no_object;
  }
  Op block(OpKind kind, ObjectHandle handle, std::uint32_t slot, std::uint64_t offset,
           std::size_t length = k_block) {
    return {.kind = kind,
            .slot = slot,
            .range = target::ByteRange{Bytes(offset), Bytes(length)},
            .handle = handle,
            .memory = memory_.all().subspan(slot * k_block, length)};
  }
  Completion perform(const Op& op) {
    EXPECT_EQ(session_->submit(op), Submitted::accepted);
    return reap_one();
  }
  Completion reap_one() {
    std::vector<Completion> one(1);
    const Instant give_up = clock_.now() + Duration::seconds(10);
    while (clock_.now() < give_up) {
      if (session_->reap(one, give_up) > 0) return one[0];
    }
    ADD_FAILURE() << "nothing was completed";
    return {.outcome = Outcome::timeout};
  }
  std::span<std::byte> slot(std::uint32_t i) { return memory_.all().subspan(i * k_block, k_block); }

  SteadyClock clock_;
  TemporaryFolder folder_;
  AlignedMemory memory_{k_slots * k_block};
  std::unique_ptr<target::Target> target_;
  std::unique_ptr<target::Session> session_;
};

TEST_P(BlockIo, reads_back_what_it_wrote_in_every_slot) {
  write_file(folder_.file("f"), k_slots * k_block);
  const ObjectHandle handle = open_file(folder_.file("f"), true);
  for (std::uint32_t i = 0; i < k_slots; ++i) {
    std::memset(slot(i).data(), static_cast<int>('a' + i), k_block);
    ASSERT_EQ(session_->submit(block(OpKind::write, handle, i, i * k_block)), Submitted::accepted);
  }
  EXPECT_EQ(session_->submit(block(OpKind::write, handle, 0, 0)), Submitted::full);
  std::uint32_t seen = 0;
  for (std::uint32_t i = 0; i < k_slots; ++i) {
    const Completion done = reap_one();
    EXPECT_EQ(done.outcome, Outcome::ok) << done.detail;
    EXPECT_EQ(done.bytes, Bytes(k_block));
    seen |= 1U << done.slot;
  }
  EXPECT_EQ(seen, 0xffU);
  EXPECT_EQ(perform({.kind = OpKind::sync, .handle = handle}).outcome, Outcome::ok);
  EXPECT_EQ(perform({.kind = OpKind::sync_data, .handle = handle}).outcome, Outcome::ok);
  const std::string text = read_file(folder_.file("f"));
  ASSERT_EQ(text.size(), k_slots * k_block);
  for (std::uint32_t i = 0; i < k_slots; ++i) EXPECT_EQ(text[i * k_block], 'a' + i);
  std::memset(slot(0).data(), 0, k_block);
  EXPECT_EQ(perform(block(OpKind::read, handle, 0, 3 * k_block)).bytes, Bytes(k_block));
  EXPECT_EQ(slot(0)[17], std::byte{'d'});
  EXPECT_TRUE(session_->close_object(handle).has_value());
}

TEST_P(BlockIo, gives_what_there_is_at_the_end_of_a_file) {
  write_file(folder_.file("f"), 2 * k_block);
  const ObjectHandle handle = open_file(folder_.file("f"), false);
  const Completion past = perform(block(OpKind::read, handle, 0, 2 * k_block));
  EXPECT_EQ(past.outcome, Outcome::ok);
  EXPECT_EQ(past.bytes, Bytes(0));
}

TEST_P(BlockIo, calls_it_short_when_a_file_lost_its_end_while_it_was_open) {
  write_file(folder_.file("f"), 4 * k_block);
  const ObjectHandle handle = open_file(folder_.file("f"), false);
  std::filesystem::resize_file(folder_.file("f"), k_block);
  const Completion done = perform(block(OpKind::read, handle, 0, 2 * k_block));
  const bool mapped = GetParam().name == "mmap";
  EXPECT_EQ(done.outcome, mapped ? Outcome::io_error : Outcome::short_transfer);
  EXPECT_EQ(done.bytes, Bytes(0));
}

TEST_P(BlockIo, truncates_and_allocates) {
  write_file(folder_.file("f"), 2 * k_block);
  const ObjectHandle handle = open_file(folder_.file("f"), true);
  EXPECT_EQ(perform(block(OpKind::truncate, handle, 0, k_block)).outcome, Outcome::ok);
  EXPECT_EQ(std::filesystem::file_size(folder_.file("f")), k_block);
  EXPECT_EQ(perform(block(OpKind::allocate, handle, 0, 3 * k_block)).outcome, Outcome::ok);
  EXPECT_EQ(std::filesystem::file_size(folder_.file("f")), 4 * k_block);
  const Completion trimmed = perform(block(OpKind::trim, handle, 0, 0));
  EXPECT_EQ(trimmed.outcome, Outcome::unsupported);
  EXPECT_EQ(trimmed.status, EOPNOTSUPP);
}

TEST_P(BlockIo, makes_finds_and_removes_by_path) {
  const std::string path = folder_.file("made");
  EXPECT_EQ(perform({.kind = OpKind::head, .object = path}).outcome, Outcome::not_found);
  EXPECT_EQ(perform({.kind = OpKind::create, .object = path}).outcome, Outcome::ok);
  EXPECT_EQ(perform({.kind = OpKind::head, .object = path}).outcome, Outcome::ok);
  EXPECT_EQ(perform({.kind = OpKind::remove, .object = path}).outcome, Outcome::ok);
  EXPECT_EQ(perform({.kind = OpKind::create_container, .object = path}).outcome, Outcome::ok);
  EXPECT_EQ(perform({.kind = OpKind::head_container, .object = path}).outcome, Outcome::ok);
  EXPECT_EQ(perform({.kind = OpKind::remove_container, .object = path}).outcome, Outcome::ok);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_P(BlockIo, returns_from_reap_with_nothing_under_way) {
  std::vector<Completion> completions(4);
  const Instant before = clock_.now();
  EXPECT_EQ(session_->reap(completions, before + Duration::milliseconds(5)), 0U);
  EXPECT_GE((clock_.now() - before).ns(), Duration::milliseconds(5).ns());
  open(0);
  if (IsSkipped()) return;
  EXPECT_EQ(session_->reap(completions, clock_.now() + Duration::seconds(60)), 0U);
}

TEST_P(BlockIo, waits_for_as_many_as_it_was_told) {
  open(k_slots);
  if (IsSkipped()) return;
  write_file(folder_.file("f"), k_slots * k_block);
  const ObjectHandle handle = open_file(folder_.file("f"), false);
  for (std::uint32_t i = 0; i < k_slots; ++i) {
    ASSERT_EQ(session_->submit(block(OpKind::read, handle, i, i * k_block)), Submitted::accepted);
  }
  std::vector<Completion> completions(k_slots);
  EXPECT_EQ(session_->reap(completions, clock_.now() + Duration::seconds(10)), k_slots);
}

TEST_P(BlockIo, completes_what_is_cancelled) {
  write_file(folder_.file("f"), k_block);
  const ObjectHandle handle = open_file(folder_.file("f"), false);
  ASSERT_EQ(session_->submit(block(OpKind::read, handle, 2, 0)), Submitted::accepted);
  session_->cancel();
  const Completion done = reap_one();
  EXPECT_EQ(done.slot, 2U);
  EXPECT_TRUE(done.outcome == Outcome::ok || done.outcome == Outcome::cancelled) << done.detail;
}

TEST_P(BlockIo, says_which_file_is_missing) {
  const auto opened = session_->open_object(folder_.file("none"), {});
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().os_error, ENOENT);
  EXPECT_EQ(opened.error().context, folder_.file("none"));
}

INSTANTIATE_TEST_SUITE_P(
    Engines, BlockIo,
    ::testing::Values(
        Case{"psync", {}}, Case{"psync_direct", {{"direct", "1"}}},
        Case{"sync", {{"engine", "sync"}, {"sync", "dsync"}}},
        Case{"vsync", {{"engine", "vsync"}, {"fadvise", "random"}}},
        Case{"pvsync", {{"engine", "pvsync"}, {"fadvise", "sequential"}}},
        Case{"splice", {{"engine", "splice"}}}, Case{"pvsync2", {{"engine", "pvsync2"}}},
        Case{"pvsync2_polled", {{"engine", "pvsync2"}, {"direct", "1"}, {"hipri", "1"}}},
        Case{"mmap", {{"engine", "mmap"}}}, Case{"libaio", {{"engine", "libaio"}}},
        Case{"libaio_direct", {{"engine", "libaio"}, {"direct", "1"}, {"userspace_reap", "1"}}},
        Case{"io_uring", {{"engine", "io_uring"}}},
        Case{"io_uring_direct", {{"engine", "io_uring"}, {"direct", "1"}}},
        Case{"io_uring_registered",
             {{"engine", "io_uring"}, {"fixedbufs", "1"}, {"registerfiles", "1"}}},
        Case{"io_uring_vectored",
             {{"engine", "io_uring"}, {"nonvectored", "0"}, {"force_async", "1"}}},
        Case{"io_uring_thread", {{"engine", "io_uring"}, {"sqthread_poll", "1"}}},
        Case{"posixaio", {{"engine", "posixaio"}}}),
    [](const auto& one) { return one.param.name; });

TEST(NullEngine, moves_nothing_and_says_it_all_went_well) {
  SteadyClock clock;
  auto target = open_posix({{"engine", "null"}});
  const std::vector<target::ObjectNeed> needs{need_of("/no/such/file", 1 << 20)};
  auto facts = target->provide(needs, {});
  ASSERT_TRUE(facts.has_value());
  EXPECT_EQ((*facts)[0].size, Bytes(1 << 20));
  EXPECT_EQ(target->watch(needs, 0), nullptr);
  EXPECT_FALSE(target->capabilities().remembers_data);
  auto session = target->open_session({.slots = 2, .clock = &clock});
  ASSERT_TRUE(session.has_value());
  auto opened = (*session)->open_object("/no/such/file", {.write = true});
  ASSERT_TRUE(opened.has_value());
  EXPECT_EQ(opened->size, Bytes(1 << 20));
  ASSERT_EQ((*session)->submit({.kind = OpKind::write,
                                .range = target::ByteRange{Bytes(0), Bytes(4096)},
                                .handle = opened->handle}),
            Submitted::accepted);
  std::vector<Completion> completions(2);
  ASSERT_EQ((*session)->reap(completions, clock.now()), 1U);
  EXPECT_EQ(completions[0].bytes, Bytes(4096));
  EXPECT_FALSE(std::filesystem::exists("/no"));
}

TEST(PunchedHoles, are_made_where_they_are_asked_for) {
  SteadyClock clock;
  TemporaryFolder folder;
  write_file(folder.file("f"), 4 * k_block);
  auto target = open_posix({{"trim_files", "1"}});
  auto session = target->open_session({.slots = 1, .clock = &clock});
  ASSERT_TRUE(session.has_value());
  auto opened = (*session)->open_object(folder.file("f"), {.write = true});
  ASSERT_TRUE(opened.has_value());
  ASSERT_EQ((*session)->submit({.kind = OpKind::trim,
                                .range = target::ByteRange{Bytes(k_block), Bytes(k_block)},
                                .handle = opened->handle}),
            Submitted::accepted);
  std::vector<Completion> completions(1);
  ASSERT_EQ((*session)->reap(completions, clock.now()), 1U);
  EXPECT_EQ(completions[0].outcome, Outcome::ok) << completions[0].detail;
  EXPECT_EQ(read_file(folder.file("f"))[k_block], '\0');
}

}  // namespace
}  // namespace loadline::targets::posix
