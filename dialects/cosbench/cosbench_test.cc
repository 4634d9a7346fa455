// From text to plan.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "dialects/cosbench/testing.h"
#include "plan/check.h"
#include "plan/text.h"

namespace loadline::dialects::cosbench {
namespace {

namespace fs = std::filesystem;
using plan::Action;
using plan::Division;
using plan::Selector;

plan::Plan plan_of(const std::string& text) {
  const auto parsed = parse_for_test(text);
  EXPECT_TRUE(parsed.plan) << messages(parsed);
  if (!parsed.plan) return {};
  const auto checked = plan::check(*parsed.plan);
  EXPECT_TRUE(checked) << (checked ? "" : checked.error().message());
  return *parsed.plan;
}
plan::Job job_of(const std::string& work_attributes, const std::string& operations = "") {
  const plan::Plan plan = plan_of(one_work(work_attributes, operations));
  return plan.stages.empty() || plan.stages[0].jobs.empty() ? plan::Job{} : plan.stages[0].jobs[0];
}
plan::OpSpec op_of(const std::string& attributes) {
  const plan::Job job =
      job_of("name=\"m\" workers=\"2\" totalOps=\"10\"", "<operation " + attributes + "/>");
  return job.ops.empty() ? plan::OpSpec{} : job.ops[0];
}

TEST(Cosbench, recognises_xml_and_nothing_else) {
  const report::Dialect dialect = cosbench_dialect();
  EXPECT_TRUE(dialect.recognises("w.xml", ""));
  EXPECT_TRUE(dialect.recognises("w", "\xef\xbb\xbf\n <workload"));
  EXPECT_FALSE(dialect.recognises("job.fio", "[global]\nrw=read"));
}

TEST(Cosbench, fills_in_the_defaults) {
  const plan::Job job =
      job_of("name=\"m\" workers=\"2\" runtime=\"30\"",
             "<operation type=\"read\" config=\"containers=u(1,4);objects=u(1,50)\"/>");
  EXPECT_EQ(job.label, "normal");
  EXPECT_EQ(job.interval, Duration::seconds(5));
  EXPECT_EQ(job.acceptable_failures_per_million, 200'000U);
  EXPECT_EQ(job.stop.runtime, Duration::seconds(30));
  EXPECT_EQ(job.pace.arrival, plan::Arrival::closed);
  ASSERT_EQ(job.ops.size(), 1U);
  EXPECT_EQ(job.ops[0].share_percent, 100U);
  EXPECT_EQ(job.ops[0].division, Division::none);
  EXPECT_EQ(job.ops[0].container, (plan::NameSpec{"mycontainers", "", Selector::uniform(1, 4)}));
  EXPECT_EQ(job.ops[0].object, (plan::NameSpec{"myobjects", "", Selector::uniform(1, 50)}));
  EXPECT_TRUE(job.ops[0].response_histogram);
  EXPECT_FALSE(job.ops[0].hash_trailer);
}

TEST(Cosbench, inner_config_keys_win_over_outer_ones) {
  const plan::Plan plan = plan_of(
      "<workload name=\"w\" config=\"cprefix=a;oprefix=a;osuffix=a;csuffix=a;containers=c(1)\">"
      "<workflow config=\"oprefix=b;osuffix=b;csuffix=b\">"
      "<workstage name=\"m\" config=\"osuffix=c;csuffix=c\">"
      "<work name=\"m\" workers=\"1\" totalOps=\"1\" config=\"csuffix=d;objects=c(2)\">"
      "<operation type=\"read\" "
      "config=\"objects=c(3)\"/></work></workstage></workflow></workload>");
  const plan::OpSpec& op = plan.stages[0].jobs[0].ops[0];
  EXPECT_EQ(op.container.prefix, "a");
  EXPECT_EQ(op.object.prefix, "b");
  EXPECT_EQ(op.object.suffix, "c");
  EXPECT_EQ(op.container.suffix, "d");
  EXPECT_EQ(op.object.index, Selector::constant(3));
  EXPECT_EQ(op.source, "cprefix=a;oprefix=b;osuffix=c;csuffix=d;containers=c(1);objects=c(3)");
}

TEST(Cosbench, nearest_storage_element_is_taken_whole) {
  const plan::Plan plan = plan_of(
      "<workload name=\"w\"><workflow>"
      "<workstage name=\"a\"><work name=\"w1\" workers=\"1\" totalOps=\"1\">"
      "<operation type=\"read\" config=\"containers=c(1);objects=c(1)\"/></work>"
      "<work name=\"w2\" workers=\"1\" totalOps=\"1\"><storage type=\"s3\"/>"
      "<operation type=\"read\" config=\"containers=c(1);objects=c(1)\"/></work>"
      "<storage type=\"mock\" config=\"delay=3; size = 4\"/></workstage>"
      "<workstage name=\"b\"><work name=\"w3\" workers=\"1\" totalOps=\"1\">"
      "<operation type=\"read\" config=\"containers=c(1);objects=c(1)\"/></work></workstage>"
      "</workflow><storage type=\"s3\" config=\"endpoint=e\"/></workload>");
  EXPECT_EQ(plan.stages[0].jobs[0].target.type, "mock");
  EXPECT_EQ(plan.stages[0].jobs[0].target.parameters.text("size", ""), "4");
  EXPECT_EQ(plan.stages[0].jobs[1].target.type, "s3");
  EXPECT_TRUE(plan.stages[0].jobs[1].target.parameters.entries().empty());
  EXPECT_EQ(plan.stages[1].jobs[0].target.parameters.text("endpoint", ""), "e");
}

TEST(Cosbench, storage_is_none_where_nobody_names_one) {
  const plan::Plan plan = plan_of(
      "<workload name=\"w\"><workflow><workstage name=\"a\"><work name=\"a\" workers=\"1\" "
      "totalOps=\"1\"><operation type=\"read\" config=\"containers=c(1);objects=c(1)\"/></work>"
      "</workstage></workflow></workload>");
  EXPECT_EQ(plan.stages[0].jobs[0].target.type, "none");
}

TEST(Cosbench, rewrites_init_and_dispose) {
  const plan::Job init = job_of(
      "type=\"init\" workers=\"3\" runtime=\"9\" division=\"nonsense\" "
      "config=\"containers=r(1,4)\"",
      "<operation type=\"read\" ratio=\"7\"/>");
  EXPECT_EQ(init.name, "init");
  EXPECT_TRUE(init.stop.one_pass);
  EXPECT_EQ(init.stop.runtime, Duration());
  EXPECT_EQ(init.acceptable_failures_per_million, 0U);
  ASSERT_EQ(init.ops.size(), 1U);
  EXPECT_EQ(init.ops[0].action, Action::prepare);
  EXPECT_EQ(init.ops[0].label, "init");
  EXPECT_EQ(init.ops[0].name, "init-write");
  EXPECT_EQ(init.ops[0].division, Division::container);
  EXPECT_TRUE(init.ops[0].create_containers);
  EXPECT_EQ(init.ops[0].container.index, Selector::range(1, 4));
  EXPECT_FALSE(init.ops[0].object.index);
  const plan::Job dispose = job_of("type=\"dispose\" workers=\"3\" config=\"containers=1-4\"");
  EXPECT_EQ(dispose.ops[0].action, Action::cleanup);
  EXPECT_EQ(dispose.ops[0].name, "dispose-delete");
  EXPECT_TRUE(dispose.ops[0].remove_containers);
}

TEST(Cosbench, inherited_objects_make_an_init_write_them) {
  const plan::Plan plan = plan_of(
      "<workload name=\"w\" config=\"objects=r(1,8);sizes=c(1)KB\"><workflow><workstage name=\"i\">"
      "<work type=\"init\" workers=\"1\" config=\"containers=r(1,2)\"/></workstage></workflow>"
      "</workload>");
  const plan::OpSpec& op = plan.stages[0].jobs[0].ops[0];
  EXPECT_EQ(op.object.index, Selector::range(1, 8));
  EXPECT_EQ(op.size->unit, Bytes(1000));
}

TEST(Cosbench, rewrites_prepare_and_cleanup) {
  const plan::Job prepare = job_of(
      "type=\"prepare\" workers=\"3\" afr=\"7\" config=\"containers=r(1,4);objects=r(1,9);"
      "sizes=u(1,64)MB\"");
  EXPECT_EQ(prepare.acceptable_failures_per_million, 7U);
  EXPECT_EQ(prepare.ops[0].division, Division::object);
  EXPECT_FALSE(prepare.ops[0].create_containers);
  EXPECT_EQ(prepare.ops[0].size->value, Selector::uniform(1, 64));
  EXPECT_TRUE(job_of("type=\"prepare\" workers=\"1\" config=\"containers=r(1,4);objects=r(1,9);"
                     "sizes=c(1)B;createContainer=Yes\"")
                  .ops[0]
                  .create_containers);
  const plan::Job cleanup =
      job_of("type=\"cleanup\" workers=\"1\" config=\"containers=c(2);objects=s(1,9)\"");
  EXPECT_EQ(cleanup.ops[0].name, "cleanup-delete");
  EXPECT_FALSE(cleanup.ops[0].remove_containers);
  EXPECT_EQ(cleanup.ops[0].container.index, Selector::range(2, 2));
  EXPECT_EQ(cleanup.ops[0].object.index, Selector::range(1, 9));
  // Written by hand, the operation makes containers.
  EXPECT_TRUE(op_of("type=\"prepare\" config=\"containers=r(1,1);objects=r(1,1);sizes=c(1)B\"")
                  .create_containers);
}

TEST(Cosbench, prepare_of_no_objects_divides_nothing) {
  const plan::Job job = job_of(
      "type=\"prepare\" workers=\"1\" config=\"containers=r(1,4);objects=r(0,0);sizes=c(1)B;"
      "createContainer=true\"");
  EXPECT_EQ(job.ops[0].division, Division::none);
  EXPECT_FALSE(job.ops[0].size);
}

TEST(Cosbench, stage_named_delay_sleeps_and_so_do_delay_works_elsewhere) {
  const std::string read =
      "<work name=\"r\" workers=\"1\" totalOps=\"1\"><operation type=\"read\" "
      "config=\"containers=c(1);objects=c(1)\"/></work>";
  const plan::Plan plan = plan_of(
      "<workload name=\"w\"><workflow>"
      "<workstage name=\"delay\" closuredelay=\"5\"><work type=\"delay\"/></workstage>"
      "<workstage name=\"pause\" closuredelay=\"6\"><work type=\"delay\" "
      "workers=\"128\"/></workstage>"
      "<workstage name=\"delay\" closuredelay=\"7\">" +
      read +
      "</workstage>"
      "<workstage name=\"delay\">" +
      read +
      "</workstage>"
      "<workstage name=\"run\" closuredelay=\"8\"><work type=\"delay\"/>" +
      read +
      "</workstage>"
      "</workflow></workload>");
  ASSERT_EQ(plan.stages.size(), 5U);
  EXPECT_TRUE(plan.stages[0].jobs.empty());
  EXPECT_EQ(plan.stages[0].delay_after, Duration::seconds(5));
  EXPECT_TRUE(plan.stages[1].jobs.empty());
  EXPECT_EQ(plan.stages[1].id, "s2-pause");
  EXPECT_TRUE(plan.stages[2].jobs.empty());
  EXPECT_EQ(plan.stages[3].jobs.size(), 1U);
  EXPECT_EQ(plan.stages[3].delay_after, Duration());
  EXPECT_EQ(plan.stages[4].jobs.size(), 1U);
  EXPECT_EQ(plan.stages[4].delay_after, Duration::seconds(8));
}

TEST(Cosbench, drops_operations_of_ratio_zero) {
  const plan::Job job =
      job_of("name=\"m\" workers=\"1\" totalOps=\"1\"",
             "<operation type=\"nonsense\" ratio=\"0\"/>"
             "<operation type=\"read\" config=\"containers=c(1);objects=c(1)\"/>");
  ASSERT_EQ(job.ops.size(), 1U);
  EXPECT_EQ(job.ops[0].name, "read");
}

TEST(Cosbench, numbers_operations_whose_type_repeats) {
  const std::string config = " config=\"containers=c(1);objects=c(1);sizes=c(1)B\"/>";
  const plan::Job job = job_of(
      "name=\"m\" workers=\"1\" totalOps=\"1\"",
      "<operation type=\"read\" ratio=\"25\"" + config + "<operation type=\"write\" ratio=\"25\"" +
          config + "<operation type=\"read\" ratio=\"25\"" + config +
          "<operation type=\"read\" ratio=\"25\" config=\"name=hot.set;containers=c(1);"
          "objects=c(1)\"/>");
  ASSERT_EQ(job.ops.size(), 4U);
  EXPECT_EQ(job.ops[0].name, "1-read-read");
  EXPECT_EQ(job.ops[1].name, "1-write-write");
  EXPECT_EQ(job.ops[2].name, "2-read-read");
  EXPECT_EQ(job.ops[3].name, "hot-read");
}

TEST(Cosbench, ramps_count_only_beside_a_runtime) {
  const std::string op = "<operation type=\"read\" config=\"containers=c(1);objects=c(1)\"/>";
  plan::Job job = job_of(
      "name=\"m\" workers=\"1\" runtime=\"9\" rampup=\"3\" rampdown=\"2\" "
      "totalBytes=\"3000000000\"",
      op);
  EXPECT_EQ(job.stop.ramp_up, Duration::seconds(3));
  EXPECT_EQ(job.stop.ramp_down, Duration::seconds(2));
  EXPECT_EQ(job.stop.total_bytes, Bytes(3'000'000'000));
  job = job_of("name=\"m\" workers=\"1\" totalOps=\"9\" rampup=\"3\" rampdown=\"2\"", op);
  EXPECT_EQ(job.stop.ramp_up, Duration());
  EXPECT_EQ(job.stop.ramp_down, Duration());
}

TEST(Cosbench, rate_opens_the_loop) {
  const std::string op = "<operation type=\"read\" config=\"containers=c(1);objects=c(1)\"/>";
  plan::Job job = job_of("name=\"m\" workers=\"1\" runtime=\"9\" rate=\"12.5\"", op);
  EXPECT_EQ(job.pace.arrival, plan::Arrival::constant);
  EXPECT_EQ(job.pace.rate, Rate::per_second(12.5));
  job = job_of("name=\"m\" workers=\"1\" runtime=\"9\" rate=\"100\" arrival=\"poisson\"", op);
  EXPECT_EQ(job.pace.arrival, plan::Arrival::poisson);
}

TEST(Cosbench, division_of_an_operation_wins_over_its_works) {
  const plan::Job job = job_of("name=\"m\" workers=\"1\" runtime=\"9\" division=\"container\"",
                               "<operation type=\"read\" ratio=\"50\" division=\"object\" "
                               "config=\"name=a;containers=c(1);objects=r(1,9)\"/>"
                               "<operation type=\"read\" ratio=\"50\" "
                               "config=\"name=b;containers=r(1,9);objects=c(1)\"/>");
  EXPECT_EQ(job.ops[0].division, Division::object);
  EXPECT_EQ(job.ops[1].division, Division::container);
}

TEST(Cosbench, list_of_a_container_is_not_narrowed_by_the_default_prefix) {
  plan::OpSpec op = op_of("type=\"list\" config=\"containers=c(1)\"");
  EXPECT_EQ(op.action, Action::list);
  EXPECT_EQ(op.object, (plan::NameSpec{}));
  op = op_of("type=\"list\" config=\"containers=c(1);oprefix=logs/\"");
  EXPECT_EQ(op.object.prefix, "logs/");
  op = op_of("type=\"list\" config=\"containers=c(1);objects=c(7)\"");
  EXPECT_EQ(op.object, (plan::NameSpec{"myobjects", "", Selector::constant(7)}));
}

TEST(Cosbench, understands_content_hash_and_histogram) {
  plan::OpSpec op = op_of(
      "type=\"write\" "
      "config=\"containers=c(1);objects=c(1);sizes=c(0)B;content=zero;hashCheck=True;"
      "histogram=off\"");
  EXPECT_EQ(op.content, plan::Content::zero);
  EXPECT_TRUE(op.hash_trailer);
  EXPECT_FALSE(op.response_histogram);
  EXPECT_EQ(op.size, (plan::SizeSpec{Selector::constant(0), Bytes(1)}));
  op = op_of("type=\"write\" config=\"containers=c(1);objects=c(1);sizes=c(0)B;content=text\"");
  EXPECT_EQ(op.content, plan::Content::random);
}

TEST(Cosbench, knows_the_operations_of_the_branch) {
  plan::OpSpec op = op_of("type=\"mwrite\" config=\"containers=c(1);objects=c(1);sizes=c(9)MB\"");
  EXPECT_EQ(op.action, Action::multipart_write);
  EXPECT_EQ(op.part_size, Bytes(5U << 20U));
  EXPECT_EQ(op.name, "mwrite");
  EXPECT_EQ(op_of("type=\"head\" config=\"containers=c(1);objects=c(1)\"").action, Action::head);
  op = op_of("type=\"restore\" config=\"containers=c(1);objects=c(1);restore_days=4\"");
  EXPECT_EQ(op.action, Action::restore);
  EXPECT_EQ(op.restore_days, 4U);
  const plan::Plan plan = plan_of(
      "<workload name=\"w\"><storage type=\"siov2\" config=\"part_size=6000000;"
      "is_range_request=true;file_length=15000000;chunk_length=5000000\"/><workflow>"
      "<workstage name=\"m\"><work type=\"mprepare\" workers=\"1\" "
      "config=\"containers=r(1,2);objects=r(1,3);sizes=c(64)KiB\"/>"
      "<work name=\"r\" workers=\"1\" totalOps=\"1\"><operation type=\"read\" "
      "config=\"containers=c(1);objects=c(1)\"/></work></workstage></workflow></workload>");
  const auto& jobs = plan.stages[0].jobs;
  EXPECT_EQ(jobs[0].target.type, "s3");
  EXPECT_EQ(jobs[0].ops[0].action, Action::multipart_prepare);
  EXPECT_EQ(jobs[0].ops[0].name, "mprepare-write");
  EXPECT_EQ(jobs[0].ops[0].part_size, Bytes(6'000'000));
  EXPECT_TRUE(jobs[0].stop.one_pass);
  EXPECT_EQ(jobs[1].ops[0].random_range, (plan::RandomRange{Bytes(15'000'000), Bytes(5'000'000)}));
}

TEST(Cosbench, knows_operations_on_names_and_lengths) {
  const auto typed = [](const std::string& type, const std::string& more = "") {
    return op_of("type=\"" + type + "\" config=\"containers=c(1);objects=r(1,9)" + more + "\"");
  };
  plan::OpSpec op = typed("create");
  EXPECT_EQ(op.action, Action::create);
  EXPECT_EQ(op.name, "create");
  EXPECT_EQ(op.size->value, Selector::constant(0)) << "empty, where no sizes are given";
  EXPECT_EQ(typed("create", ";sizes=c(4)KB").size->unit, Bytes(1000));
  EXPECT_EQ(typed("open").action, Action::open);
  EXPECT_EQ(typed("mkdir").action, Action::make_folder);
  op = typed("append", ";sizes=c(4)KB;hashCheck=true");
  EXPECT_EQ(op.action, Action::append);
  EXPECT_FALSE(op.hash_trailer) << "a hash is of a whole object";
  op = typed("truncate");
  EXPECT_EQ(op.action, Action::truncate);
  EXPECT_EQ(op.size->value, Selector::constant(0));
  op = typed("rename", ";oprefix=f;osuffix=.x;newprefix=r");
  EXPECT_EQ(op.action, Action::rename);
  EXPECT_EQ(op.new_name.prefix, "r");
  EXPECT_EQ(op.new_name.suffix, ".x") << "stays where it is not given";
}

TEST(Cosbench, file_writes_choose_among_the_files_of_a_folder) {
  const fs::path folder = fs::path(testing::TempDir()) / "cosbench_files";
  fs::create_directories(folder / "sub");
  for (const char* name : {"b", "a", "c"}) std::ofstream(folder / name) << "x";
  const std::string files = "files=" + folder.string();
  plan::OpSpec op =
      op_of("type=\"filewrite\" config=\"containers=c(1);fileselection=s(1,9);" + files + "\"");
  EXPECT_EQ(op.action, Action::file_write);
  EXPECT_EQ(op.files_folder, folder.string());
  EXPECT_EQ(op.file_choice, Selector::sequence(1, 3));
  EXPECT_FALSE(op.object.index);
  op = op_of("type=\"mfilewrite\" config=\"containers=c(1);fileselection=u;" + files + "\"");
  EXPECT_EQ(op.file_choice, Selector::uniform(1, 3));
  op = op_of("type=\"localwrite\" config=\"containers=c(1);objects=c(1);" + files + "/b\"");
  EXPECT_EQ(op.files_folder, folder.string());
  EXPECT_EQ(op.file_choice, Selector::constant(2));
  fs::remove_all(folder);
}

TEST(Cosbench, reads_triggers) {
  const plan::Plan plan = plan_of(
      "<workload name=\"w\" trigger=\"start.sh(a,b c,)\"><workflow>"
      "<workstage name=\"m\" trigger=\"stage.sh()\"><work type=\"init\" workers=\"1\" "
      "config=\"containers=r(1,1)\"/></workstage></workflow></workload>");
  ASSERT_TRUE(plan.trigger);
  EXPECT_EQ(plan.trigger->script, "start.sh");
  EXPECT_EQ(plan.trigger->arguments, (std::vector<std::string>{"a", "b c"}));
  EXPECT_EQ(plan.stages[0].trigger->script, "stage.sh");
}

TEST(Cosbench, keeps_seed_driver_and_dialect) {
  const plan::Plan plan =
      plan_of(one_work("name=\"m\" workers=\"1\" runtime=\"9\" driver=\"driver3\"",
                       "<operation type=\"read\" config=\"containers=c(1);objects=c(1)\"/>"));
  EXPECT_EQ(plan.seed, 7U);
  EXPECT_EQ(plan.dialect, "cosbench");
  EXPECT_EQ(plan.stages[0].jobs[0].driver, "driver3");
}

// Every published workload against the plan it must give, with the storages replaced by mock.
// LOADLINE_UPDATE_GOLDEN=1 writes the plans anew.
TEST(Cosbench, published_workloads_give_their_plans) {
  const fs::path folder = LOADLINE_TESTDATA "/cases";
  std::size_t cases = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".xml") continue;
    cases += 1;
    const auto parsed =
        parse_for_test(read_file(entry.path()),
                       {{"storage.type", "mock"}, {"storage.config.endpoint", "http://e"}});
    ASSERT_TRUE(parsed.plan) << entry.path() << "\n" << messages(parsed);
    EXPECT_TRUE(plan::check(*parsed.plan)) << entry.path();
    const fs::path golden = fs::path(entry.path()).replace_extension(".plan.json");
    const std::string text = plan::to_text(*parsed.plan, plan::Secrets::masked) + messages(parsed);
    if (std::getenv("LOADLINE_UPDATE_GOLDEN") != nullptr) std::ofstream(golden) << text;
    EXPECT_EQ(text, read_file(golden)) << entry.path();
  }
  EXPECT_EQ(cases, 10U);
}

}  // namespace
}  // namespace loadline::dialects::cosbench
