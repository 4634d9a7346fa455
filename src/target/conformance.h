// The conformance suite: what every target must do, in tests that know no target. A target's folder
// instantiates it with a function that opens a fresh, empty storage:
//
//   INSTANTIATE_TEST_SUITE_P(S3, ConformanceTest, ::testing::Values(open_my_storage));
//
// For tests only.
#pragma once

#include "target/conformance_fixture.h"
#include "target/conformance_names.h"

namespace loadline::target {

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
