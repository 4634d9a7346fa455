// The conformance suite: what every target must do, in tests that know no target. A target's folder
// instantiates it with a function that opens a fresh, empty storage:
//
//   INSTANTIATE_TEST_SUITE_P(S3, ConformanceTest, ::testing::Values(open_my_storage));
//
// For tests only.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "target/target.h"

namespace loadline::target {

// Something that lives as long as a target, e.g. the server behind it.
class Companion {
 public:
  virtual ~Companion() = default;
};

// An open target, and whatever must live as long as it does.
struct OpenStorage {
  // allowed: a server of any type, with its deleter; gone last
  std::shared_ptr<void> server;
  std::unique_ptr<Target> target;
};
using OpenStorageFunction = OpenStorage (*)();

class ConformanceTest : public ::testing::TestWithParam<OpenStorageFunction> {
 protected:
  static constexpr std::uint32_t k_slots = 8;

  ConformanceTest() : storage_(GetParam()()) {
    auto session = storage_.target->open_session({.slots = k_slots, .clock = &clock_, .seed = 1});
    EXPECT_TRUE(session.has_value());
    session_ = std::move(*session);
    pool_.resize(65'537);
    for (std::size_t i = 0; i < pool_.size(); ++i)
      pool_[i] = static_cast<std::byte>(i * 31 + i / 251);
  }

  // Keeps a body.
  class Keep final : public BodySink {
   public:
    void consume(std::span<const std::byte> bytes) override {
      body.insert(body.end(), bytes.begin(), bytes.end());
    }
    void restart() override { body.clear(); }
    std::vector<std::byte> body;
  };

  Completion perform(const Op& op) {
    EXPECT_EQ(session_->submit(op), Submitted::accepted);
    return next();
  }
  Completion next() {
    std::vector<Completion> completions(k_slots);
    const Instant give_up = clock_.now() + Duration::seconds(20);
    while (clock_.now() < give_up) {
      if (session_->reap(std::span(completions).first(1), give_up) > 0) return completions[0];
    }
    ADD_FAILURE() << "an accepted operation did not complete";
    return {.outcome = Outcome::timeout};
  }
  Outcome container(OpKind kind, std::string_view name) {
    return perform({.kind = kind, .container = name}).outcome;
  }
  Completion write(std::string_view name, std::uint64_t size, std::size_t start = 0) {
    return perform({.kind = OpKind::write,
                    .container = "bucket1",
                    .object = name,
                    .payload = Payload(Bytes(size), pool_, start)});
  }
  Completion read(std::string_view name, Keep* keep = nullptr,
                  std::optional<ByteRange> range = {}) {
    return perform({.kind = OpKind::read,
                    .container = "bucket1",
                    .object = name,
                    .range = range,
                    .sink = keep});
  }
  std::vector<std::byte> expected(std::uint64_t size, std::size_t start = 0) const {
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = pool_[(start + i) % pool_.size()];
    return bytes;
  }
  bool can(OpKind kind) const { return storage_.target->capabilities().can(kind); }

  SteadyClock clock_;
  OpenStorage storage_;
  std::unique_ptr<Session> session_;
  std::vector<std::byte> pool_;
};

TEST_P(ConformanceTest, makes_finds_and_removes_containers) {
  EXPECT_EQ(container(OpKind::head_container, "bucket1"), Outcome::not_found);
  EXPECT_EQ(container(OpKind::create_container, "bucket1"), Outcome::ok);
  EXPECT_EQ(container(OpKind::head_container, "bucket1"), Outcome::ok);
  EXPECT_EQ(container(OpKind::create_container, "bucket1"), Outcome::exists);
  EXPECT_EQ(container(OpKind::remove_container, "bucket1"), Outcome::ok);
  EXPECT_EQ(container(OpKind::remove_container, "bucket1"), Outcome::not_found);
}

TEST_P(ConformanceTest, never_removes_a_container_that_holds_objects) {
  container(OpKind::create_container, "bucket1");
  write("object", 10);
  EXPECT_EQ(container(OpKind::remove_container, "bucket1"), Outcome::not_empty);
  EXPECT_EQ(read("object").outcome, Outcome::ok);
}

TEST_P(ConformanceTest, gives_back_what_was_written) {
  container(OpKind::create_container, "bucket1");
  for (const std::uint64_t size : {0ULL, 1ULL, 4096ULL, 65'537ULL, 3'000'001ULL}) {
    const Completion written = write("object", size, 77);
    EXPECT_EQ(written.outcome, Outcome::ok) << written.detail;
    EXPECT_EQ(written.bytes, Bytes(size));
    Keep keep;
    const Completion got = read("object", &keep);
    EXPECT_EQ(got.outcome, Outcome::ok) << got.detail;
    EXPECT_EQ(got.bytes, Bytes(size));
    EXPECT_EQ(keep.body, expected(size, 77)) << size;
    EXPECT_EQ(read("object").bytes, Bytes(size)) << "without a sink";
  }
}

TEST_P(ConformanceTest, reads_ranges) {
  if (!storage_.target->capabilities().range_reads) GTEST_SKIP() << "no range reads";
  container(OpKind::create_container, "bucket1");
  write("object", 10'000);
  Keep keep;
  const Completion got = read("object", &keep, ByteRange{Bytes(5000), Bytes(100)});
  EXPECT_EQ(got.outcome, Outcome::ok) << got.detail;
  EXPECT_EQ(keep.body, expected(100, 5000));
}

TEST_P(ConformanceTest, calls_missing_things_missing) {
  EXPECT_EQ(read("object").outcome, Outcome::not_found);
  container(OpKind::create_container, "bucket1");
  EXPECT_EQ(read("object").outcome, Outcome::not_found);
  EXPECT_EQ(perform({.kind = OpKind::head, .container = "bucket1", .object = "object"}).outcome,
            Outcome::not_found);
}

TEST_P(ConformanceTest, removes_objects_once_and_for_all) {
  container(OpKind::create_container, "bucket1");
  write("object", 10);
  const Op remove{.kind = OpKind::remove, .container = "bucket1", .object = "object"};
  EXPECT_EQ(perform(remove).outcome, Outcome::ok);
  EXPECT_EQ(read("object").outcome, Outcome::not_found);
  EXPECT_EQ(perform(remove).outcome, Outcome::ok) << "removing what is not there is no failure";
}

TEST_P(ConformanceTest, removes_many_at_once) {
  if (!can(OpKind::remove_many)) GTEST_SKIP() << "cannot remove many";
  container(OpKind::create_container, "bucket1");
  const std::vector<std::string_view> names{"a", "b", "c"};
  for (const auto name : names) write(name, 10);
  const Completion got =
      perform({.kind = OpKind::remove_many, .container = "bucket1", .objects = names});
  EXPECT_EQ(got.outcome, Outcome::ok) << got.detail;
  EXPECT_EQ(got.items, 3U);
  EXPECT_EQ(container(OpKind::remove_container, "bucket1"), Outcome::ok);
}

TEST_P(ConformanceTest, lists_names_by_prefix_across_pages) {
  if (!can(OpKind::list)) GTEST_SKIP() << "cannot list";
  container(OpKind::create_container, "bucket1");
  for (int i = 0; i < 25; ++i) write("obj" + std::to_string(i), 1);
  write("other", 1);
  const Completion got = perform({.kind = OpKind::list, .container = "bucket1", .object = "obj"});
  EXPECT_EQ(got.outcome, Outcome::ok) << got.detail;
  EXPECT_EQ(got.items, 25U);
}

TEST_P(ConformanceTest, writes_in_parts) {
  if (!can(OpKind::multipart_write)) GTEST_SKIP() << "no multipart writes";
  container(OpKind::create_container, "bucket1");
  const std::uint64_t size = 12'000'000;
  const Completion written = perform({.kind = OpKind::multipart_write,
                                      .container = "bucket1",
                                      .object = "large",
                                      .payload = Payload(Bytes(size), pool_, 3),
                                      .part_size = Bytes(5 << 20)});
  EXPECT_EQ(written.outcome, Outcome::ok) << written.detail;
  EXPECT_EQ(written.bytes, Bytes(size));
  Keep keep;
  EXPECT_EQ(read("large", &keep).outcome, Outcome::ok);
  EXPECT_EQ(keep.body, expected(size, 3));
}

TEST_P(ConformanceTest, creates_only_what_is_not_there) {
  if (!can(OpKind::create)) GTEST_SKIP() << "cannot create";
  container(OpKind::create_container, "bucket1");
  for (const std::uint64_t size : {0U, 3000U}) {
    const std::string name = "dir/object" + std::to_string(size);
    Op create{.kind = OpKind::create,
              .container = "bucket1",
              .object = name,
              .payload = Payload(Bytes(size), pool_, 5)};
    const Completion made = perform(create);
    EXPECT_EQ(made.outcome, Outcome::ok) << made.detail;
    EXPECT_EQ(made.bytes, Bytes(size));
    create.payload = Payload(Bytes(7), pool_, 0);
    EXPECT_EQ(perform(create).outcome, Outcome::exists);
    Keep keep;
    EXPECT_EQ(read(name, &keep).outcome, Outcome::ok);
    EXPECT_EQ(keep.body, expected(size, 5)) << "what was there stays";
  }
}

TEST_P(ConformanceTest, opens_what_is_there) {
  if (!can(OpKind::open)) GTEST_SKIP() << "cannot open";
  container(OpKind::create_container, "bucket1");
  write("object", 1000);
  write("empty", 0);
  for (const std::string_view name : {"object", "empty"}) {
    const Completion done = perform({.kind = OpKind::open, .container = "bucket1", .object = name});
    EXPECT_EQ(done.outcome, Outcome::ok) << name << ": " << done.detail;
    EXPECT_EQ(done.bytes, Bytes()) << "no data moves";
  }
  EXPECT_EQ(perform({.kind = OpKind::open, .container = "bucket1", .object = "none"}).outcome,
            Outcome::not_found);
}

TEST_P(ConformanceTest, renames_objects) {
  if (!can(OpKind::rename)) GTEST_SKIP() << "cannot rename";
  container(OpKind::create_container, "bucket1");
  write("a b", 1000, 3);
  const auto rename = [&](std::string_view from, std::string_view to) {
    return perform(
               {.kind = OpKind::rename, .container = "bucket1", .object = from, .new_object = to})
        .outcome;
  };
  EXPECT_EQ(rename("a b", "b&c"), Outcome::ok);
  EXPECT_EQ(read("a b").outcome, Outcome::not_found);
  Keep keep;
  EXPECT_EQ(read("b&c", &keep).outcome, Outcome::ok);
  EXPECT_EQ(keep.body, expected(1000, 3));
  EXPECT_EQ(rename("a b", "c"), Outcome::not_found);
  write("c", 10);
  // Some Hadoop file systems replace what is there.
  const Outcome onto = rename("b&c", "c");
  EXPECT_TRUE(onto == Outcome::exists || onto == Outcome::ok) << to_string(onto);
  EXPECT_EQ(read("c").bytes, Bytes(onto == Outcome::exists ? 10 : 1000));
}

TEST_P(ConformanceTest, appends_to_what_is_there) {
  if (!can(OpKind::append)) GTEST_SKIP() << "cannot append";
  container(OpKind::create_container, "bucket1");
  Op append{.kind = OpKind::append,
            .container = "bucket1",
            .object = "object",
            .payload = Payload(Bytes(5000), pool_, 1000)};
  EXPECT_EQ(perform(append).outcome, Outcome::not_found);
  write("object", 1000);
  const Completion done = perform(append);
  EXPECT_EQ(done.outcome, Outcome::ok) << done.detail;
  EXPECT_EQ(done.bytes, Bytes(5000));
  append.payload = Payload(Bytes(), pool_, 0);
  EXPECT_EQ(perform(append).outcome, Outcome::ok) << "of nothing";
  Keep keep;
  EXPECT_EQ(read("object", &keep).outcome, Outcome::ok);
  EXPECT_EQ(keep.body, expected(6000));
}

TEST_P(ConformanceTest, truncates_objects) {
  if (!can(OpKind::truncate)) GTEST_SKIP() << "cannot truncate";
  container(OpKind::create_container, "bucket1");
  const auto truncate = [&](std::string_view name, std::uint64_t size) {
    return perform({.kind = OpKind::truncate,
                    .container = "bucket1",
                    .object = name,
                    .range = ByteRange{Bytes(size), Bytes()}})
        .outcome;
  };
  EXPECT_EQ(truncate("object", 0), Outcome::not_found);
  write("object", 9000);
  for (const std::uint64_t size : {4097U, 0U}) {
    EXPECT_EQ(truncate("object", size), Outcome::ok);
    Keep keep;
    EXPECT_EQ(read("object", &keep).outcome, Outcome::ok);
    EXPECT_EQ(keep.body, expected(size));
  }
}

TEST_P(ConformanceTest, makes_folders) {
  if (!can(OpKind::make_folder)) GTEST_SKIP() << "has no folders";
  container(OpKind::create_container, "bucket1");
  const auto make_folder = [&](std::string_view name) {
    return perform({.kind = OpKind::make_folder, .container = "bucket1", .object = name}).outcome;
  };
  EXPECT_EQ(make_folder("one"), Outcome::ok);
  EXPECT_EQ(make_folder("one"), Outcome::ok) << "it is there, as was asked";
  EXPECT_EQ(make_folder("one/two/three"), Outcome::ok) << "with those above it";
  EXPECT_EQ(write("one/two/three/object", 10).outcome, Outcome::ok);
  EXPECT_EQ(make_folder("one/two/three/object"), Outcome::exists) << "a file is in the way";
  const Completion listed = perform({.kind = OpKind::list, .container = "bucket1"});
  EXPECT_EQ(listed.items, 1U) << "a folder is no object";
  for (const std::string_view name : {"one/two/three/object", "one/two/three", "one/two", "one"}) {
    EXPECT_EQ(perform({.kind = OpKind::remove, .container = "bucket1", .object = name}).outcome,
              Outcome::ok)
        << name;
  }
  EXPECT_EQ(container(OpKind::remove_container, "bucket1"), Outcome::ok);
}

TEST_P(ConformanceTest, takes_names_as_they_are) {
  container(OpKind::create_container, "bucket1");
  for (const std::string_view name :
       {"with space", "a+b", "100%", "dir/sub/x", "ümlaut", "對象", "a&b=c?d#e", "~tilde'(x)*!"}) {
    EXPECT_EQ(write(name, name.size()).outcome, Outcome::ok) << name;
  }
  for (const std::string_view name :
       {"with space", "a+b", "100%", "dir/sub/x", "ümlaut", "對象", "a&b=c?d#e", "~tilde'(x)*!"}) {
    EXPECT_EQ(read(name).bytes, Bytes(name.size())) << name;
  }
}

TEST_P(ConformanceTest, carries_one_operation_in_every_slot_at_a_time) {
  if (storage_.target->capabilities().blocking) GTEST_SKIP() << "one slot";
  container(OpKind::create_container, "bucket1");
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < k_slots; ++i) names.push_back("object" + std::to_string(i));
  for (std::uint32_t i = 0; i < k_slots; ++i) {
    ASSERT_EQ(session_->submit({.kind = OpKind::write,
                                .slot = i,
                                .container = "bucket1",
                                .object = names[i],
                                .payload = Payload(Bytes(1000 * (i + 1)), pool_, 0)}),
              Submitted::accepted);
  }
  std::vector<std::uint64_t> bytes(k_slots);
  for (std::uint32_t i = 0; i < k_slots; ++i) {
    const Completion done = next();
    EXPECT_EQ(done.outcome, Outcome::ok) << done.detail;
    bytes[done.slot] = done.bytes.count();
  }
  for (std::uint32_t i = 0; i < k_slots; ++i) EXPECT_EQ(bytes[i], 1000U * (i + 1));
}

TEST_P(ConformanceTest, returns_from_reap_when_nothing_is_under_way) {
  std::vector<Completion> completions(1);
  const Instant deadline = clock_.now() + Duration::milliseconds(20);
  EXPECT_EQ(session_->reap(completions, deadline), 0U);
}

TEST_P(ConformanceTest, completes_what_is_cancelled) {
  container(OpKind::create_container, "bucket1");
  ASSERT_EQ(session_->submit({.kind = OpKind::write,
                              .container = "bucket1",
                              .object = "object",
                              .payload = Payload(Bytes(200'000'000), pool_, 0)}),
            Submitted::accepted);
  session_->cancel();
  const Outcome outcome = next().outcome;
  EXPECT_TRUE(outcome == Outcome::cancelled || outcome == Outcome::ok) << to_string(outcome);
}

}  // namespace loadline::target
