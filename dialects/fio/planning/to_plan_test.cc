#include "dialects/fio/planning/to_plan.h"

#include <gmock/gmock.h>

#include "dialects/fio/job_source.h"
#include "dialects/fio/planning/fake_files.h"
#include "plan/check.h"
#include "plan/text.h"

namespace loadline::dialects::fio {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

plan::Plan must(const PlannedFio& planned) {
  for (const plan::Diagnostic& d : planned.diagnostics) {
    EXPECT_EQ(d.level, plan::Diagnostic::Level::warning) << d.message();
  }
  EXPECT_TRUE(planned.plan.has_value());
  if (!planned.plan) return {};
  const auto sound = plan::check(*planned.plan);
  EXPECT_TRUE(sound.has_value()) << sound.error().message();
  const std::string text = plan::to_text(*planned.plan, plan::Secrets::revealed);
  const auto back = plan::from_text(text);
  EXPECT_TRUE(back.has_value()) << back.error().message();
  if (back) {
    EXPECT_EQ(*back, *planned.plan);
  }
  return *planned.plan;
}

plan::Plan plan_words(std::vector<std::string> words, const FakeFiles& files = {}) {
  const ParsedFio parsed = parse_words(words);
  EXPECT_THAT(lines_of(parsed), ElementsAre());
  return must(plan_of(parsed, files));
}

plan::Plan plan_file(const std::string& text, const FakeFiles& files = {}) {
  const ParsedFio parsed = parse_file(text);
  EXPECT_FALSE(parsed.has_errors());
  return must(plan_of(parsed, files));
}

plan::BlockIo block_of(std::vector<std::string> words, const FakeFiles& files = {}) {
  words.insert(words.begin(), "--name=a");
  const plan::Plan plan = plan_words(words, files);
  if (plan.stages.empty()) return {};
  return *plan.stages[0].jobs[0].block;
}

std::vector<std::string> said(std::vector<std::string> words, const FakeFiles& files = {}) {
  std::vector<std::string> lines;
  for (const auto& d : plan_of(parse_job(std::move(words)), files).diagnostics) {
    lines.push_back(console_line(d));
  }
  return lines;
}

std::vector<std::string> paths(const plan::Job& job) {
  std::vector<std::string> all;
  for (const plan::BlockFile& file : job.block->files) all.push_back(file.path);
  return all;
}

// The command of the first source document.
TEST(ToPlan, reads_the_sequential_command_with_clones) {
  FakeFiles files;
  files.files["/mnt/alluxio/100gb"] = 100ULL << 30U;
  const plan::Plan plan =
      plan_words({"-iodepth=1", "-rw=read", "-ioengine=libaio", "-bs=256k", "-numjobs=2",
                  "-group_reporting", "-size=100G", "-filename=/mnt/alluxio/100gb",
                  "-name=read_test", "--readonly", "-direct=1", "--runtime=60"},
                 files);
  ASSERT_EQ(plan.stages.size(), 1U);
  ASSERT_EQ(plan.stages[0].jobs.size(), 2U);
  for (const plan::Job& job : plan.stages[0].jobs) {
    EXPECT_EQ(job.name, "read_test");
    EXPECT_EQ(job.workers, 1U);
    EXPECT_EQ(job.stop.runtime, Duration::seconds(60));
    EXPECT_EQ(job.target.type, "posix");
    EXPECT_EQ(job.target.parameters.text("engine", ""), "libaio");
    EXPECT_EQ(job.target.parameters.text("direct", ""), "true");
    EXPECT_EQ(job.target.parameters.text("fadvise", ""), "sequential");
    const plan::BlockIo& block = *job.block;
    EXPECT_THAT(paths(job), ElementsAre("/mnt/alluxio/100gb"));
    EXPECT_EQ(block.sizes[0].min, Bytes(256U << 10U));
    EXPECT_EQ(block.size.bytes, Bytes(100ULL << 30U));
    EXPECT_THAT(block.uses, ElementsAre(true, false, false));
    EXPECT_EQ(block.order[0].placement, plan::Placement::sequential);
    EXPECT_TRUE(block.read_only);
    EXPECT_FALSE(block.may_create);
    EXPECT_FALSE(block.time_based);
  }
  const auto second = JobSource::from_text(plan.stages[0].jobs[1].source);
  ASSERT_TRUE(second.has_value()) << second.error().message();
  EXPECT_EQ(second->clone, 1U);
  EXPECT_EQ(second->number, 2U);
  EXPECT_TRUE(second->group_reporting);
  EXPECT_FALSE(second->run.has_value());
  const RunSource run = run_source(plan);
  EXPECT_TRUE(run.formats.normal);
  EXPECT_EQ(run.global_options.front().name, "iodepth");
}

TEST(ToPlan, reads_the_random_command) {
  FakeFiles files;
  files.files["/mnt/alluxio/100gb"] = 100ULL << 30U;
  const plan::BlockIo block =
      block_of({"-iodepth=1", "-rw=randread", "-ioengine=libaio", "-bs=4k", "-size=100G",
                "-filename=/mnt/alluxio/100gb", "--readonly", "-direct=1", "--runtime=60"},
               files);
  EXPECT_EQ(block.order[0].placement, plan::Placement::random);
  EXPECT_FALSE(block.with_repetition);
}

TEST(ToPlan, leaves_batches_to_the_engine_unless_one_is_named) {
  FakeFiles files;
  const auto of = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"--size=1m", "--rw=write", "--ioengine=libaio", "--iodepth=16",
                                   "--direct=1"};
    words.insert(words.end(), more.begin(), more.end());
    const plan::BlockIo block = block_of(words, files);
    return std::array{block.batch_submit, block.batch_reap_min, block.batch_reap_max};
  };
  EXPECT_EQ(of({}), (std::array{0U, 1U, 0U}));
  EXPECT_EQ(of({"--iodepth_batch_submit=1"}), (std::array{1U, 1U, 1U}));
  EXPECT_EQ(of({"--iodepth_batch=4"}), (std::array{4U, 1U, 1U}));
  EXPECT_EQ(of({"--iodepth_batch=0"}), (std::array{16U, 1U, 1U})) << "the depth";
  EXPECT_EQ(of({"--iodepth_batch_complete_min=4"}), (std::array{1U, 4U, 4U}));
  EXPECT_EQ(of({"--iodepth_batch_complete_min=0"}), (std::array{1U, 0U, 1U}));
  EXPECT_EQ(of({"--iodepth_batch_complete_max=8"}), (std::array{1U, 1U, 8U}));
}

TEST(ToPlan, gives_a_job_a_process_unless_it_asks_for_a_thread) {
  FakeFiles files;
  const auto own = [&](std::vector<std::string> words) {
    return plan_words(std::move(words), files).stages[0].jobs[0].block->client.own_process;
  };
  EXPECT_TRUE(own({"--name=a", "--size=1m", "--rw=write"}));
  EXPECT_TRUE(own({"--name=a", "--size=1m", "--rw=write", "--thread=0"}));
  EXPECT_FALSE(own({"--name=a", "--size=1m", "--rw=write", "--thread"}));
}

TEST(ToPlan, reads_the_psync_command_with_words_apart) {
  const plan::Plan plan = plan_words(
      {"-filename=/mnt/ceph/fio", "-direct=1", "-iodepth", "1", "-thread", "-rw=read",
       "-ioengine=psync", "-bs=64k", "-size=10G", "-numjobs=1", "-runtime=600", "-group_reporting",
       "-name=mytest", "-output", "home/result/Result_64k_read1.log"});
  const plan::Job& job = plan.stages.at(0).jobs.at(0);
  EXPECT_EQ(job.target.parameters.text("engine", "psync"), "psync");
  EXPECT_TRUE(job.block->lay_out);
  EXPECT_EQ(run_source(plan).output, "home/result/Result_64k_read1.log");
  EXPECT_TRUE(JobSource::from_text(job.source)->thread);
}

TEST(ToPlan, begins_a_stage_at_each_stonewall) {
  const plan::Plan plan = plan_file(
      "[global]\nsize=1m\n[a]\n[b]\nnew_group\n[c]\nstonewall\n[d]\nwait_for=c\n[e]\nwait_for=a\n");
  ASSERT_EQ(plan.stages.size(), 2U);
  ASSERT_EQ(plan.stages[0].jobs.size(), 2U);
  ASSERT_EQ(plan.stages[1].jobs.size(), 3U);
  EXPECT_EQ(plan.stages[1].jobs[1].after, "c");
  EXPECT_EQ(plan.stages[1].jobs[2].after, "");  // it has ended by then
  std::vector<std::uint32_t> groups;
  for (const plan::Stage& stage : plan.stages) {
    for (const plan::Job& job : stage.jobs) {
      groups.push_back(JobSource::from_text(job.source)->group);
    }
  }
  EXPECT_THAT(groups, ElementsAre(0U, 1U, 2U, 2U, 2U));
}

TEST(ToPlan, names_files_after_job_clone_and_number) {
  FakeFiles files;
  files.folders = {"/d1", "/d2"};
  const plan::Plan plan = plan_words(
      {"--name=a", "--size=1m", "--nrfiles=2", "--numjobs=3", "--directory=/d1:/d2"}, files);
  const auto& jobs = plan.stages.at(0).jobs;
  EXPECT_THAT(paths(jobs[0]), ElementsAre("/d1/a.0.0", "/d1/a.0.1"));
  EXPECT_THAT(paths(jobs[1]), ElementsAre("/d2/a.1.0", "/d2/a.1.1"));
  EXPECT_THAT(paths(jobs[2]), ElementsAre("/d1/a.2.0", "/d1/a.2.1"));
}

TEST(ToPlan, shares_named_files_among_clones) {
  const plan::Plan plan =
      plan_words({"--name=a", "--size=1m", "--numjobs=2", "--filename=x:y\\:z"});
  for (const plan::Job& job : plan.stages.at(0).jobs) {
    EXPECT_THAT(paths(job), ElementsAre("x", "y:z"));
  }
}

TEST(ToPlan, works_on_the_device_that_a_job_is_named_after) {
  FakeFiles files;
  files.devices = {"/dev/sdb"};
  const plan::Plan plan = plan_file("[/dev/sdb]\nrw=randread\n", files);
  EXPECT_THAT(paths(plan.stages.at(0).jobs.at(0)), ElementsAre("/dev/sdb"));
}

TEST(ToPlan, takes_every_file_below_opendir) {
  FakeFiles files;
  files.files = {{"/t/a", 4096}, {"/t/b/c", 8192}, {"/u/d", 1}};
  EXPECT_THAT(paths({.block = block_of({"--opendir=/t"}, files)}), ElementsAre("/t/a", "/t/b/c"));
}

TEST(ToPlan, moves_each_clone_on_by_offset_increment) {
  const plan::Plan plan = plan_words({"--name=a", "--size=1m", "--filename=x", "--numjobs=3",
                                      "--offset=4k", "--offset_increment=1m"});
  std::vector<std::uint64_t> offsets;
  for (const plan::Job& job : plan.stages.at(0).jobs) {
    offsets.push_back(job.block->offset.bytes.count());
  }
  EXPECT_THAT(offsets, ElementsAre(4096U, 4096U + (1U << 20U), 4096U + (2U << 20U)));
}

TEST(ToPlan, makes_whole_blocks_of_an_offset_in_percent) {
  FakeFiles files;
  files.files["x"] = 100 * 1000;
  const plan::BlockIo block = block_of({"--filename=x", "--offset=50%", "--bs=4k"}, files);
  EXPECT_EQ(block.offset.bytes, Bytes(53248));
}

TEST(ToPlan, gives_each_file_its_filesize_and_moves_size) {
  const plan::BlockIo block = block_of({"--nrfiles=4", "--filesize=1m", "--size=2m"});
  EXPECT_EQ(block.files[3].size, Bytes(1U << 20U));
  EXPECT_FALSE(block.size.given());
  EXPECT_EQ(block.amount.bytes, Bytes(2U << 20U));
}

TEST(ToPlan, moves_io_size_inside_size) {
  const plan::BlockIo block = block_of({"--size=1m", "--io_size=3m"});
  EXPECT_EQ(block.size.bytes, Bytes(1U << 20U));
  EXPECT_EQ(block.amount.bytes, Bytes(3U << 20U));
}

TEST(ToPlan, keeps_sizes_by_direction) {
  const plan::BlockIo block = block_of(
      {"--size=1m", "--rw=randrw", "--rwmixread=70", "--bs=4k,8k", "--bssplit=4k/60:64k/40"});
  EXPECT_EQ(block.read_percent, 70U);
  EXPECT_EQ(block.sizes[0].min, Bytes(4096));
  EXPECT_EQ(block.sizes[0].max, Bytes(65536));
  ASSERT_EQ(block.sizes[0].split.size(), 2U);
  EXPECT_EQ(block.sizes[0].split[1].percent, 40U);
}

TEST(ToPlan, cuts_ranges_into_multiples_of_the_smallest) {
  EXPECT_EQ(block_of({"--size=1m", "--bsrange=4k-16k"}).sizes[0].step, Bytes(4096));
  EXPECT_EQ(block_of({"--size=1m", "--bsrange=4k-16k", "--bs_unaligned"}).sizes[0].step, Bytes(1));
}

TEST(ToPlan, knows_every_distribution) {
  const auto order = [](const std::string& text) {
    return block_of({"--size=1m", "--rw=randread", "--random_distribution=" + text}).order[0];
  };
  EXPECT_EQ(order("zipf:1.2").placement, plan::Placement::zipf);
  EXPECT_DOUBLE_EQ(order("zipf:1.2").parameter, 1.2);
  EXPECT_EQ(order("pareto:0.3").placement, plan::Placement::pareto);
  EXPECT_EQ(order("normal:20").placement, plan::Placement::normal);
  EXPECT_LT(order("normal:20").centre, 0);
  const plan::Distribution zoned = order("zoned:60/10:30/20:10/70");
  EXPECT_EQ(zoned.placement, plan::Placement::zoned);
  ASSERT_EQ(zoned.zones.size(), 3U);
  EXPECT_EQ(zoned.zones[0].access_percent, 60U);
  EXPECT_EQ(zoned.zones[2].extent, 70U);
  EXPECT_EQ(order("sequence:2,0,1").placement, plan::Placement::listed);
  EXPECT_THAT(order("sequence:2,0,1").blocks, ElementsAre(2, 0, 1));
  EXPECT_DOUBLE_EQ(block_of({"--size=1m", "--file_service_type=zipf:1.4"}).file_skew, 1.4);
}

TEST(ToPlan, sequences_by_the_suffix_of_rw) {
  EXPECT_EQ(block_of({"--size=1m", "--rw=randread:8"}).sequencing, plan::Sequencing::runs);
  EXPECT_EQ(block_of({"--size=1m", "--rw=randread:8", "--rw_sequencer=identical"}).sequencing,
            plan::Sequencing::identical);
  const plan::BlockIo back = block_of({"--size=1m", "--rw=read:-8k"});
  EXPECT_EQ(back.sequencing, plan::Sequencing::stride);
  EXPECT_EQ(back.sequence_by, -8192);
}

TEST(ToPlan, paces_each_direction) {
  const plan::BlockIo block =
      block_of({"--size=1m", "--rw=randrw", "--rate_iops=100,50", "--rate_process=poisson"});
  EXPECT_DOUBLE_EQ(block.rate[0].operations.per_second(), 100);
  EXPECT_DOUBLE_EQ(block.rate[1].operations.per_second(), 50);
  EXPECT_TRUE(block.poisson);
}

TEST(ToPlan, writes_patterns_as_hex_digits) {
  const plan::BlockIo block = block_of({"--size=1m", "--rw=write", "--buffer_pattern=0xdeadbeef"});
  EXPECT_EQ(block.buffers.fill, plan::BufferFill::pattern);
  EXPECT_EQ(block.buffers.pattern, "deadbeef");
}

TEST(ToPlan, verifies_as_asked) {
  const plan::VerifySpec verify = block_of({"--size=1m", "--rw=randwrite", "--verify=sha3-256",
                                            "--verify_backlog=64", "--verify_fatal=1"})
                                      .verify;
  EXPECT_EQ(verify.checksum, plan::Checksum::sha3_256);
  EXPECT_EQ(verify.backlog, 64U);
  EXPECT_TRUE(verify.fatal);
  EXPECT_TRUE(verify.read_back);
}

TEST(ToPlan, gives_each_clone_a_processor_of_its_own_where_they_are_split) {
  const plan::Plan plan = plan_words({"--name=a", "--size=1m", "--numjobs=3", "--cpus_allowed=0-1",
                                      "--cpus_allowed_policy=split"});
  const auto& jobs = plan.stages.at(0).jobs;
  EXPECT_EQ(jobs[0].block->cpus, "0");
  EXPECT_EQ(jobs[1].block->cpus, "1");
  EXPECT_EQ(jobs[2].block->cpus, "0");
}

TEST(ToPlan, knows_the_engines_that_move_no_data) {
  EXPECT_EQ(block_of({"--ioengine=filecreate", "--nrfiles=10", "--filesize=4k"}).action,
            plan::FileAction::create);
  EXPECT_EQ(block_of({"--ioengine=dirdelete", "--nrfiles=10", "--filesize=4k"}).action,
            plan::FileAction::remove_directory);
}

TEST(ToPlan, ticks_as_fine_as_the_finest_row) {
  EXPECT_EQ(plan_words({"--name=a", "--size=1m"}).tick, Duration::milliseconds(500));
  EXPECT_EQ(plan_words({"--name=a", "--size=1m", "--log_avg_msec=200"}).tick,
            Duration::milliseconds(100));
}

TEST(ToPlan, repeats_itself_unless_told_otherwise) {
  EXPECT_EQ(plan_words({"--name=a", "--size=1m"}).seed, 0x89U);
  EXPECT_EQ(plan_words({"--name=a", "--size=1m", "--randseed=7"}).seed, 7U);
}

TEST(ToPlan, gives_each_job_the_seed_that_it_names) {
  const plan::Plan plan = plan_words({"--name=a", "--size=1m", "--randseed=7", "--name=b",
                                      "--size=1m", "--name=c", "--size=1m", "--randseed=9"});
  EXPECT_EQ(plan.seed, 7U);
  EXPECT_EQ(plan.stages[0].jobs[0].block->seed, std::nullopt);
  EXPECT_EQ(plan.stages[0].jobs[1].block->seed, 0x89U);
  EXPECT_EQ(plan.stages[0].jobs[2].block->seed, 9U);
}

TEST(ToPlan, takes_hints_of_priority_and_pauses_of_a_flow) {
  const plan::BlockIo block =
      block_of({"--size=1m", "--priohint=2", "--flow=3", "--flow_sleep=50"});
  EXPECT_EQ(block.client.io_class, 2U);
  EXPECT_EQ(block.client.io_hint, 2U);
  EXPECT_EQ(block.flow.pause, Duration::microseconds(50));
}

TEST(ToPlanRefuses, a_job_without_a_size) {
  EXPECT_THAT(said({}), ElementsAre("fio: a: you need to specify size="));
}

TEST(ToPlanRefuses, a_directory_that_is_none) {
  EXPECT_THAT(said({"--size=1m", "--directory=/no"}),
              ElementsAre(HasSubstr("/no is not a directory")));
}

TEST(ToPlanRefuses, what_it_cannot_honour_by_name) {
  EXPECT_THAT(said({"--size=1m", "--atomic=1"}), ElementsAre(HasSubstr("atomic is not supported")));
  EXPECT_THAT(said({"--size=1m", "--thinkcycles=3"}),
              ElementsAre(HasSubstr("thinkcycles is not supported")));
}

TEST(ToPlan, ends_other_jobs_where_a_job_says_so) {
  const plan::BlockIo usual = block_of({"--size=1m", "--exitall"});
  EXPECT_EQ(usual.end_of_job, plan::EndScope::group);
  EXPECT_EQ(usual.end_on_error, plan::EndScope::self);
  const plan::BlockIo error =
      block_of({"--size=1m", "--exitall_on_error", "--exit_what=stonewall"});
  EXPECT_EQ(error.end_of_job, plan::EndScope::self);
  EXPECT_EQ(error.end_on_error, plan::EndScope::stage);
}

TEST(ToPlan, shares_a_flow) {
  EXPECT_EQ(block_of({"--size=1m", "--flow=8", "--flow_id=3"}).flow,
            (plan::FlowRule{.weight = 8, .id = 3}));
}

TEST(ToPlan, says_as_whom_a_client_runs) {
  const plan::ClientSpec client = block_of({"--size=1m", "--uid=7", "--gid=8", "--prio=3",
                                            "--exec_prerun=date", "--exec_postrun=sync"})
                                      .client;
  EXPECT_EQ(client.user, 7U);
  EXPECT_EQ(client.group, 8U);
  EXPECT_EQ(client.io_class, 2U);  // a level alone is one of best effort
  EXPECT_EQ(client.io_level, 3U);
  EXPECT_EQ(client.command_before, "date");
  EXPECT_EQ(client.command_after, "sync");
}

TEST(ToPlan, takes_memory_of_the_kind_that_is_named) {
  const plan::MemorySpec huge =
      block_of({"--size=1m", "--mem=shmhuge", "--hugepage-size=1g", "--lockmem=1m"}).memory;
  EXPECT_EQ(huge.kind, plan::MemoryKind::huge_pages);
  EXPECT_TRUE(huge.shared);
  EXPECT_EQ(huge.huge_page, Bytes(1U << 30U));
  EXPECT_EQ(huge.locked, Bytes(1U << 20U));
  const plan::MemorySpec file = block_of({"--size=1m", "--mem=mmap:/mnt/huge/x"}).memory;
  EXPECT_EQ(file.kind, plan::MemoryKind::file);
  EXPECT_EQ(file.file, "/mnt/huge/x");
  const plan::MemorySpec bound =
      block_of({"--size=1m", "--numa_mem_policy=bind:0,2", "--iomem_align=64k"}).memory;
  EXPECT_EQ(bound.place, plan::MemoryPlace::bind);
  EXPECT_EQ(bound.nodes, "0,2");
  EXPECT_EQ(bound.align, Bytes(65536));
  EXPECT_EQ(block_of({"--size=1m", "--numa_mem_policy=interleave:all"}).memory.nodes, "all");
  EXPECT_EQ(block_of({"--size=1m", "--numa_cpu_nodes=all"}).cpus, "");
}

TEST(ToPlan, sizes_blocks_by_order_where_asked) {
  EXPECT_EQ(block_of({"--size=1m", "--bs=4k,8k", "--bs_is_seq_rand=1"}).sizes[0].max, Bytes(4096));
  EXPECT_EQ(
      block_of({"--size=1m", "--rw=randread", "--bs=4k,8k", "--bs_is_seq_rand=1"}).sizes[0].max,
      Bytes(8192));
}

TEST(ToPlan, burns_a_processor) {
  const plan::Plan plan = plan_words(
      {"--name=a", "--ioengine=cpuio", "--cpuload=25", "--cpuchunks=1000", "--exit_on_io_done=1"});
  const plan::Job& job = plan.stages[0].jobs[0];
  EXPECT_EQ(job.target.type, "cpu");
  EXPECT_EQ(job.target.parameters.text("chunk_us", ""), "1000");
  EXPECT_EQ(job.block->think.pause, Duration::milliseconds(3));
  EXPECT_TRUE(job.block->follows);
}

TEST(ToPlan, runs_a_program) {
  const plan::Plan plan = plan_words({"--name=a", "--ioengine=exec", "--program=/bin/sleep",
                                      "--arguments=%r %n", "--runtime=7", "--grace_time=2"});
  const target::Parameters& set = plan.stages[0].jobs[0].target.parameters;
  EXPECT_EQ(set.text("program", ""), "/bin/sleep");
  EXPECT_EQ(set.text("arguments", ""), "7 a");
  EXPECT_EQ(set.text("output", ""), "a.stdout");
  EXPECT_EQ(set.text("time_limit_s", ""), "7");
  EXPECT_EQ(set.text("grace_s", ""), "2");
}

TEST(ToPlan, keeps_objects_where_files_are_objects) {
  const plan::Plan plan =
      plan_words({"--name=a", "--ioengine=http", "--http_mode=s3", "--http_host=store:9000",
                  "--http_s3_keyid=me", "--http_s3_key=hush", "--https=insecure", "--rw=write",
                  "--filename=/bucket/x", "--size=64k"});
  const plan::Job& job = plan.stages[0].jobs[0];
  const target::Parameters& set = job.target.parameters;
  EXPECT_EQ(job.target.type, "s3");
  EXPECT_EQ(set.text("endpoint", ""), "https://store:9000");
  EXPECT_EQ(set.text("no_verify_ssl", ""), "true");
  EXPECT_EQ(set.text("secretkey", ""), "hush");
  EXPECT_EQ(job.source.find("hush"), std::string::npos);
  EXPECT_THAT(said({"--ioengine=http", "--http_mode=s3", "--filename=x", "--size=1m"}),
              ElementsAre(HasSubstr("x names no object: give filename=/BUCKET/OBJECT")));
}

TEST(ToPlanRefuses, jobs_that_have_nothing_to_do) {
  EXPECT_THAT(said({"--ioengine=cpuio"}), ElementsAre(HasSubstr("needs rate (cpuload=)")));
  EXPECT_THAT(said({"--ioengine=exec"}), ElementsAre(HasSubstr("needs program=")));
}

TEST(ToPlanRefuses, a_minimum_above_the_rate) {
  EXPECT_THAT(said({"--size=1m", "--rate=1m", "--rate_min=2m"}),
              ElementsAre(HasSubstr("minimum rate exceeds rate")));
}

TEST(ToPlanWarns, of_a_depth_that_an_engine_cannot_have) {
  const auto lines = said({"--size=1m", "--iodepth=8"});
  EXPECT_THAT(lines, ElementsAre(HasSubstr(
                         "note: both iodepth >= 1 and synchronous I/O engine are selected, queue "
                         "depth will be capped at 1")));
  EXPECT_THAT(said({"--size=1m", "--iodepth=8", "--ioengine=libaio"}),
              ElementsAre(HasSubstr("libaio is asynchronous with direct=1 alone")));
}

TEST(ToPlanWarns, that_alignment_drops_the_map) {
  EXPECT_THAT(said({"--size=1m", "--rw=randread", "--ba=512"}),
              ElementsAre(HasSubstr("Any use of blockalign= turns off randommap")));
}

TEST(ToPlan, keeps_the_letters_of_a_name_that_becomes_a_folder) {
  const auto name_of = [](const std::string& name) {
    const FakeFiles files;
    return to_plan(parse_job({"--size=1m"}), files.view(), {.name = name}).plan->name;
  };
  EXPECT_EQ(name_of("ディスク é"), "ディスク é");
  EXPECT_EQ(name_of("a/b\x01\xff\u202e"), "a_b___");
  EXPECT_EQ(name_of(".."), "fio");
  std::string many;
  for (int i = 0; i < 60; ++i) many += "é";
  EXPECT_EQ(name_of(many), many.substr(0, 100));
  EXPECT_EQ(name_of("x" + many), "x" + many.substr(0, 98));
}

TEST(ToPlan, refuses_to_append_where_nothing_is_written) {
  EXPECT_THAT(said({"--size=1m", "--file_append=1"}),
              ElementsAre(HasSubstr("file_append=1 begins behind the end of the file")));
  EXPECT_THAT(said({"--size=1m", "--file_append=1", "--rw=write", "--verify=md5", "--verify_only"}),
              ElementsAre(HasSubstr("file_append=1")));
  EXPECT_THAT(said({"--size=1m", "--file_append=1", "--rw=write"}), IsEmpty());
}

}  // namespace
}  // namespace loadline::dialects::fio
