#include "dialects/fio/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dialects/fio/testing.h"

namespace loadline::dialects::fio {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(CommandLine, reads_one_dash_or_two_and_values_after_a_blank) {
  for (const std::vector<std::string>& bs : std::vector<std::vector<std::string>>{
           {"-bs=8k"}, {"--bs=8k"}, {"-bs", "8k"}, {"--bs", "8k"}, {"-blocksize=8k"}}) {
    const ParsedFio parsed = parse_job(bs);
    EXPECT_THAT(lines_of(parsed), IsEmpty());
    ASSERT_THAT(parsed.jobs, SizeIs(1));
    EXPECT_EQ(parsed.jobs[0].block_size.read.low, Bytes(8192));
    EXPECT_TRUE(parsed.jobs[0].is_given("bs"));
  }
}

// The commands of a published report on object storage through a file system.
TEST(CommandLine, reads_the_published_commands) {
  const ParsedFio read =
      parse_words({"-iodepth=1", "-rw=read", "-ioengine=libaio", "-bs=256k", "-numjobs=32",
                   "-group_reporting", "-size=100G", "-filename=/mnt/alluxio/100gb",
                   "-name=read_test", "--readonly", "-direct=1", "--runtime=60"});
  EXPECT_THAT(lines_of(read), IsEmpty());
  ASSERT_THAT(read.jobs, SizeIs(1));
  const JobOptions& job = read.jobs[0];
  EXPECT_EQ(job.name, "read_test");
  EXPECT_EQ(job.engine, Engine::libaio);
  EXPECT_EQ(job.numjobs, 32U);
  EXPECT_TRUE(job.group_reporting);
  EXPECT_TRUE(job.direct);
  EXPECT_EQ(job.size, (Size{Size::Unit::bytes, std::uint64_t{100} << 30U}));
  EXPECT_EQ(job.runtime, Duration::seconds(60));
  EXPECT_THAT(job.filenames, ElementsAre("/mnt/alluxio/100gb"));
  EXPECT_TRUE(read.command.readonly);
  EXPECT_THAT(read.global_options, SizeIs(8));
  EXPECT_THAT(job.given, ElementsAre(GivenOption{"name", "read_test"}, GivenOption{"direct", "1"},
                                     GivenOption{"runtime", "60"}));

  const ParsedFio ceph = parse_words(
      {"-filename=/mnt/ceph/fio", "-direct=1", "-iodepth", "1", "-thread", "-rw=read",
       "-ioengine=psync", "-bs=64k", "-size=10G", "-numjobs=1", "-runtime=600", "-group_reporting",
       "-name=mytest", "-output", "home/result/Result_64k_read1.log"});
  EXPECT_THAT(lines_of(ceph), IsEmpty());
  ASSERT_THAT(ceph.jobs, SizeIs(1));
  EXPECT_TRUE(ceph.jobs[0].thread);
  EXPECT_EQ(ceph.command.output, "home/result/Result_64k_read1.log");
}

TEST(CommandLine, takes_optional_values_after_an_equals_sign_only) {
  EXPECT_FALSE(parse_job({"--thread", "--thread=0"}).jobs[0].thread);
  EXPECT_TRUE(parse_job({"--group_reporting=1"}).jobs[0].group_reporting);
  EXPECT_THAT(lines_of(parse_job({"--thread", "0"})),
              ElementsAre(HasSubstr("fio: unable to open '0' job file")));
}

TEST(CommandLine, takes_unique_beginnings_with_a_note) {
  EXPECT_THAT(lines_of(parse_words({"--nam=a"})),
              ElementsAre("fio: warning: '--nam=a' is read as --name"));
  const ParsedFio formats = parse_job({"--output-f=json+,normal"});
  ASSERT_TRUE(formats.command.formats.has_value());
  EXPECT_EQ(*formats.command.formats, (CommandOptions::Formats{.normal = true, .json_plus = true}));
  EXPECT_THAT(lines_of(parse_job({"--direc=1"})),
              ElementsAre("fio: option '--direc=1' is ambiguous; possibilities: '--directory' "
                          "'--direct'"));
  EXPECT_EQ(parse_job({"-o", "f"}).command.output, "f");
  EXPECT_TRUE(parse_job({"-o=f"}).has_errors());
  EXPECT_TRUE(parse_words({"-h"}).command.help);
  EXPECT_TRUE(parse_words({"-v"}).command.version);
}

TEST(CommandLine, keeps_globals_before_the_first_name_and_after_name_global) {
  const ParsedFio parsed = parse_words({"--bs=8k", "--name=one", "--bs=16k", "--name=global",
                                        "--bs=32k", "--name=two", "--iodepth=4"});
  EXPECT_THAT(lines_of(parsed), IsEmpty());
  ASSERT_THAT(parsed.jobs, SizeIs(2));
  EXPECT_EQ(parsed.jobs[0].block_size.write.high, Bytes(16384));
  EXPECT_EQ(parsed.jobs[1].block_size.write.high, Bytes(32768));
  EXPECT_THAT(parsed.jobs[1].inherited,
              ElementsAre(GivenOption{"bs", "8k"}, GivenOption{"bs", "32k"}));
  EXPECT_THAT(lines_of(parse_words({"--name=globalx", "--name=a"})),
              ElementsAre(HasSubstr("--name=globalx sets global options")));
}

TEST(CommandLine, lets_the_later_of_two_opposites_win) {
  EXPECT_FALSE(parse_job({"--direct=1", "--buffered=1"}).jobs[0].direct);
  EXPECT_TRUE(parse_job({"--buffered=1", "--direct=1"}).jobs[0].direct);
  EXPECT_EQ(parse_job({"--rwmixread=70", "--rwmixwrite=90"}).jobs[0].rwmixread, 10U);
}

TEST(CommandLine, reads_kb_base_before_the_sizes_behind_it) {
  EXPECT_EQ(parse_job({"--kb_base=1000", "--bs=4k"}).jobs[0].block_size.read.low, Bytes(4000));
  EXPECT_EQ(parse_job({"--bs=4k", "--kb_base=1000"}).jobs[0].block_size.read.low, Bytes(4096));
}

TEST(CommandLine, takes_engine_options_before_their_engine) {
  const ParsedFio parsed = parse_job({"--hipri=1", "--sqthread_poll_cpu=3", "--ioengine=io_uring"});
  EXPECT_THAT(lines_of(parsed), IsEmpty());
  EXPECT_TRUE(parsed.jobs[0].hipri);
  EXPECT_EQ(parsed.jobs[0].sqthread_poll_cpu, 3U);
  EXPECT_THAT(lines_of(parse_job({"--userspace_reap"})),
              ElementsAre("fio: unrecognized option '--userspace_reap': it belongs to "
                          "ioengine=libaio, and this job has psync"));
}

TEST(CommandLine, ends_options_at_two_dashes_and_reads_stdin) {
  FakeWorld world;
  world.files["-"] = "[in]\n";
  world.files["--x.fio"] = "[x]\n";
  const ParsedFio parsed = parse_words({"-", "--parse-only", "--", "--x.fio"}, world);
  EXPECT_THAT(lines_of(parsed), IsEmpty());
  ASSERT_THAT(parsed.jobs, SizeIs(2));
  EXPECT_FALSE(parsed.jobs[0].starts_file);
  EXPECT_TRUE(parsed.jobs[1].starts_file);
}

TEST(CommandLine, says_what_is_wrong_in_words_of_fio) {
  const struct {
    std::vector<std::string> words;
    const char* line;
  } k_rows[] = {
      {{"--blcksize=4k"}, "fio: unrecognized option '--blcksize=4k'. Did you mean blocksize?"},
      {{"--qqqqqqqqqqqqqqqqqqq=1"}, "fio: unrecognized option '--qqqqqqqqqqqqqqqqqqq=1'"},
      {{"--bs="}, "fio: option bs requires an argument"},
      {{"--bs"}, "fio: option '--bs' requires an argument, e.g. --bs=VALUE"},
      {{"--rw=reed"},
       "fio: failed parsing rw=reed: valid values: read, write, trim, randread, randwrite, "
       "randtrim, rw, readwrite, randrw, trimwrite, randtrimwrite"},
      {{"--iodepth=0"}, "fio: failed parsing iodepth=0: min value out of range: 0 (1 min)"},
      {{"--direct=2"}, "fio: failed parsing direct=2: max value out of range: 2 (1 max)"},
      {{"--nice=50"}, "fio: failed parsing nice=50: max value out of range: 50 (19 max)"},
      {{"--bs=0"}, "fio: failed parsing bs=0: min value out of range: 0 (1 min)"},
      {{"--size=1m", "--bs=2m"},
       "fio: size too small, must not be less than minimum block size: 1048576 < 2097152"},
      {{"--rate=1m", "--rate_iops=9"},
       "fio: rate and rate_iops are mutually exclusive; leave one out"},
      {{"--readonly", "--rw=write"},
       "fio: job <a> has write or trim bit set, but fio is in read-only mode: trim and write "
       "operations are not allowed with the --readonly parameter"},
      {{"--ioengine=libaoi"},
       "fio: failed parsing ioengine=libaoi: engine libaoi not loadable; did you mean libaio?"},
      {{"--time_based"},
       "fio: warning: a: time_based requires a runtime/timeout setting; it has no effect"},
      {{"--log_avg_msec=500ms"},
       "fio: failed parsing log_avg_msec=500ms: '500ms': this is a plain number of milliseconds, "
       "e.g. 500"},
      {{"--readonly=1"}, "fio: option '--readonly' doesn't allow an argument"},
      {{"--output-format=xml"},
       "fio: failed parsing output-format=xml: invalid output format xml; valid values: normal, "
       "terse, json, json+"},
      {{"--terse-version=9"},
       "fio: failed parsing terse-version=9: bad terse version format; valid values: 2, 3, 4, 5"},
      {{"--bs=4KiB"},
       "fio: warning: bs: 4KiB = 4000 bytes here (kb_base=1024 swaps the bases); did you mean 4k?"},
  };
  for (const auto& row : k_rows) EXPECT_THAT(lines_of(parse_job(row.words)), ElementsAre(row.line));
  EXPECT_THAT(lines_of(parse_words({"x.fio"})),
              ElementsAre("fio: unable to open 'x.fio' job file: No such file or directory"));
  EXPECT_THAT(lines_of(parse_words({})),
              ElementsAre("fio: No job(s) defined; give --name=NAME, or a job file"));
}

TEST(CommandLine, refuses_what_is_known_but_not_supported_by_name) {
  const struct {
    std::vector<std::string> words;
    const char* what;
  } k_rows[] = {{{"--cgroup=x"}, "cgroup is not supported"},
                {{"--ioengine=rbd", "--pool=x"}, "ioengine=rbd is not supported"},
                {{"--client=h"}, "--client is not supported"},
                {{"--latency-log"}, "give write_lat_log"},
                {{"--zonemode=zbd"}, "zonemode=zbd is not supported"},
                {{"--ioengine=http"}, "http_mode=s3 only"},
                {{"--ioengine=libaio", "--cmdprio=3"}, "cmdprio is not supported"}};
  for (const auto& row : k_rows) {
    const ParsedFio parsed = parse_job(row.words);
    EXPECT_FALSE(parsed.has_errors()) << row.what;
    EXPECT_THAT(lines_of(parsed), ElementsAre(HasSubstr(row.what)));
  }
  EXPECT_THAT(lines_of(parse_job({"--fdp=0", "--lockfile=none"})), IsEmpty());
}

TEST(CommandLine, refuses_its_own_options_by_name_with_and_without_a_job) {
  for (const char* word :
       {"--server", "--server=ip:,8765", "--daemonize=f", "--client=h", "--remote-config=f",
        "--cpuclock-test", "--crctest", "--crctest=md5", "--memcpytest", "--inflate-log=f",
        "--merge-blktrace-only", "--profile=act", "--debug=io", "--idle-prof=percpu",
        "--trigger-file=f", "--trigger-timeout=2m", "--trigger=sync", "--trigger-remote=sync"}) {
    const std::string name = std::string(word).substr(0, std::string(word).find('='));
    const auto line = HasSubstr("fio: " + name + " is not supported: ");
    EXPECT_THAT(lines_of(parse_words({word})), ElementsAre(line));
    EXPECT_THAT(lines_of(parse_job({word})), ElementsAre(line));
  }
}

TEST(CommandLine, reads_its_own_options) {
  const CommandOptions command =
      parse_job({"--minimal", "--eta=never", "--eta-newline=5", "--status-interval=500ms",
                 "--terse-version=5", "--section=a", "--section=b", "--bandwidth-log",
                 "--append-terse", "--showcmd", "--max-jobs=9", "--alloc-size=1k"})
          .command;
  EXPECT_TRUE(command.formats->terse);
  EXPECT_EQ(command.eta, CommandOptions::Eta::never);
  EXPECT_EQ(command.eta_newline, Duration::seconds(5));
  EXPECT_EQ(command.status_interval, Duration::milliseconds(500));
  EXPECT_EQ(command.terse_version, 5U);
  EXPECT_THAT(command.sections, ElementsAre("a", "b"));
  EXPECT_EQ(command.bandwidth_log, "agg");
  EXPECT_TRUE(command.append_terse);
  EXPECT_TRUE(command.showcmd);
}

}  // namespace
}  // namespace loadline::dialects::fio
