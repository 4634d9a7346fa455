#include "store/tick_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/testing.h"

namespace loadline::store {
namespace {

using ::testing::HasSubstr;

TEST(TickText, a_row_comes_back) {
  record::Tick tick = testing::some_tick(2, 17, 50);
  tick.length = Duration::nanoseconds(123'456'789);
  tick.ended = testing::k_submitted;
  tick.jobs[0][0].outside = 4;
  tick.jobs.push_back({{}, testing::some_stats(1)});
  const TickRow row = row_of(tick);
  const Result<TickRow> again = from_line(to_line(row));
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(to_line(*again), to_line(row));
  EXPECT_EQ(again->stage, 2U);
  EXPECT_EQ(again->index, 17U);
  EXPECT_EQ(again->start, Duration::seconds(17));
  EXPECT_EQ(again->length, Duration::nanoseconds(123'456'789));
  EXPECT_EQ(again->ended, testing::k_submitted);
  const OpTick& op = again->jobs[0][0];
  EXPECT_EQ(op.successes, 50U);
  EXPECT_EQ(op.failures, 3U);
  EXPECT_EQ(op.outside, 4U);
  EXPECT_EQ(op.bytes, Bytes(50 * 4096));
  EXPECT_EQ(op.service_sum_ns, 1000U * 50 * 51 / 2);
  EXPECT_EQ(op.response_sum_ns, tick.jobs[0][0].response.sum_ns());
  EXPECT_EQ(op.first_byte_count, 50U);
  EXPECT_EQ(op.max, Duration::microseconds(100));  // of the response time
}

TEST(TickText, is_one_short_line) {
  record::Tick tick = testing::some_tick(0, 3, 0);
  tick.ended = testing::k_submitted;
  EXPECT_EQ(to_line(row_of(tick)),
            "{\"stage\":0,\"i\":3,\"t\":3,\"d\":1,\"at\":\"2026-11-30T16:59:47.000Z\","
            "\"jobs\":[[{}]]}\n");
  tick.jobs[0][0].outcomes[0] = 7;
  tick.jobs[0][0].service.add(Duration::nanoseconds(200), 7);
  EXPECT_THAT(to_line(row_of(tick)),
              HasSubstr(R"([{"n":{"ok":7},"svc":1400,"p50":200,"p99":200,"max":200}])"));
}

TEST(TickText, refuses_what_is_no_tick) {
  for (const char* line : {"", "{", "[]", "{}", R"({"stage":0,"i":-1,"t":0,"d":1,"jobs":[]})",
                           R"({"stage":0,"i":1,"t":0,"d":1,"jobs":[[5]]})"}) {
    EXPECT_FALSE(from_line(line)) << line;
  }
}

}  // namespace
}  // namespace loadline::store
