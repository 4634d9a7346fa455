// The part of the conformance suite on names and lengths: create, open, rename, append, truncate,
// make_folder. A target's folder includes target/conformance.h, which brings it.
//
// For tests only.
#pragma once

#include "target/conformance_fixture.h"

namespace loadline::target {

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
  EXPECT_EQ(rename("a b", "b&c"), Outcome::not_found) << "although the new name is taken";
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

}  // namespace loadline::target
