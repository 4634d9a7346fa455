#include "targets/s3/block_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "targets/s3/s3_target.h"
#include "targets/s3/scripted_store.h"

namespace loadline::targets::s3 {
namespace {

using target::Completion;
using target::OpKind;
using target::Outcome;
using ::testing::HasSubstr;

std::string ok_with(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

class BlockSessionTest : public ::testing::Test {
 protected:
  BlockSessionTest()
      : store_([this](ScriptedStore::Connection& c, const SeenRequest& request) {
          const std::lock_guard lock(mutex_);
          if (request.method == "PUT") objects_[request.path] = request.body;
          const auto object = objects_.find(request.path);
          if (request.method == "DELETE") {
            if (object != objects_.end()) objects_.erase(object);
            c.send("HTTP/1.1 204 No Content\r\n\r\n");
            return;
          }
          if (object == objects_.end()) {
            c.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
            return;
          }
          c.send(ok_with(request.method == "PUT" ? "" : object->second));
        }) {
    target::Parameters parameters;
    parameters.set("endpoint", store_.url());
    parameters.set("accesskey", std::string(k_test_key));
    parameters.set("secretkey", std::string(k_test_secret));
    parameters.set("blocks", "true");
    target_ = std::move(*s3_target().open(parameters));
    const std::vector<target::ObjectNeed> needs = {{.name = "/bucket/dir/f", .size = Bytes(8192)}};
    EXPECT_EQ(target_->provide(needs, {})->front().size, Bytes(8192));
    session_ = std::move(*target_->open_session({.slots = 2, .clock = &clock_}));
    memory_.resize(4096);
  }

  Completion run(OpKind kind, std::uint64_t offset) {
    const auto opened = session_->open_object("/bucket/dir/f", {});
    EXPECT_EQ(opened->size, Bytes(8192));
    const target::Op op{.kind = kind,
                        .slot = 1,
                        .range = target::ByteRange{Bytes(offset), Bytes(4096)},
                        .handle = opened->handle,
                        .memory = memory_};
    EXPECT_EQ(session_->submit(op), target::Submitted::accepted);
    Completion completion;
    EXPECT_EQ(session_->reap({&completion, 1}, clock_.now() + Duration::seconds(20)), 1U);
    return completion;
  }

  SteadyClock clock_;
  std::mutex mutex_;
  std::map<std::string, std::string> objects_;
  ScriptedStore store_;
  std::unique_ptr<target::Target> target_;
  std::unique_ptr<target::Session> session_;
  std::vector<std::byte> memory_;
};

TEST_F(BlockSessionTest, keeps_every_block_as_an_object) {
  std::memset(memory_.data(), 'a', memory_.size());
  EXPECT_EQ(run(OpKind::write, 4096).outcome, Outcome::ok);
  EXPECT_EQ(objects_.at("/bucket/dir/f_4096_4096"), std::string(4096, 'a'));
  std::memset(memory_.data(), 0, memory_.size());
  const Completion read = run(OpKind::read, 4096);
  EXPECT_EQ(read.outcome, Outcome::ok);
  EXPECT_EQ(read.bytes, Bytes(4096));
  EXPECT_EQ(memory_[4095], std::byte{'a'});
  EXPECT_EQ(run(OpKind::trim, 4096).outcome, Outcome::ok);
  EXPECT_TRUE(objects_.empty());
}

TEST_F(BlockSessionTest, has_no_block_that_was_not_written) {
  const Completion read = run(OpKind::read, 0);
  EXPECT_EQ(read.outcome, Outcome::not_found);
  EXPECT_EQ(read.status, 0);
}

TEST_F(BlockSessionTest, takes_no_shorter_object_for_a_block) {
  objects_["/bucket/dir/f_0_4096"] = "short";
  EXPECT_EQ(run(OpKind::read, 0).outcome, Outcome::short_transfer);
}

TEST_F(BlockSessionTest, has_nothing_to_do_for_a_sync) {
  EXPECT_EQ(run(OpKind::sync, 0).outcome, Outcome::ok);
  EXPECT_TRUE(store_.seen().empty());
}

TEST_F(BlockSessionTest, needs_a_bucket_and_a_name) {
  const auto opened = session_->open_object("/bucket", {});
  ASSERT_FALSE(opened.has_value());
  EXPECT_THAT(opened.error().what, HasSubstr("/BUCKET/OBJECT"));
}

}  // namespace
}  // namespace loadline::targets::s3
