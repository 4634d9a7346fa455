// What the tests of the conformance suite share: an open storage, and ways to ask it. A target's
// folder includes target/conformance.h instead.
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

}  // namespace loadline::target
