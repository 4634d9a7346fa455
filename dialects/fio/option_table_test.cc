#include "dialects/fio/option_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "dialects/fio/command_table.h"
#include "dialects/fio/names.h"
#include "dialects/fio/testing.h"

namespace loadline::dialects::fio {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

JobOptions job_of(std::vector<std::string> words) {
  ParsedFio parsed = parse_job(words);
  EXPECT_FALSE(parsed.has_errors()) << ::testing::PrintToString(lines_of(parsed));
  return parsed.jobs.empty() ? JobOptions{} : parsed.jobs[0];
}

std::string mistake_of(const std::string& word) {
  const auto lines = lines_of(parse_job({word}));
  return lines.empty() ? std::string() : lines[0];
}

SizeShare share(std::uint64_t size, std::uint32_t percent) { return {Bytes(size), percent}; }

TEST(OptionTable, has_each_name_once_and_help_for_all) {
  std::set<std::string_view> names;
  for (const Option* option : all_options()) {
    EXPECT_TRUE(names.insert(option->name).second) << option->name;
    if (!option->alias.empty()) {
      EXPECT_TRUE(names.insert(option->alias).second) << option->alias;
    }
    EXPECT_FALSE(option->help.empty()) << option->name;
    EXPECT_EQ(find_option(option->name, {}), option);
    EXPECT_EQ(std::holds_alternative<Pick>(option->slot), !option->choices.empty());
  }
  for (const CommandOption& option : command_options()) {
    // The one name that fio has in both tables; on the command line its own option is meant.
    EXPECT_EQ(names.insert(option.name).second, option.name != "profile") << option.name;
  }
  EXPECT_GT(names.size(), 300U);
}

TEST(OptionTable, takes_every_choice_it_lists) {
  for (const Option* option : all_options()) {
    for (const Choice& choice : option->choices) {
      JobOptions job;
      EXPECT_TRUE(set_option(*option, choice.word, job, {}).has_value()) << option->name;
    }
  }
}

TEST(Names, guesses_within_half_of_the_length) {
  constexpr std::string_view k_names[] = {"blocksize", "bs", "lockfile", "direct"};
  EXPECT_EQ(nearest_name("blcksize", k_names), "blocksize");
  EXPECT_EQ(nearest_name("driect", k_names), "direct");
  EXPECT_EQ(nearest_name("zzzzzzzz", k_names), std::nullopt);
  EXPECT_EQ(nearest_name("", k_names), std::nullopt);
}

TEST(RwOption, reads_directions_and_their_suffix) {
  EXPECT_EQ(job_of({"--rw=read:8k"}).rw_skip, 8192);
  EXPECT_EQ(job_of({"--rw=read:-8k"}).rw_skip, -8192);
  EXPECT_EQ(job_of({"--rw=randread:8"}).rw_repeat, 8U);
  EXPECT_EQ(job_of({"--readwrite=rw"}).rw, Rw::readwrite);
  EXPECT_EQ(job_of({"--rw=read:8k", "--rw=randrw"}).rw_skip, 0);
  EXPECT_THAT(mistake_of("--rw=randread:0"), HasSubstr("1 or more"));
  EXPECT_THAT(mistake_of("--rw=randread,x"), HasSubstr("valid values"));
  EXPECT_THAT(mistake_of("--rw=read:"), HasSubstr("is no number"));
}

TEST(BlockSizes, are_set_by_direction) {
  const auto sizes = job_of({"--bs=4k,8k,16k"}).block_size;
  EXPECT_EQ(sizes.read.low, Bytes(4096));
  EXPECT_EQ(sizes.write.low, Bytes(8192));
  EXPECT_EQ(sizes.trim.high, Bytes(16384));
  const auto later = job_of({"--bs=16k", "--bs=8k,"}).block_size;
  EXPECT_EQ(later.read.low, Bytes(8192));
  EXPECT_EQ(later.write.low, Bytes(16384));
  const auto ranges = job_of({"--bsrange=1k-4k,16k-8k"}).block_size;
  EXPECT_EQ(ranges.read, (ByteRange{Bytes(1024), Bytes(4096)}));
  EXPECT_EQ(ranges.trim, (ByteRange{Bytes(8192), Bytes(16384)}));
  EXPECT_THAT(mistake_of("--bsrange=4k"), HasSubstr("for one size write bs="));
  EXPECT_EQ(job_of({"--ba=,8k"}).blockalign.read, std::nullopt);
  EXPECT_EQ(job_of({"--ba=,8k"}).blockalign.write, Bytes(8192));
}

TEST(BlockSplit, shares_out_what_was_left_open) {
  EXPECT_THAT(job_of({"--bssplit=4k/10:64k/50:32k/40"}).bssplit.read,
              ElementsAre(share(4096, 10), share(65536, 50), share(32768, 40)));
  EXPECT_THAT(job_of({"--bssplit=4k:8k/50:16k"}).bssplit.write,
              ElementsAre(share(4096, 25), share(8192, 50), share(16384, 25)));
  const JobOptions two = job_of({"--bssplit=4k/50:8k/,64k/100"});
  EXPECT_THAT(two.bssplit.read, ElementsAre(share(4096, 50), share(8192, 50)));
  EXPECT_THAT(two.bssplit.trim, ElementsAre(share(65536, 100)));
  EXPECT_EQ(two.block_size.read, (ByteRange{Bytes(4096), Bytes(8192)}));
  EXPECT_THAT(job_of({"--bssplit=4k/50:8k/20"}).bssplit.read,
              ElementsAre(share(4096, 50), share(8192, 50)));
  EXPECT_THAT(mistake_of("--bssplit=4k/60:8k/60"), HasSubstr("add up to 120"));
}

TEST(RandomDistribution, reads_every_kind) {
  const auto of = [](const char* text) {
    return job_of({std::string("--random_distribution=") + text}).random_distribution.read;
  };
  EXPECT_EQ(of("random").kind, DistributionKind::uniform);
  EXPECT_EQ(of("zipf:1.2").parameter, 1.2);
  EXPECT_EQ(of("zipf:1.2:0.3").centre, 0.3);
  EXPECT_EQ(of("pareto:0.2").kind, DistributionKind::pareto);
  EXPECT_EQ(of("normal:20").parameter, 20);
  const Distribution zoned = of("zoned:50/5:30/15:20/");
  ASSERT_EQ(zoned.zones.size(), 3U);
  EXPECT_EQ(zoned.zones[2].access_percent, 20);
  EXPECT_EQ(zoned.zones[2].span, (Size{Size::Unit::percent, 80}));
  EXPECT_EQ(of("zoned_abs:60/1g:40/2g").zones[1].span.amount, 2ULL << 30U);
  EXPECT_EQ(of("zoned_abs=60/1g:40/2g").kind, DistributionKind::zoned_abs);
  EXPECT_THAT(of("sequence:2,0,1").sequence, ElementsAre(2, 0, 1));
  const auto both = job_of({"--random_distribution=zoned:100/50,60/40:40/60"}).random_distribution;
  EXPECT_EQ(both.read.zones.size(), 1U);
  EXPECT_EQ(both.trim.zones.size(), 2U);
}

TEST(RandomDistribution, refuses_what_makes_no_sense) {
  const struct {
    const char* text;
    const char* what;
  } k_rows[] = {{"zipf:1", "zipf theta must be above 0 and different from 1.0"},
                {"pareto:2", "pareto input out of range (0 < input < 1.0)"},
                {"normal:200", "normal deviation out of range (0 <= input < 100.0)"},
                {"zipf:1.2:3", "random center out of range"},
                {"zoned:60/10", "access percentage don't add up to 100"},
                {"zoned:50/50:50/60", "zone_split percentages add to more than 100%"},
                {"zoned:50", "a zone is percent of the I/Os / percent of the file"},
                {"randomx", "valid values: random, zipf"},
                {"zipf:1.2,pareto:0.3", "is no decimal number"}};
  for (const auto& row : k_rows) {
    EXPECT_THAT(mistake_of(std::string("--random_distribution=") + row.text), HasSubstr(row.what));
  }
}

TEST(Options, set_typed_values) {
  const JobOptions job = job_of({"--size=20%",
                                 "--io_size=3z",
                                 "--offset_increment=1g",
                                 "--filesize=1m-2m",
                                 "--runtime=2m",
                                 "--startdelay=1-3",
                                 "--thinktime=5ms",
                                 "--max_latency=1s,2ms",
                                 "--rate=1m,500k",
                                 "--rate_iops_min=,,7",
                                 "--percentage_random=10,20,30",
                                 "--cpus_allowed=0-2,5",
                                 "--numa_mem_policy=bind:0-1",
                                 "--mem=mmap:/tmp/x",
                                 "--sync=dsync",
                                 "--fallocate=posix",
                                 "--verify=crc32c-intel",
                                 "--verify_backlog=1k",
                                 "--log_avg_msec=500",
                                 "--percentile_list=99.9:50",
                                 "--continue_on_error=io",
                                 "--ignore_error=EIO:28,EAGAIN",
                                 "--unified_rw_reporting=both",
                                 "--ss=bw_slope:0.3%",
                                 "--ss_dur=10s",
                                 "--randseed=7",
                                 "--write_bw_log=p",
                                 "--replay_skip=trim,sync",
                                 "--file_service_type=zipf:1.3",
                                 "--sync_file_range=wait_before,write:10",
                                 "--flow=-8",
                                 "--nice=-5"});
  EXPECT_EQ(job.size, (Size{Size::Unit::percent, 20}));
  EXPECT_EQ(job.io_size, (Size{Size::Unit::zones, 3}));
  EXPECT_EQ(job.filesize->high, Bytes(2U << 20U));
  EXPECT_EQ(job.startdelay.high, Duration::seconds(3));
  EXPECT_EQ(job.thinktime, Duration::milliseconds(5));
  EXPECT_EQ(job.max_latency.read, Duration::seconds(1));
  EXPECT_EQ(job.max_latency.trim, Duration::milliseconds(2));
  EXPECT_EQ(job.rate.trim, Bytes(500 * 1024));
  EXPECT_EQ(job.rate_iops_min.read, 0U);
  EXPECT_EQ(job.rate_iops_min.trim, 7U);
  EXPECT_EQ(job.percentage_random.trim, 30U);
  EXPECT_THAT(job.cpus_allowed, ElementsAre(0, 1, 2, 5));
  EXPECT_THAT(job.numa_mem_policy->nodes, ElementsAre(0, 1));
  EXPECT_EQ(job.mem, (Memory{Memory::Kind::mmap, "/tmp/x"}));
  EXPECT_EQ(job.sync, SyncMode::dsync);
  EXPECT_EQ(job.fallocate, Fallocate::posix);
  EXPECT_EQ(job.verify, Verify::crc32c);
  EXPECT_EQ(job.verify_backlog, 1024U);
  EXPECT_EQ(job.log_avg, Duration::milliseconds(500));
  EXPECT_THAT(job.percentile_list, ElementsAre(50, 99.9));
  EXPECT_EQ(job.continue_on_error, (ContinueOnError{.read = true, .write = true}));
  EXPECT_THAT(job.ignore_error_read, ElementsAre(EIO, ENOSPC));
  EXPECT_THAT(job.ignore_error_write, ElementsAre(EAGAIN));
  EXPECT_EQ(job.unified_rw_reporting, UnifiedReporting::both);
  EXPECT_TRUE(job.steadystate->slope);
  EXPECT_TRUE(job.steadystate->percent);
  EXPECT_EQ(job.steadystate_duration, Duration::seconds(10));
  EXPECT_EQ(job.randseed, 7U);
  EXPECT_FALSE(job.randrepeat);
  EXPECT_EQ(job.bandwidth_log, (LogFile{true, "p"}));
  EXPECT_TRUE(job.replay_skip.trim);
  EXPECT_TRUE(job.replay_skip_sync);
  EXPECT_EQ(job.file_service.parameter, 1.3);
  EXPECT_EQ(job.sync_file_range, (SyncFileRange{true, true, false, 10}));
  EXPECT_EQ(job.flow, -8);
  EXPECT_EQ(job.nice, -5);
}

TEST(Options, set_those_of_the_http_engine) {
  const JobOptions job =
      job_of({"--ioengine=http", "--https=insecure", "--http_host=h:80", "--http_mode=s3",
              "--http_s3_keyid=id", "--http_s3_key=key", "--http_verbose=1"});
  EXPECT_EQ(job.engine, Engine::http);
  EXPECT_EQ(job.http.https, EngineOptions::Http::Tls::insecure);
  EXPECT_EQ(job.http.mode, EngineOptions::Http::Mode::s3);
  EXPECT_EQ(job.http.host, "h:80");
  EXPECT_EQ(job.http.s3_keyid, "id");
  EXPECT_EQ(job.http.s3_key, "key");
}

TEST(Patterns, have_the_byte_orders_of_fio) {
  const auto bytes = [](const std::string& text) {
    return job_of({"--verify_pattern=" + text}).verify_pattern.value_or(Pattern{}).bytes;
  };
  using std::string_literals::operator""s;
  EXPECT_EQ(bytes("12"), "\x0c");
  EXPECT_EQ(bytes("-12"), "\xf4\xff\xff\xff");
  EXPECT_EQ(bytes("256"), "\0\x01"s);
  EXPECT_EQ(bytes("0"), "\0"s);
  EXPECT_EQ(bytes("0xdeadface"), "\xde\xad\xfa\xce");
  EXPECT_EQ(bytes("0xabc"), "\x0a\xbc");
  EXPECT_EQ(bytes("\"ab cd\"12"), "ab cd\x0c");
  const auto with_offset = job_of({"--verify_pattern=0x01\"z\"%o"}).verify_pattern;
  EXPECT_EQ(with_offset->bytes.size(), 10U);
  EXPECT_THAT(with_offset->offsets, ElementsAre(2));
  for (const char* text : {"abc", "12abc", "4294967296", "\"open", "0x"}) {
    EXPECT_THAT(mistake_of(std::string("--verify_pattern=") + text), HasSubstr("failed parsing"));
  }
  EXPECT_THAT(mistake_of("--buffer_pattern=%o"), HasSubstr("%o has no meaning"));
}

TEST(Options, refuse_values_out_of_place) {
  const struct {
    const char* word;
    const char* what;
  } k_rows[] = {{"--cpus_allowed=0,9", "CPU 9 too large (max=7)"},
                {"--steadystate=iops", "steadystate threshold must be specified"},
                {"--ignore_error=EFOO", "Unknown error EFOO, please use number value"},
                {"--percentile_list=101", "a percentile is 0 to 100"},
                {"--mem=mmapx", "valid values: malloc"},
                {"--log_compression=1", "min value out of range: 1 (1024 min)"},
                {"--iodepth=-1", "min value out of range: -1 (1 min)"},
                {"--gid=-1", "min value out of range: -1 (0 min)"},
                {"--iodepth=5g", "max value out of range"},
                {"--runtime=1sec", "(fio would read 1 us); write 1s"},
                {"--size=200%", "values greater than 100% aren't supported"},
                {"--numa_mem_policy=bind", "bind needs nodes"}};
  for (const auto& row : k_rows) EXPECT_THAT(mistake_of(row.word), HasSubstr(row.what));
}

TEST(Options, warn_of_those_without_meaning) {
  EXPECT_THAT(lines_of(parse_job({"--verifysort=1"})),
              ElementsAre("fio: warning: verifysort: it has no meaning any more, and is ignored"));
  EXPECT_THAT(lines_of(parse_job({"--bs=4k"})), IsEmpty());
}

}  // namespace
}  // namespace loadline::dialects::fio
