#include "plan/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "plan/testing.h"

namespace loadline::plan {
namespace {

using testing::full_plan;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::small_plan;

std::string file_text(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The text of a small plan with one piece of it replaced.
std::string changed(const std::string& from, const std::string& to) {
  std::string text = to_text(small_plan(), Secrets::revealed);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from << " is not in\n" << text;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

TEST(PlanText, gives_back_an_equal_plan_with_every_field_set) {
  const Plan plan = full_plan();
  const Result<Plan> again = from_text(to_text(plan, Secrets::revealed));
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(*again, plan);
}

TEST(PlanText, is_the_same_after_a_round_trip) {
  const std::string text = to_text(full_plan(), Secrets::revealed);
  EXPECT_EQ(to_text(*from_text(text), Secrets::revealed), text);
}

// LOADLINE_UPDATE_GOLDEN=1 writes the file anew.
TEST(PlanText, is_what_the_golden_file_says) {
  const std::string path = std::string(LOADLINE_TESTDATA) + "/full_plan.json";
  const std::string text = to_text(full_plan(), Secrets::masked);
  if (std::getenv("LOADLINE_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text;
  EXPECT_EQ(text, file_text(path));
}

TEST(PlanText, masks_secrets_that_are_set) {
  const std::string text = to_text(full_plan(), Secrets::masked);
  EXPECT_THAT(text, Not(HasSubstr("s3cr3t")));
  EXPECT_THAT(text, HasSubstr(R"("secretkey": "REDACTED")"));
  EXPECT_THAT(text, HasSubstr(R"("password": "")"));
  EXPECT_THAT(text, HasSubstr(R"("accesskey": "ak")"));
  EXPECT_TRUE(from_text(text));
}

TEST(PlanText, keeps_the_order_of_parameters) {
  Plan plan = small_plan();
  plan.stages[0].jobs[0].target.parameters.set("zebra", "1");
  plan.stages[0].jobs[0].target.parameters.set("ant", "2");
  EXPECT_EQ(*from_text(to_text(plan, Secrets::revealed)), plan);
}

TEST(PlanText, refuses_what_is_no_plan) {
  struct Case {
    std::string text;
    std::string message;
  };
  const Case cases[] = {
      {"", "not JSON: parse error at line 1, column 1"},
      {"{\n  x", "not JSON: parse error at line 2, column 3"},
      {"[]", "plan_version: no plan"},
      {"{}", "plan_version: no plan"},
      {R"({"plan_version": "1"})", "plan_version: no plan"},
      {R"({"plan_version": 2})",
       "plan_version: version 2 is not known; this build reads version 1"},
      {R"({"plan_version": 1})", "name: is missing"},
  };
  for (const Case& c : cases) {
    const Result<Plan> plan = from_text(c.text);
    ASSERT_FALSE(plan) << c.text;
    EXPECT_EQ(plan.error().code, ErrorCode::bad_input);
    EXPECT_THAT(plan.error().message(), HasSubstr(c.message));
  }
}

TEST(PlanText, names_the_field_that_it_refuses) {
  struct Case {
    std::string from;
    std::string to;
    std::string message;
  };
  const Case cases[] = {
      {R"("workers": 1)", R"("workers": 0)",
       "stages[0].jobs[0].workers: must be from 1 to 1000000"},
      {R"("workers": 1)", R"("workers": -1)",
       "stages[0].jobs[0].workers: is not a whole number from 0 to 4294967295"},
      {R"("workers": 1)", R"("workers": 1.5)",
       "stages[0].jobs[0].workers: is not a whole number from 0 to 4294967295"},
      {R"("workers": 1)", R"("workers": 4294967296)",
       "stages[0].jobs[0].workers: is not a whole number from 0 to 4294967295"},
      {R"("workers": 1)", R"("worker": 1)", "stages[0].jobs[0].workers: is missing"},
      {R"("workers": 1)", R"("workers": 1, "wrokers": 1)",
       "stages[0].jobs[0].wrokers: is no known field"},
      {R"("seed": 0)", R"("seed": 99999999999999999999)",
       "seed: is not a whole number from 0 to 18446744073709551615"},
      {R"("seed": 0)", R"("seed": 0, "x\ny": 1)", "x?y: is no known field"},
      {R"("action": "read")", R"("action": "reed")",
       "stages[0].jobs[0].ops[0].action: is none of read, write, "},
      {R"("kind": "constant")", R"("kind": 0)",
       "stages[0].jobs[0].ops[0].container.index.kind: is none of constant, "},
      {R"("runtime_s": 5)", R"("runtime_s": "5")",
       "stages[0].jobs[0].stop.runtime_s: is not a number of seconds"},
      {R"("runtime_s": 5)", R"("runtime_s": 1e300)",
       "stages[0].jobs[0].stop.runtime_s: is not a number of seconds"},
      {R"("runtime_s": 5)", R"("runtime_s": -5)", "stages[0].jobs[0].stop.runtime_s: is negative"},
      {R"("runtime_s": 5)", R"("runtime_s": 0)", "stages[0].jobs[0].stop: no limit"},
      {R"("one_pass": false)", R"("one_pass": 0)",
       "stages[0].jobs[0].stop.one_pass: is not true or false"},
      {R"("rate_per_second": 0.0)", R"("rate_per_second": null)",
       "stages[0].jobs[0].pace.rate_per_second: is not a number"},
      {R"("name": "small")", R"("name": ["small"])", "name: is not text"},
      {R"("parameters": {})", R"("parameters": [])",
       "stages[0].jobs[0].target.parameters: is not an object"},
      {R"("parameters": {})", R"("parameters": {"delay": 5})",
       "stages[0].jobs[0].target.parameters.delay: is not text"},
      {R"("arrival": "closed")", R"("arrival": "closed", "arrival": "constant")",
       "stages[0].jobs[0].pace.rate_per_second: must be above zero in an open loop"},
  };
  for (const Case& c : cases) {
    const Result<Plan> plan = from_text(changed(c.from, c.to));
    ASSERT_FALSE(plan) << c.to;
    EXPECT_THAT(plan.error().message(), HasSubstr(c.message));
    EXPECT_THAT(plan.error().message(), Not(HasSubstr("\n")));
  }
}

TEST(PlanText, comes_back_with_its_blocks) {
  Plan plan = small_plan();
  Job& job = plan.stages[0].jobs[0];
  job.ops.clear();
  BlockIo block;
  block.files = {{"/data/a", Bytes(1 << 30)}, {"/data/b", Bytes()}};
  block.uses = {true, true, false};
  block.sizes[1].split = {{.size = Bytes(4096), .percent = 40},
                          {.size = Bytes(65536), .percent = 60}};
  block.order[0] = {.placement = Placement::zoned, .zones = {{.access_percent = 60, .extent = 10}}};
  block.size.percent = 50;
  block.verify = {.checksum = Checksum::crc32c, .pattern = "deadbeef"};
  block.steady = SteadyRule{.of = SteadyRule::Of::latency, .limit = 0.5};
  block.latency_target = LatencyTarget{.limit = Duration::microseconds(200)};
  block.tolerance.ignored_write = {28};
  block.memory = {.kind = MemoryKind::file, .file = "/dev/shm/x", .place = MemoryPlace::bind};
  block.trims = {.percent = 10, .backlog = 64};
  block.trace = {.record = "/tmp/trace", .speed_percent = 200};
  block.end_on_error = EndScope::stage;
  block.flow = {.weight = -3, .id = 1};
  block.client = {.own_process = true, .user = 65534, .command_before = "sync"};
  job.block = block;
  job.after = "another";
  const Result<Plan> back = from_text(to_text(plan, Secrets::revealed));
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(*back, plan);
}

TEST(PlanText, comes_back_with_its_operations_on_names) {
  Plan plan = small_plan();
  OpSpec& op = plan.stages[0].jobs[0].ops[0];
  for (const Action action : {Action::create, Action::open, Action::rename, Action::append,
                              Action::truncate, Action::make_folder}) {
    op.action = action;
    op.size = SizeSpec{.value = Selector::constant(0)};
    op.new_name = {};
    if (action == Action::rename) op.new_name = {.prefix = "o", .suffix = ".r", .index = {}};
    const auto again = from_text(to_text(plan, Secrets::revealed));
    ASSERT_TRUE(again.has_value()) << again.error().message();
    EXPECT_EQ(*again, plan);
  }
}

TEST(PlanText, comes_back_with_its_streams) {
  Plan plan = small_plan();
  Job& job = plan.stages[0].jobs[0];
  job.ops.clear();
  job.stop = {};
  job.pace = {.arrival = Arrival::constant, .rate = Rate::per_second(100)};
  job.stream = StreamIo{.action = StreamAction::read_skip,
                        .folder = "/benchmarks/TestDFSIO/io_data",
                        .prefix = "test_io_",
                        .files = 500,
                        .size = Bytes(4ULL << 30),
                        .buffer = Bytes(8'388'608),
                        .skip = Bytes(1000),
                        .fill = StreamFill::random,
                        .verify = true,
                        .keep_going = true};
  Job put = job;
  put.stream = StreamIo{.action = StreamAction::put,
                        .folder = "/f",
                        .puts = {{"a", std::string("\x00\xff z", 4)}, {"b", ""}}};
  plan.stages[0].jobs.push_back(put);
  const std::string text = to_text(plan, Secrets::revealed);
  EXPECT_THAT(text, HasSubstr(R"("content_hex": "00ff207a")"));
  const Result<Plan> back = from_text(text);
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(*back, plan);
  for (const char* bad : {"00f", "0g", "x0", " 1"}) {
    std::string spoiled = text;
    spoiled.replace(spoiled.find("00ff207a"), 8, bad);
    const Result<Plan> refused = from_text(spoiled);
    ASSERT_FALSE(refused) << bad;
    EXPECT_THAT(refused.error().message(), HasSubstr("puts[0].content_hex: is not made of pairs"));
  }
}

TEST(PlanText, refuses_text_cut_short_anywhere) {
  const std::string text = to_text(small_plan(), Secrets::revealed);
  for (std::size_t length = 0; length + 2 < text.size(); length += 7) {
    EXPECT_FALSE(from_text(text.substr(0, length))) << length;
  }
}

TEST(PlanText, survives_deep_nesting) {
  const std::string deep(200'000, '[');
  EXPECT_FALSE(from_text(deep));
  EXPECT_FALSE(
      from_text(R"({"plan_version": 1, "name": )" + deep + std::string(deep.size(), ']') + "}"));
}

}  // namespace
}  // namespace loadline::plan
