#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/live_display.h"
#include "report/live_meter.h"
#include "report/live_view.h"
#include "report/test_sample.h"
#include "report/text_table.h"

namespace loadline::report {
namespace {

using testing::HasSubstr;
using testing::Not;

LiveView view_of_two() {
  LiveView view{.stage = 3, .stages = 5, .stage_name = "s3-main"};
  view.elapsed = Duration::seconds(5);
  view.expected = Duration::seconds(30);
  view.recent = Duration::seconds(1);
  view.ops = {{.name = "read",
               .recent_ok = 1234,
               .recent_bytes = Bytes(126'400'000),
               .recent_p50 = Duration::microseconds(5'100),
               .recent_p99 = Duration::microseconds(9'800)},
              {.name = "write", .recent_failed = 2, .failed = 12}};
  return view;
}

TEST(LiveLine, says_everything_in_one_line) {
  EXPECT_EQ(
      live_line(view_of_two()),
      "stage 3/5 s3-main, 17 %, 25.0 s left: read 1234 op/s 126.4 MB/s p50 5.10 ms p99 9.80 ms "
      "failed 0; write 0 op/s 0 MB/s p50 - p99 - failed 12");
}

TEST(LiveLine, speaks_of_time_passed_where_no_end_is_known) {
  LiveView view{.stage_name = "s1-init", .elapsed = Duration::seconds(2)};
  EXPECT_EQ(live_line(view), "stage 1/1 s1-init, 2.0 s so far");
  view.sleeping = true;
  view.expected = Duration::seconds(8);
  EXPECT_EQ(live_line(view), "stage 1/1 s1-init, 25 %, 6.0 s left: sleeping");
}

TEST(LiveBlock, claims_nothing_before_the_first_tick) {
  LiveView view{.stage_name = "s1-init", .ops = {{.name = "init"}}};
  EXPECT_THAT(live_block(view, {}), HasSubstr("  init     -     -    -    -       0\n"));
}

TEST(LiveBlock, is_a_small_table) {
  EXPECT_EQ(live_block(view_of_two(), {}),
            "stage 3/5  s3-main  [###.................]  17 %, 25.0 s left\n"
            "         op/s   MB/s      p50      p99  failed\n"
            "  read   1234  126.4  5.10 ms  9.80 ms       0\n"
            "  write     0      0        -        -      12\n");
}

TEST(LiveBlock, never_exceeds_the_terminal) {
  LiveView view = view_of_two();
  view.stage_name = std::string(200, 'x');
  for (std::size_t width = 10; width < 90; ++width) {
    const std::string block = live_block(view, {.width = width});
    for (std::size_t from = 0; from < block.size();) {
      const std::size_t end = block.find('\n', from);
      EXPECT_LE(display_width(std::string_view(block).substr(from, end - from)), width);
      from = end + 1;
    }
  }
}

TEST(LiveBlock, shows_eight_operations_and_counts_the_rest) {
  LiveView view = view_of_two();
  view.ops.resize(11);
  EXPECT_THAT(live_block(view, {}), HasSubstr("\n  and 3 more\n"));
}

TEST(LiveBlock, is_coloured_only_when_told) {
  EXPECT_THAT(live_block(view_of_two(), {}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(live_block(view_of_two(), {.colour = true}), HasSubstr("\x1b[31m  write"));
}

TEST(Progress, follows_whichever_limit_is_nearer) {
  LiveView view{.elapsed = Duration::seconds(10), .expected = Duration::seconds(100)};
  EXPECT_DOUBLE_EQ(*progress_of(view), 0.1);
  view.quota = 1000;
  view.done = 500;
  EXPECT_DOUBLE_EQ(*progress_of(view), 0.5);
  EXPECT_EQ(*time_left(view), Duration::seconds(10));
  view.elapsed = Duration::seconds(200);
  view.done = 1200;
  EXPECT_DOUBLE_EQ(*progress_of(view), 1.0);
  EXPECT_EQ(*time_left(view), Duration());
  EXPECT_FALSE(progress_of({}));
  EXPECT_FALSE(time_left({}));
}

class Screen {
 public:
  LiveDisplay::Options options(bool terminal) {
    LiveDisplay::Options options;
    options.terminal = terminal;
    options.write = [this](std::string_view text) { text_ += text; };
    return options;
  }
  std::string take() { return std::exchange(text_, {}); }

 private:
  std::string text_;
};

TEST(LiveDisplay, draws_over_its_last_block_on_a_terminal) {
  Screen screen;
  const Instant start = Instant::from_ns(1);
  LiveDisplay display(screen.options(true), start);
  const std::string block = live_block(view_of_two(), {});
  display.show(view_of_two(), start);
  EXPECT_EQ(screen.take(), block);
  display.show(view_of_two(), start);
  EXPECT_EQ(screen.take(), "\x1b[4A\r\x1b[J" + block);
  display.note("s3-main completed");
  EXPECT_EQ(screen.take(), "\x1b[4A\r\x1b[Js3-main completed\n");
  display.clear();
  EXPECT_EQ(screen.take(), "");
}

TEST(LiveDisplay, writes_plain_lines_at_its_interval_elsewhere) {
  Screen screen;
  const Instant start = Instant::from_ns(1);
  {
    LiveDisplay display(screen.options(false), start);
    std::size_t lines = 0;
    for (int i = 1; i <= 20; ++i) {
      const Instant now = start + Duration::seconds(i);
      EXPECT_EQ(display.due(now), i % 5 == 0);
      display.show(view_of_two(), now);
      lines += screen.take().empty() ? 0 : 1;
    }
    EXPECT_EQ(lines, 4U);
    display.note("done");
    EXPECT_EQ(screen.take(), "done\n");
    display.show(view_of_two(), start + Duration::seconds(300));
    EXPECT_EQ(screen.take(), live_line(view_of_two()) + "\n");
    EXPECT_FALSE(display.due(start + Duration::seconds(301)));
  }
  EXPECT_EQ(screen.take(), "");
}

record::Tick tick_of(std::uint32_t stage, std::uint64_t ok) {
  record::Tick tick;
  tick.stage = stage;
  tick.length = Duration::seconds(1);
  tick.jobs.resize(1);
  tick.jobs[0].resize(1);
  tick.jobs[0][0].outcomes[0] = ok;
  tick.jobs[0][0].service.add(Duration::milliseconds(2), ok);
  return tick;
}

TEST(LiveMeter, shows_what_came_since_the_last_view) {
  const test::Sample sample = test::sample_run();
  LiveMeter meter(sample.plan);
  meter.consume(tick_of(1, 30));
  meter.consume(tick_of(1, 10));
  LiveView view = meter.view(1, Duration::milliseconds(2'100));
  EXPECT_EQ(view.stage, 2U);
  EXPECT_EQ(view.stages, 5U);
  EXPECT_EQ(view.stage_name, "s2-prepare");
  EXPECT_EQ(view.quota, 100U);
  EXPECT_EQ(view.done, 40U);
  EXPECT_EQ(view.recent, Duration::seconds(2));
  EXPECT_EQ(view.ops.at(0).recent_ok, 40U);
  EXPECT_EQ(view.elapsed, Duration::milliseconds(2'100));

  // No tick in between: the figures stay, time goes on.
  view = meter.view(1, Duration::milliseconds(2'500));
  EXPECT_EQ(view.ops.at(0).recent_ok, 40U);
  EXPECT_EQ(view.elapsed, Duration::milliseconds(2'500));

  meter.consume(tick_of(1, 0));
  view = meter.view(1, Duration::seconds(3));
  EXPECT_EQ(view.ops.at(0).recent_ok, 0U);
  EXPECT_EQ(view.done, 40U);
}

TEST(LiveMeter, names_the_job_where_a_stage_has_several) {
  const test::Sample sample = test::sample_run();
  LiveMeter meter(sample.plan);
  record::Tick tick;
  tick.stage = 2;
  tick.length = Duration::seconds(1);
  meter.consume(tick);
  const LiveView view = meter.view(2, Duration::seconds(1));
  ASSERT_EQ(view.ops.size(), 3U);
  EXPECT_EQ(view.ops[0].name, "main read");
  EXPECT_EQ(view.ops[2].name, "paced head");
  EXPECT_EQ(view.expected, Duration::seconds(35));
}

TEST(LiveMeter, moves_on_with_the_stage_and_drops_late_ticks) {
  const test::Sample sample = test::sample_run();
  LiveMeter meter(sample.plan);
  meter.consume(tick_of(1, 30));
  EXPECT_EQ(meter.view(3, Duration()).stage_name, "s4-cleanup");
  meter.consume(tick_of(1, 30));
  const LiveView view = meter.view(3, Duration::seconds(1));
  EXPECT_EQ(view.stage_name, "s4-cleanup");
  EXPECT_EQ(view.done, 0U);
}

TEST(LimitsOf, a_stage_are_known_only_where_every_job_has_one) {
  test::Sample sample = test::sample_run();
  plan::Stage& stage = sample.plan.stages[2];
  EXPECT_EQ(limits_of(stage).expected, Duration::seconds(35));
  EXPECT_EQ(limits_of(stage).quota, 0U);
  stage.jobs[1].stop = {};
  stage.jobs[1].stop.total_operations = OpCount(500);
  EXPECT_EQ(limits_of(stage).expected, Duration());
  EXPECT_EQ(limits_of(stage).quota, 0U);
  stage.jobs[0].stop.total_operations = OpCount(1000);
  EXPECT_EQ(limits_of(stage).quota, 1500U);
  plan::Stage sleep;
  sleep.delay_after = Duration::seconds(9);
  EXPECT_EQ(limits_of(sleep).expected, Duration::seconds(9));
}

}  // namespace
}  // namespace loadline::report
