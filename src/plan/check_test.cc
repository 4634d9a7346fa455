#include "plan/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "plan/testing.h"

namespace loadline::plan {
namespace {

using ::testing::StartsWith;

struct Case {
  std::string message;  // how the refusal begins
  std::function<void(Plan&, Job&, OpSpec&)> spoil;
};

void expect_refusals(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    Plan plan = testing::small_plan();
    c.spoil(plan, plan.stages[0].jobs[0], plan.stages[0].jobs[0].ops[0]);
    const Result<void> verdict = check(plan);
    ASSERT_FALSE(verdict) << c.message;
    EXPECT_EQ(verdict.error().code, ErrorCode::bad_input);
    EXPECT_THAT(verdict.error().message(), StartsWith(c.message));
  }
}

TEST(PlanCheck, accepts_sound_plans) {
  EXPECT_TRUE(check(testing::small_plan()));
  const Result<void> full = check(testing::full_plan());
  EXPECT_TRUE(full) << full.error().message();
}

TEST(PlanCheck, refuses_impossible_operations_on_names) {
  const std::string op = "stages[0].jobs[0].ops[0].";
  expect_refusals({
      {op + "new_name: is the object's own name",
       [](Plan&, Job&, OpSpec& o) {
         o.action = Action::rename;
         o.new_name = {.prefix = "o", .suffix = "", .index = {}};
       }},
      {op + "new_name.index: the number is the object's",
       [](Plan&, Job&, OpSpec& o) {
         o.action = Action::rename;
         o.new_name = {.prefix = "n", .suffix = "", .index = Selector::constant(1)};
       }},
      {op + "new_name: only a rename has one",
       [](Plan&, Job&, OpSpec& o) { o.new_name.prefix = "n"; }},
      {op + "size: is missing", [](Plan&, Job&, OpSpec& o) { o.action = Action::truncate; }},
      {op + "size: is missing", [](Plan&, Job&, OpSpec& o) { o.action = Action::append; }},
      {op + "object.index: is missing",
       [](Plan&, Job&, OpSpec& o) {
         o.action = Action::make_folder;
         o.object.index.reset();
       }},
      {op + "action: is one of results alone",
       [](Plan&, Job&, OpSpec& o) { o.action = Action::close; }},
  });
}

TEST(PlanCheck, refuses_impossible_plans_and_stages) {
  expect_refusals({
      {"name: is empty", [](Plan& p, Job&, OpSpec&) { p.name = ""; }},
      {"name: becomes part of file names", [](Plan& p, Job&, OpSpec&) { p.name = "a/b"; }},
      {"name: becomes part of file names", [](Plan& p, Job&, OpSpec&) { p.name = ".."; }},
      {"name: becomes part of file names", [](Plan& p, Job&, OpSpec&) { p.name = "a\nb"; }},
      {"name: is longer than", [](Plan& p, Job&, OpSpec&) { p.name = std::string(201, 'a'); }},
      {"name: is not UTF-8 text", [](Plan& p, Job&, OpSpec&) { p.name = "caf\xe9"; }},
      {"stages: a plan needs", [](Plan& p, Job&, OpSpec&) { p.stages.clear(); }},
      {"trigger.script: becomes part of file names",
       [](Plan& p, Job&, OpSpec&) { p.trigger = Trigger{.script = "../x", .arguments = {}}; }},
      {"stages[0].id: becomes part", [](Plan& p, Job&, OpSpec&) { p.stages[0].id = "s1/x"; }},
      {"stages[1].id: 's1-main' is the id of an earlier stage",
       [](Plan& p, Job&, OpSpec&) { p.stages.push_back(p.stages[0]); }},
      {"stages[0].name: is empty", [](Plan& p, Job&, OpSpec&) { p.stages[0].name = ""; }},
      {"stages[0].delay_after_s: is negative",
       [](Plan& p, Job&, OpSpec&) { p.stages[0].delay_after = Duration::seconds(-1); }},
      {"stages[0].delay_after_s: is too long to be kept to the nanosecond",
       [](Plan& p, Job&, OpSpec&) {
         p.stages[0].delay_after = Duration::nanoseconds(9'000'000'000'500'000'001);
       }},
      {"stages[0].trigger.arguments[1]: is not UTF-8 text",
       [](Plan& p, Job&, OpSpec&) {
         p.stages[0].trigger = Trigger{.script = "x", .arguments = {"ok", "\xff"}};
       }},
  });
}

TEST(PlanCheck, refuses_impossible_jobs) {
  expect_refusals({
      {"stages[0].jobs[0].name: is empty", [](Plan&, Job& j, OpSpec&) { j.name = ""; }},
      {"stages[0].jobs[0].target.type: is empty",
       [](Plan&, Job& j, OpSpec&) { j.target.type = ""; }},
      {"stages[0].jobs[0].target.parameters.k: is not UTF-8 text",
       [](Plan&, Job& j, OpSpec&) { j.target.parameters.set("k", "\xc0\x80"); }},
      {"stages[0].jobs[0].workers: must be", [](Plan&, Job& j, OpSpec&) { j.workers = 0; }},
      {"stages[0].jobs[0].workers: must be",
       [](Plan&, Job& j, OpSpec&) { j.workers = k_workers_max + 1; }},
      {"stages[0].jobs[0].interval_s: must be above zero",
       [](Plan&, Job& j, OpSpec&) { j.interval = Duration(); }},
      {"stages[0].jobs[0].acceptable_failures_per_million: must be",
       [](Plan&, Job& j, OpSpec&) { j.acceptable_failures_per_million = 1'000'001; }},
      {"stages[0].jobs[0].ops: a job needs", [](Plan&, Job& j, OpSpec&) { j.ops.clear(); }},
      {"stages[0].jobs[0].ops: the shares add up to 99, not to 100",
       [](Plan&, Job&, OpSpec& o) { o.share_percent = 99; }},
      {"stages[0].jobs[0].ops: the shares add up to 200",
       [](Plan&, Job& j, OpSpec&) { j.ops.push_back(OpSpec(j.ops[0])); }},
      {"stages[0].jobs[0].stop: no limit",
       [](Plan&, Job& j, OpSpec&) { j.stop.runtime = Duration(); }},
      {"stages[0].jobs[0].stop.one_pass: only walks",
       [](Plan&, Job& j, OpSpec&) { j.stop.one_pass = true; }},
      {"stages[0].jobs[0].stop.ramp_up_s: is negative",
       [](Plan&, Job& j, OpSpec&) { j.stop.ramp_up = Duration::nanoseconds(-1); }},
      {"stages[0].jobs[0].pace.rate_per_second: a closed loop has no rate",
       [](Plan&, Job& j, OpSpec&) { j.pace.rate = Rate::per_second(1); }},
      {"stages[0].jobs[0].pace.rate_per_second: must be above zero",
       [](Plan&, Job& j, OpSpec&) { j.pace.arrival = Arrival::constant; }},
      {"stages[0].jobs[0].pace.rate_per_second: is not a finite number",
       [](Plan&, Job& j, OpSpec&) {
         j.pace = {.arrival = Arrival::poisson,
                   .rate = Rate::per_second(std::numeric_limits<double>::infinity())};
       }},
  });
}

TEST(PlanCheck, refuses_impossible_operations) {
  const std::string op = "stages[0].jobs[0].ops[0]";
  expect_refusals({
      {op + ".name: is empty", [](Plan&, Job&, OpSpec& o) { o.name = ""; }},
      {op + ".share_percent: must be", [](Plan&, Job&, OpSpec& o) { o.share_percent = 0; }},
      {op + ".object.index: is missing", [](Plan&, Job&, OpSpec& o) { o.object.index.reset(); }},
      {op + ".size: is missing", [](Plan&, Job&, OpSpec& o) { o.action = Action::write; }},
      {op + ".size.unit_bytes: must be above zero",
       [](Plan&, Job&, OpSpec& o) { o.size = SizeSpec{Selector::constant(1), Bytes()}; }},
      {op + ".size: is above the largest size",
       [](Plan&, Job&, OpSpec& o) {
         o.size = SizeSpec{Selector::constant(INT64_MAX / 1000 + 1), Bytes(1000)};
       }},
      {op + ".part_size_bytes: must be above zero",
       [](Plan&, Job&, OpSpec& o) {
         o.action = Action::multipart_write;
         o.size = SizeSpec{Selector::constant(1), Bytes(1)};
       }},
      {op + ".remove_batch: must be", [](Plan&, Job&, OpSpec& o) { o.remove_batch = 0; }},
      {op + ".restore_days: must be", [](Plan&, Job&, OpSpec& o) { o.restore_days = 0; }},
      {op + ".random_range: only reads",
       [](Plan&, Job&, OpSpec& o) {
         o.action = Action::head;
         o.random_range = RandomRange{Bytes(2), Bytes(1)};
       }},
      {op + ".random_range.chunk_bytes: must be above zero",
       [](Plan&, Job&, OpSpec& o) { o.random_range = RandomRange{Bytes(2), Bytes()}; }},
      {op + ".random_range: the chunk is larger",
       [](Plan&, Job&, OpSpec& o) { o.random_range = RandomRange{Bytes(2), Bytes(3)}; }},
      {op + ".files_folder: is missing",
       [](Plan&, Job&, OpSpec& o) { o.action = Action::file_write; }},
      {op + ".file_choice: is missing",
       [](Plan&, Job&, OpSpec& o) {
         o.action = Action::file_write;
         o.files_folder = "x";
       }},
      {op + ".file_choice: files are counted from 1",
       [](Plan&, Job&, OpSpec& o) {
         o.action = Action::multipart_file_write;
         o.part_size = Bytes(1);
         o.files_folder = "x";
         o.file_choice = Selector::sequence(0, 3);
       }},
      {op + ".object.index: a walk needs a range",
       [](Plan&, Job&, OpSpec& o) { o.action = Action::cleanup; }},
  });
}

TEST(PlanCheck, refuses_impossible_selectors) {
  const std::string index = "stages[0].jobs[0].ops[0].object.index";
  const auto with = [](Selector selector) {
    return [selector](Plan&, Job&, OpSpec& o) { o.object.index = selector; };
  };
  using Kind = Selector::Kind;
  expect_refusals({
      {index + ": its lower bound", with(Selector::range(2, 1))},
      {index + ".lower: is negative", with(Selector::range(-1, 1))},
      {index + ".upper: is too large", with(Selector::range(0, INT64_MAX))},
      {index + ": a constant has one number", with({Kind::constant, 1, 2, {}})},
      {index + ".buckets: a histogram needs", with({Kind::histogram, 1, 2, {}})},
      {index + ".buckets: only a histogram", with({Kind::uniform, 1, 2, {{1, 2, 1}}})},
      {index + ".buckets[1]: its lower", with({Kind::histogram, 1, 2, {{1, 2, 1}, {3, 2, 1}}})},
      {index + ".buckets[0].weight: must be", with({Kind::histogram, 1, 2, {{1, 2, 0}}})},
      {index + ".buckets: the weights",
       with({Kind::histogram, 1, 2, {{1, 2, 1.7e308}, {1, 2, 1.7e308}}})},
      {index + ": a histogram cannot be divided",
       [](Plan&, Job&, OpSpec& o) {
         o.division = Division::object;
         o.object.index = Selector{Kind::histogram, 1, 2, {{1, 2, 1}}};
       }},
  });
}

// A job on streams instead of operations.
Job& make_stream(Job& job, StreamAction action) {
  job.ops.clear();
  job.stop = {};
  job.stream = StreamIo{.action = action, .folder = "f", .prefix = "p"};
  return job;
}

TEST(PlanCheck, accepts_sound_streams) {
  for (const StreamAction action :
       {StreamAction::write, StreamAction::append, StreamAction::read, StreamAction::read_random,
        StreamAction::read_backward, StreamAction::read_skip, StreamAction::truncate,
        StreamAction::put, StreamAction::remove}) {
    Plan plan = testing::small_plan();
    Job& job = make_stream(plan.stages[0].jobs[0], action);
    if (action == StreamAction::put) job.stream->puts = {{"a", "1"}};
    const Result<void> verdict = check(plan);
    EXPECT_TRUE(verdict) << to_string(action) << ": " << verdict.error().message();
  }
}

TEST(PlanCheck, refuses_impossible_streams) {
  const std::string stream = "stages[0].jobs[0].stream";
  const auto with = [](StreamAction action, std::function<void(StreamIo&)> spoil) {
    return [action, spoil](Plan&, Job& j, OpSpec&) { spoil(*make_stream(j, action).stream); };
  };
  const StreamAction write = StreamAction::write;
  expect_refusals({
      {"stages[0].jobs[0]: a job has operations, blocks or a stream",
       [](Plan&, Job& j, OpSpec&) { j.stream.emplace(); }},
      {"stages[0].jobs[0]: a job has operations, blocks or a stream",
       [](Plan&, Job& j, OpSpec&) { make_stream(j, StreamAction::read).block.emplace(); }},
      {"stages[0].jobs[0].stop: a job on streams ends",
       [](Plan&, Job& j, OpSpec&) {
         make_stream(j, StreamAction::read).stop.runtime = Duration::seconds(1);
       }},
      {"stages[0].jobs[0].pace.arrival: calls of a stream",
       [](Plan&, Job& j, OpSpec&) {
         make_stream(j, StreamAction::read).pace = {Arrival::poisson, Rate::per_second(1)};
       }},
      {stream + ".folder: is empty", with(write, [](StreamIo& s) { s.folder = ""; })},
      {stream + ".prefix: is no beginning", with(write, [](StreamIo& s) { s.prefix = "a/b"; })},
      {stream + ".files: must be from 1", with(write, [](StreamIo& s) { s.files = 0; })},
      {stream + ".files: must be from 1", with(write, [](StreamIo& s) { s.files = UINT64_MAX; })},
      {stream + ".buffer_bytes: must be from 1",
       with(write, [](StreamIo& s) { s.buffer = Bytes(); })},
      {stream + ".buffer_bytes: must be from 1",
       with(write, [](StreamIo& s) { s.buffer = Bytes(1ULL << 31); })},
      {stream + ".size_bytes: is too large",
       with(write, [](StreamIo& s) { s.size = Bytes(UINT64_MAX); })},
      {stream + ".verify: only reads", with(write, [](StreamIo& s) { s.verify = true; })},
      {stream + ".puts: only put has", with(write, [](StreamIo& s) { s.puts = {{"a", ""}}; })},
      {stream + ".puts: names no file", with(StreamAction::put, [](StreamIo&) {})},
      {stream + ".puts: names no file",
       with(StreamAction::remove, [](StreamIo& s) { s.prefix = ""; })},
      {stream + ".puts[1].name: is no name",
       with(StreamAction::put, [](StreamIo& s) { s.puts = {{"a", ""}, {"..", ""}}; })},
  });
}

TEST(PlanCheck, lets_a_walk_go_without_objects_and_without_a_limit) {
  Plan plan = testing::small_plan();
  Job& job = plan.stages[0].jobs[0];
  job.stop = {};
  job.ops[0].action = Action::prepare;
  job.ops[0].object.index.reset();
  const Result<void> verdict = check(plan);
  EXPECT_TRUE(verdict) << verdict.error().message();
}

TEST(PlanCheck, accepts_every_well_formed_utf8_sequence_length) {
  Plan plan = testing::small_plan();
  plan.description = "a \xc2\xa2 \xe2\x82\xac \xf0\x90\x8d\x88";
  EXPECT_TRUE(check(plan));
  for (const char* bad : {"\x80", "\xe2\x82", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe0\x80\x80"}) {
    plan.description = bad;
    EXPECT_FALSE(check(plan)) << bad;
  }
}

}  // namespace
}  // namespace loadline::plan
