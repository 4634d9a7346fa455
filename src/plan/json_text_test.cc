#include "plan/json_text.h"

#include <gtest/gtest.h>

#include "base/rng.h"

namespace loadline::json {
namespace {

TEST(JsonDuration, comes_back_to_the_nanosecond_up_to_97_days) {
  Rng rng(1);
  for (int bits = 1; bits <= 52; ++bits) {
    for (int i = 0; i < 200; ++i) {
      const auto ns = static_cast<std::int64_t>(rng.next() >> (64 - bits));
      const Duration d = Duration::nanoseconds(i % 2 == 0 ? ns : -ns);
      ASSERT_EQ(duration_of(seconds_of(d)), d) << ns;
    }
  }
}

TEST(JsonDuration, whole_seconds_are_whole_numbers) {
  EXPECT_EQ(print_line(seconds_of(Duration::seconds(30))), "30");
  EXPECT_EQ(print_line(seconds_of(Duration::milliseconds(1500))), "1.5");
  EXPECT_EQ(print_line(seconds_of(Duration::nanoseconds(11'000'000'001))), "11.000000001");
  EXPECT_EQ(duration_of(Json(9'223'372'036)), Duration::seconds(9'223'372'036));
  EXPECT_FALSE(duration_of(Json(9'223'372'037)));
  EXPECT_FALSE(duration_of(Json("5")));
}

TEST(JsonDuration, settles_after_one_round) {
  Rng rng(2);
  for (int i = 0; i < 10'000; ++i) {
    const double seconds = rng.unit() * 9e9;
    const std::optional<Duration> once = duration_of(Json(seconds));
    ASSERT_TRUE(once);
    const Json text = seconds_of(*once);
    ASSERT_EQ(seconds_of(*duration_of(text)), text) << seconds;
  }
}

TEST(JsonTime, comes_back_to_the_millisecond) {
  for (const std::int64_t ms : {0LL, 1LL, 951'782'399'999LL, 1'796'057'987'123LL}) {
    const WallTime time = WallTime::from_ns(ms * 1'000'000);
    EXPECT_EQ(parse_iso8601(time.iso8601()), time);
  }
}

TEST(JsonTime, refuses_what_is_no_time) {
  for (const char* text :
       {"", "2026-11-30", "2026-11-30T16:59:47Z", "2026-11-30T16:59:47.123",
        "2026-13-30T16:59:47.123Z", "2026-02-30T16:59:47.123Z", "2026-11-30T24:00:00.000Z",
        "2026-11-30T16:59:47.123Z ", "9999-11-30T16:59:47.123Z", "2026-11--1T16:59:47.123Z"}) {
    EXPECT_FALSE(parse_iso8601(text)) << text;
  }
}

TEST(JsonText, prints_objects_in_lines_and_lists_of_numbers_in_one) {
  const Json json = Json::parse(R"({"a":1,"b":[[1,2],[3]],"c":[{"d":null}],"e":{},"f":[]})");
  EXPECT_EQ(print(json), R"({
  "a": 1,
  "b": [[1,2],[3]],
  "c": [
    {
      "d": null
    }
  ],
  "e": {},
  "f": []
}
)");
  EXPECT_EQ(print_line(json), json.dump());
}

}  // namespace
}  // namespace loadline::json
