#include "dialects/cosbench/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dialects/cosbench/testing.h"

namespace loadline::dialects::cosbench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const char* const k_workload = R"x(<workload name="w">
  <workflow>
    <workstage name="prep. one">
      <work type="prepare" workers="2" config="containers=r(1,2);objects=r(1,4);sizes=c(1)KB"/>
      <storage type="s3" config="accesskey=AK;secretkey=SK;endpoint=http://a:1"/>
    </workstage>
    <workstage name="main">
      <work name="mix" workers="8" totalOps="10">
        <storage type="s3" config="accesskey=AK;secretkey=SK"/>
        <operation type="read" ratio="50" config="containers=c(1);objects=c(1)"/>
        <operation type="write" ratio="50"
                   config="name=hot;containers=c(1);objects=c(1);sizes=c(2)KB"/>
      </work>
      <work name="other" workers="8" totalOps="10">
        <storage type="s3" config="accesskey=AK;secretkey=SK"/>
        <operation type="read" config="containers=c(1);objects=c(1)"/>
      </work>
    </workstage>
  </workflow>
</workload>)x";

plan::Plan with(std::vector<report::Setting> settings) {
  const auto parsed = parse_for_test(k_workload, std::move(settings));
  EXPECT_TRUE(parsed.plan) << messages(parsed);
  return parsed.plan.value_or(plan::Plan{});
}

std::string refusal(std::vector<report::Setting> settings) {
  const auto parsed = parse_for_test(k_workload, std::move(settings));
  EXPECT_FALSE(parsed.plan);
  return messages(parsed);
}

TEST(Settings, change_an_attribute_at_every_match) {
  const plan::Plan plan = with({{"storage.type", "mock"}});
  for (const auto& stage : plan.stages) {
    for (const auto& job : stage.jobs) EXPECT_EQ(job.target.type, "mock");
  }
  EXPECT_EQ(plan.stages[0].jobs[0].target.parameters.text("endpoint", ""), "http://a:1");
}

TEST(Settings, give_a_storage_to_works_that_have_none) {
  const auto parsed = parse_for_test(
      R"x(<workload name="w"><workflow><workstage name="a"><work name="a" workers="1" totalOps="1">
         <operation type="read" config="containers=c(1);objects=c(1)"/></work></workstage>
         </workflow></workload>)x",
      {{"storage.type", "s3"}, {"storage.config.endpoint", "http://e:2"}});
  ASSERT_TRUE(parsed.plan) << messages(parsed);
  EXPECT_EQ(parsed.plan->stages[0].jobs[0].target.type, "s3");
  EXPECT_EQ(parsed.plan->stages[0].jobs[0].target.parameters.text("endpoint", ""), "http://e:2");
}

TEST(Settings, runtime_reaches_normal_works_only) {
  const plan::Plan plan = with({{"work.runtime", "5"}});
  EXPECT_TRUE(plan.stages[0].jobs[0].stop.one_pass);
  EXPECT_EQ(plan.stages[0].jobs[0].stop.runtime, Duration());
  EXPECT_EQ(plan.stages[1].jobs[0].stop.runtime, Duration::seconds(5));
  EXPECT_EQ(plan.stages[1].jobs[0].stop.total_operations, OpCount(10));
}

TEST(Settings, are_narrowed_by_names_with_dots_and_blanks) {
  const plan::Plan plan = with({{"workstage[main].work.workers", "16"},
                                {"workstage[prep. one].work.workers", "3"},
                                {"work[mix].operation[read].config.objects", "u(1,9)"},
                                {"operation[hot].config.sizes", "c(7)MB"}});
  EXPECT_EQ(plan.stages[0].jobs[0].workers, 3U);
  EXPECT_EQ(plan.stages[1].jobs[0].workers, 16U);
  EXPECT_EQ(plan.stages[1].jobs[0].ops[0].object.index, plan::Selector::uniform(1, 9));
  EXPECT_EQ(plan.stages[1].jobs[1].ops[0].object.index, plan::Selector::constant(1));
  EXPECT_EQ(plan.stages[1].jobs[0].ops[1].size->unit, Bytes(1'000'000));
}

TEST(Settings, reach_descendants_where_there_is_no_such_child) {
  const plan::Plan plan = with({{"workstage[main].operation.config.containers", "c(9)"}});
  EXPECT_EQ(plan.stages[1].jobs[1].ops[0].container.index, plan::Selector::constant(9));
  EXPECT_EQ(plan.stages[0].jobs[0].ops[0].container.index, plan::Selector::range(1, 2));
}

TEST(Settings, key_is_changed_where_written_and_added_where_nowhere_written) {
  plan::Plan plan = with({{"operation.config.sizes", "c(4)KB"}});
  EXPECT_EQ(plan.stages[1].jobs[0].ops[0].source, "containers=c(1);objects=c(1)");
  EXPECT_EQ(plan.stages[1].jobs[0].ops[1].size->value, plan::Selector::constant(4));
  EXPECT_EQ(plan.stages[0].jobs[0].ops[0].size->value, plan::Selector::constant(1));
  plan = with({{"operation.config.hashCheck", "true"}});
  EXPECT_TRUE(plan.stages[1].jobs[0].ops[0].hash_trailer);
  EXPECT_TRUE(plan.stages[1].jobs[1].ops[0].hash_trailer);
}

TEST(Settings, storage_key_reaches_every_storage_and_config_replaces_all) {
  plan::Plan plan = with({{"storage.config.endpoint", "http://b:2"}});
  EXPECT_EQ(plan.stages[1].jobs[0].target.parameters.text("endpoint", ""), "http://b:2");
  EXPECT_EQ(plan.stages[1].jobs[0].target.parameters.text("accesskey", ""), "AK");
  plan = with({{"storage.config", "endpoint=http://c:3"}});
  EXPECT_EQ(plan.stages[1].jobs[1].target.parameters.entries().size(), 1U);
}

TEST(Settings, rename_the_workload) {
  EXPECT_EQ(with({{"workload.name", "x"}, {"workload.description", "d"}}).name, "x");
  EXPECT_EQ(refusal({{"workload.name", "a/b"}}),
            "--set workload.name: error: workload name 'a/b' cannot name a file; leave out '/' and "
            "control characters\n");
}

TEST(Settings, warn_where_every_operation_has_its_own) {
  const auto warnings = [](std::vector<report::Setting> settings) {
    return messages(parse_for_test(k_workload, std::move(settings)));
  };
  EXPECT_THAT(warnings({{"workstage[main].work.config.containers", "c(2)"}}),
              HasSubstr("changes nothing"));
  EXPECT_THAT(warnings({{"work.config.containers", "c(2)"}}), Not(HasSubstr("changes nothing")));
}

TEST(Settings, to_nothing_are_refused_as_in_the_file) {
  EXPECT_THAT(refusal({{"work.type", ""}}), HasSubstr("work type cannot be empty"));
  EXPECT_THAT(refusal({{"work.division", ""}}), HasSubstr("work must have a default division"));
}

TEST(Settings, refuse_a_path_that_matches_nothing_and_name_the_nearest) {
  EXPECT_EQ(refusal({{"work.runtme", "5"}}),
            "--set work.runtme: error: matches nothing in this workload; the nearest is "
            "work.runtime\n");
  EXPECT_EQ(
      refusal({{"runtime", "5"}}),
      "--set runtime: error: matches nothing in this workload; the nearest is work.runtime\n");
  EXPECT_EQ(refusal({{"workstage[mian].work.workers", "5"}}),
            "--set workstage[mian].work.workers: error: matches nothing in this workload; the "
            "nearest is workstage[main]\n");
  EXPECT_EQ(refusal({{"operation.config.szies", "c(4)KB"}}),
            "--set operation.config.szies: error: matches nothing in this workload; the nearest is "
            "operation.config.sizes\n");
  EXPECT_EQ(refusal({{"auth.config.username", "u"}}),
            "--set auth.config.username: error: there is no <auth> in this workload; set auth.type "
            "first\n");
  EXPECT_EQ(refusal({{"work", "5"}}),
            "--set work: error: names an element; add the attribute to set, like work.name\n");
  EXPECT_EQ(refusal({{"work[", "5"}, {"", "5"}}).find("matches nothing") == std::string::npos,
            false);
}

TEST(Settings, are_the_place_of_a_wrong_value_which_is_not_shown_for_secrets) {
  EXPECT_EQ(refusal({{"work.workers", "abc"}}),
            "--set work.workers: error: For input string: \"abc\"; workers is a whole number up to "
            "2147483647 (stage prep. one, work prepare)\n");
  EXPECT_EQ(refusal({{"operation.config.objects", "u(0,1)"}}),
            "--set operation.config.objects: error: illegal uniform distribution pattern: u(0,1); "
            "u(a,b) has whole numbers with 1 <= a <= b (stage main, work mix, operation 1)\n");
  EXPECT_EQ(
      refusal({{"storage.config.secretkey", "hush;x"}}),
      "--set storage.config.secretkey: error: the value of one config key cannot hold ';'; set "
      "the whole config instead\n");
}

TEST(Settings, replace_placeholders_of_a_published_sample) {
  const std::string text = read_file(LOADLINE_TESTDATA "/cases/s3-sample-four-drivers.xml");
  EXPECT_FALSE(parse_for_test(text).plan);
  const auto parsed = parse_for_test(text, {{"storage.config.endpoint", "http://127.0.0.1:1"}});
  EXPECT_TRUE(parsed.plan) << messages(parsed);
}

}  // namespace
}  // namespace loadline::dialects::cosbench
