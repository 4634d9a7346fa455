#include "dialects/testdfsio/plan_builder.h"

#include <gtest/gtest.h>

#include "dialects/testdfsio/testing.h"
#include "dialects/testdfsio/words.h"
#include "plan/check.h"

namespace loadline::dialects::testdfsio {
namespace {

using plan::StreamAction;
using testing::words;
using testing::World;

Result<PlannedCommand> build(const std::string& line, const World& world = {}) {
  const ParsedWords parsed = parse(words(line), world.surroundings());
  EXPECT_TRUE(parsed.options) << parsed.text;
  return to_plan(parsed.options.value_or(Options()), 99, world.surroundings());
}

PlannedCommand built(const std::string& line, const World& world = {}) {
  auto planned = build(line, world);
  EXPECT_TRUE(planned) << line << ": " << (planned ? "" : planned.error().message());
  if (planned) {
    const auto sound = plan::check(planned->plan);
    EXPECT_TRUE(sound) << line << ": " << (sound ? "" : sound.error().message());
  }
  return planned ? std::move(*planned) : PlannedCommand();
}

std::string mistake(const std::string& line, const World& world = {}) {
  const auto planned = build(line, world);
  return planned ? "" : planned.error().message();
}

// "old-control: remove io_control/in_file_test_io_, ..." a line a stage.
std::vector<std::string> outline(const plan::Plan& plan) {
  std::vector<std::string> lines;
  for (const plan::Stage& stage : plan.stages) {
    std::string line = stage.id + ":";
    for (const plan::Job& job : stage.jobs) {
      line += " " + job.stream->folder + "/" + job.stream->prefix;
    }
    lines.push_back(line);
  }
  return lines;
}

const plan::Job& measured(const plan::Plan& plan) { return plan.stages.back().jobs.front(); }

TEST(PlanBuilder, write_removes_old_data_and_results) {
  EXPECT_EQ(outline(built("-write").plan),
            (std::vector<std::string>{
                "old-control: benchmarks/TestDFSIO/io_control/in_file_test_io_",
                "control: benchmarks/TestDFSIO/io_control/",
                "old-data: benchmarks/TestDFSIO/io_data/test_io_ benchmarks/TestDFSIO/io_write/",
                "run: benchmarks/TestDFSIO/io_data/test_io_"}));
}

TEST(PlanBuilder, other_operations_keep_the_data) {
  const std::pair<std::string, std::string> cases[] = {{"-append", "io_append"},
                                                       {"-read", "io_read"},
                                                       {"-read -random", "io_random_read"},
                                                       {"-read -backward", "io_random_read"},
                                                       {"-read -skip", "io_random_read"},
                                                       {"-truncate", "io_truncate"}};
  for (const auto& [line, folder] : cases) {
    EXPECT_EQ(outline(built(line).plan)[2], "old-data: benchmarks/TestDFSIO/" + folder + "/")
        << line;
  }
}

TEST(PlanBuilder, clean_removes_what_such_commands_make) {
  const plan::Plan plan = built("-clean").plan;
  ASSERT_EQ(plan.stages.size(), 2U);
  EXPECT_EQ(plan.stages[0].jobs.size(), 7U);
  for (const plan::Stage& stage : plan.stages) {
    for (const plan::Job& job : stage.jobs) EXPECT_EQ(job.stream->action, StreamAction::remove);
  }
  EXPECT_EQ(plan.stages[1].jobs[0].stream->folder, "benchmarks/TestDFSIO");
}

TEST(PlanBuilder, the_run_is_what_was_asked) {
  const plan::Plan plan =
      built("-read -skip -nrFiles 3 -size 2GB -bufferSize 4096 --data pattern --verify").plan;
  const plan::Job& job = measured(plan);
  EXPECT_EQ(plan.dialect, "testdfsio");
  EXPECT_EQ(job.stream->action, StreamAction::read_skip);
  EXPECT_EQ(job.stream->files, 3U);
  EXPECT_EQ(job.stream->size, Bytes(2ULL << 30U));
  EXPECT_EQ(job.stream->buffer, Bytes(4096));
  EXPECT_EQ(job.stream->skip, Bytes(4096));
  EXPECT_EQ(job.stream->fill, plan::StreamFill::pattern);
  EXPECT_TRUE(job.stream->verify);
  EXPECT_TRUE(job.stop.one_pass);
  EXPECT_EQ(job.workers, 3U);
}

TEST(PlanBuilder, control_files_are_of_hadoop_and_have_a_limit) {
  const plan::Plan few = built("-write -nrFiles 2").plan;
  const auto& puts = few.stages[1].jobs[0].stream->puts;
  ASSERT_EQ(puts.size(), 2U);
  EXPECT_EQ(puts[1].name, "in_file_test_io_1");
  EXPECT_EQ(puts[1].content.size(), 112U);
  const PlannedCommand many = built("-write -nrFiles 10001");
  EXPECT_EQ(many.plan.stages.size(), 3U);
  EXPECT_FALSE(many.source.control_files);
}

TEST(PlanBuilder, concurrency_is_of_option_configuration_or_cores) {
  EXPECT_EQ(measured(built("-write -nrFiles 500").plan).workers, 8U);  // 4 for each of 2 cores
  EXPECT_EQ(measured(built("-write -nrFiles 5").plan).workers, 5U);
  const std::string maps = "-D mapreduce.local.map.tasks.maximum=20 -write -nrFiles 500";
  EXPECT_EQ(measured(built(maps).plan).workers, 20U);
  EXPECT_EQ(measured(built(maps + " --concurrency 33").plan).workers, 33U);
  EXPECT_EQ(measured(built(maps + " -seq").plan).workers, 1U);
  EXPECT_EQ(built(maps).source.waves(), 25U);
}

TEST(PlanBuilder, rate_is_calls_a_second) {
  const plan::Job job = measured(built("-write -bufferSize 1048576 --rate 100MB").plan);
  EXPECT_EQ(job.pace.arrival, plan::Arrival::constant);
  EXPECT_EQ(job.pace.rate, Rate::per_second(100));
}

TEST(PlanBuilder, random_data_is_the_same_in_every_run) {
  EXPECT_EQ(built("-write").plan.seed, 99U);
  EXPECT_EQ(built("-write --data random").plan.seed, 1U);
  EXPECT_EQ(built("-write --data random --seed 7").plan.seed, 7U);
}

TEST(PlanBuilder, hadoop_gets_its_configuration) {
  const World world{.files = {{"c.xml", "<configuration/>"}}};
  const auto target =
      measured(built("-D fs.defaultFS=hdfs://nn:8020/ -D dfs.replication=2 -conf c.xml -libjars "
                     "a.jar,b.jar -write -storagePolicy HOT --compat 3.x --java-home /j",
                     world)
                   .plan)
          .target;
  EXPECT_EQ(target.type, "hadoop");
  const target::Parameters& p = target.parameters;
  EXPECT_EQ(p.text("uri", ""), "hdfs://nn:8020");
  EXPECT_EQ(p.text("root", ""), "/");
  EXPECT_EQ(p.text("conf", ""), "c.xml");
  EXPECT_EQ(p.text("jars", ""), "a.jar,b.jar");
  EXPECT_EQ(p.text("java_home", ""), "/j");
  EXPECT_EQ(p.text("storage_policy", ""), "HOT");
  EXPECT_EQ(p.text("conf.dfs.replication", ""), "2");
}

TEST(PlanBuilder, unknown_file_system_is_left_to_hadoop) {
  EXPECT_FALSE(measured(built("-write").plan).target.parameters.has("uri"));
}

TEST(PlanBuilder, configuration_files_are_read_in_order) {
  const World world{
      .variables = {{"HADOOP_CONF_DIR", "/etc/hadoop"}},
      .files = {{"/etc/hadoop/core-site.xml",
                 "<configuration><property><name>fs.defaultFS</name><value>hdfs://site</value>"
                 "</property></configuration>"},
                {"mine.xml",
                 "<configuration><property><name>fs.default.name</name><value>hdfs://old</value>"
                 "</property><property><name>test.build.data</name><value>/mine</value></property>"
                 "</configuration>"}}};
  EXPECT_EQ(measured(built("-write", world).plan).target.parameters.text("uri", ""), "hdfs://site");
  const plan::Plan both = built("-conf mine.xml -fs hdfs://given -write", world).plan;
  EXPECT_EQ(measured(both).target.parameters.text("uri", ""), "hdfs://given");
  EXPECT_EQ(measured(both).stream->folder, "mine/io_data");
  EXPECT_EQ(mistake("-conf none.xml -write"), "-conf: none.xml: cannot read: no such file");
}

TEST(PlanBuilder, webhdfs_is_taken_by_its_scheme) {
  const World world{.variables = {{"HADOOP_USER_NAME", "bench"}}};
  const PlannedCommand planned = built(
      "-D fs.defaultFS=webhdfs://nn:9870 -D dfs.replication=2 -D dfs.blocksize=64m "
      "-D dfs.bytes-per-checksum=1024 -write --resolve dn1=10.0.0.1",
      world);
  const plan::TargetSpec& target = measured(planned.plan).target;
  EXPECT_EQ(target.type, "webhdfs");
  EXPECT_EQ(target.parameters.text("uri", ""), "webhdfs://nn:9870");
  EXPECT_EQ(target.parameters.text("user", ""), "bench");
  EXPECT_EQ(target.parameters.text("resolve", ""), "dn1=10.0.0.1");
  EXPECT_EQ(planned.warnings,
            std::vector<std::string>{"-D dfs.bytes-per-checksum changes nothing over webhdfs"});
  EXPECT_EQ(target.parameters.text("replication", ""), "2");
  EXPECT_EQ(target.parameters.text("block_size", ""), "67108864");
  EXPECT_EQ(mistake("-fs webhdfs://nn:9870 -D dfs.replication=0 -write"),
            "dfs.replication: '0' is no whole number from 1 to 512");
  EXPECT_EQ(mistake("-fs webhdfs://nn:9870 -D dfs.blocksize=64mb -write"),
            "dfs.blocksize: '64mb' is no size like 134217728 or 128m");
}

TEST(PlanBuilder, base_may_be_a_uri) {
  const PlannedCommand planned =
      built("-D fs.defaultFS=hdfs://a -D test.build.data=s3a://bucket//bench/./x/ -write");
  EXPECT_EQ(measured(planned.plan).target.parameters.text("uri", ""), "s3a://bucket");
  EXPECT_EQ(measured(planned.plan).stream->folder, "bench/x/io_data");
  EXPECT_EQ(
      measured(built("-D test.build.data=file:/mnt/x -write --target posix").plan).stream->folder,
      "mnt/x/io_data");
}

TEST(PlanBuilder, places_that_are_refused) {
  EXPECT_EQ(mistake("-D test.build.data=/ -write"),
            "test.build.data: is the root of the storage, whose files are not for a benchmark to "
            "remove; name a folder of its own");
  EXPECT_EQ(mistake("-D test.build.data=hdfs://nn:8020/ -clean"),
            mistake("-D test.build.data=/ -write"));
  EXPECT_EQ(mistake("-D test.build.data=bench -write"),
            "test.build.data: 'bench' is no absolute path like /benchmarks/TestDFSIO");
  EXPECT_EQ(mistake("-D test.build.data=/a/../b -write"),
            "test.build.data: '/a/../b' goes up by '..'");
  EXPECT_EQ(mistake("-fs hdfs://nn:8020 -write --target posix"),
            "--target: posix is this machine's own files, and hdfs://nn:8020 is not; -fs file:/// "
            "would be");
  EXPECT_EQ(mistake("-fs hdfs://u:geheim@nn:8020 -write --target webhdfs"),
            "--target: webhdfs is not at hdfs://REDACTED@nn:8020; it would be -fs "
            "webhdfs://namenode:9870");
}

TEST(PlanBuilder, source_comes_back_from_the_plan) {
  const PlannedCommand planned = built("-read -random -nrFiles 9 -size 3MB --keep-going");
  EXPECT_EQ(run_source(planned.plan), planned.source);
  EXPECT_EQ(run_source(plan::Plan()), std::nullopt);
}

TEST(PlanBuilder, damaged_source_is_none) {
  EXPECT_FALSE(RunSource::from_text(R"({"operation":"dance"})"));
  EXPECT_FALSE(RunSource::from_text("{"));
}

TEST(PlanBuilder, reducer_output_lies_beside_the_data) {
  const PlannedCommand planned = built("-D test.build.data=/io_data/x -read -random");
  TaskSums sums;
  sums.add(Bytes(1U << 20U), Duration::milliseconds(13));
  const plan::Plan epilogue = reducer_output(planned.plan, planned.source, sums);
  EXPECT_TRUE(plan::check(epilogue));
  const plan::StreamIo& stream = *measured(epilogue).stream;
  EXPECT_EQ(stream.folder, "io_data/x/io_random_read");
  ASSERT_EQ(stream.puts.size(), 2U);
  EXPECT_EQ(stream.puts[0].name, "part-00000");
  EXPECT_EQ(stream.puts[0].content, sums.text());
  EXPECT_EQ(stream.puts[1], (plan::SmallFile{.name = "_SUCCESS", .content = ""}));
  EXPECT_EQ(measured(epilogue).target, measured(planned.plan).target);
}

}  // namespace
}  // namespace loadline::dialects::testdfsio
