// What the tests of this folder share: a target opened on the double, and operations that are run
// to their end. Never part of the product.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "targets/webhdfs/webhdfs_double.h"
#include "targets/webhdfs/webhdfs_target.h"

namespace loadline::targets::webhdfs {

using ParameterMap = std::map<std::string, std::string>;

inline target::Parameters parameters_for(const std::string& uri, ParameterMap more = {}) {
  target::Parameters all;
  all.set("uri", uri);
  all.set("root", "/bench");
  all.set("user", "tester");
  for (auto& [key, value] : more) all.set(key, value);
  return all;
}

// A completion whose detail outlives the next reap.
struct Ended {
  target::Completion completion;
  std::string detail;
};

class TextSink final : public target::BodySink {
 public:
  void consume(std::span<const std::byte> bytes) override {
    text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  void restart() override { text.clear(); }
  std::string text;
};

class TargetTest : public testing::Test {
 protected:
  TargetTest() : pool_(10'007, 'x') {
    for (std::size_t i = 0; i < pool_.size(); ++i) pool_[i] = static_cast<char>('a' + i % 23);
  }

  void open(const std::string& uri, ParameterMap more = {}, std::uint32_t slots = 1) {
    session_.reset();
    auto target = webhdfs_target().open(parameters_for(uri, std::move(more)));
    ASSERT_TRUE(target) << target.error().message();
    target_ = std::move(*target);
    auto session =
        target_->open_session({.worker = WorkerId{0}, .slots = slots, .clock = &clock_, .seed = 7});
    ASSERT_TRUE(session) << session.error().message();
    session_ = std::move(*session);
  }

  Ended run(const target::Op& op) {
    EXPECT_EQ(session_->submit(op), target::Submitted::accepted);
    const auto all = reap(1);
    return all.empty() ? Ended{} : all[0];
  }

  std::vector<Ended> reap(std::size_t n) {
    std::vector<Ended> all;
    std::vector<target::Completion> some(64);
    const Instant limit = clock_.now() + Duration::seconds(20);
    while (all.size() < n && clock_.now() < limit) {
      const std::size_t got = session_->reap(some, limit);
      for (std::size_t i = 0; i < got; ++i) {
        all.push_back({some[i], std::string(some[i].detail)});
      }
    }
    EXPECT_EQ(all.size(), n);
    return all;
  }

  // `size` bytes from the pool, and the same as text.
  target::Payload payload(std::uint64_t size) const {
    return target::Payload(Bytes(size), std::as_bytes(std::span(pool_)), 3);
  }
  std::string text_of(std::uint64_t size) const {
    std::string text;
    while (text.size() < size) {
      const auto run = payload(size).at(Bytes(text.size()));
      text.append(reinterpret_cast<const char*>(run.data()), run.size());
    }
    return text;
  }

  SteadyClock clock_;
  std::string pool_;
  std::unique_ptr<target::Target> target_;
  std::unique_ptr<target::Session> session_;
};

}  // namespace loadline::targets::webhdfs
