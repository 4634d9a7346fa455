#include "dialects/fio/job_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dialects/fio/testing.h"

namespace loadline::dialects::fio {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(JobFile, reads_sections_globals_includes_variables_and_keywords) {
  Surroundings world = system_surroundings();
  world.page_size = 4096;
  world.memory_mb = 2048;
  world.cpus = 8;
  world.variable = [](const std::string& name) -> std::optional<std::string> {
    return name == "SECONDS_TO_RUN" ? std::optional<std::string>("30") : std::nullopt;
  };
  const std::vector<std::string> words = {LOADLINE_TESTDATA "/sections.fio"};
  const ParsedFio parsed = parse(words, world);
  EXPECT_THAT(lines_of(parsed), IsEmpty());
  ASSERT_THAT(parsed.jobs, SizeIs(2));
  const JobOptions& first = parsed.jobs[0];
  EXPECT_EQ(first.name, "first job");
  EXPECT_EQ(first.engine, Engine::libaio);
  EXPECT_EQ(first.rw, Rw::randread);
  EXPECT_EQ(first.size, (Size{Size::Unit::bytes, 2048 * 1024}));
  EXPECT_EQ(first.runtime, Duration::seconds(30));
  EXPECT_EQ(first.block_size.read.low, Bytes(8192));
  EXPECT_EQ(first.iodepth, 8U);
  EXPECT_THAT(first.filenames, ElementsAre("/data/x8"));
  EXPECT_TRUE(first.thread);
  EXPECT_FALSE(first.direct);
  EXPECT_EQ(first.line, 9U);
  const JobOptions& second = parsed.jobs[1];
  EXPECT_TRUE(second.direct);
  EXPECT_TRUE(second.stonewall);
  EXPECT_EQ(second.engine, Engine::pvsync2);
  EXPECT_EQ(second.hipri_percentage, 30U);
  EXPECT_TRUE(second.hipri);
  EXPECT_THAT(second.filenames, ElementsAre("/a:b", "/c"));
  EXPECT_THAT(second.given,
              ElementsAre(GivenOption{"ioengine", "pvsync2"}, GivenOption{"stonewall", "", true},
                          GivenOption{"hipri_percentage", "30"}, GivenOption{"hipri", "", true},
                          GivenOption{"filename", "/a\\:b:/c"}));
}

TEST(JobFile, trims_both_sides_of_the_equals_sign) {
  const ParsedFio parsed = parse_file("[a]\n rw = randread \n size = 1m\t\r\nioengine= null\n");
  EXPECT_THAT(lines_of(parsed), IsEmpty());
  EXPECT_EQ(parsed.jobs[0].rw, Rw::randread);
  EXPECT_EQ(parsed.jobs[0].size, (Size{Size::Unit::bytes, 1048576}));
  EXPECT_EQ(parsed.jobs[0].engine, Engine::null);
}

TEST(JobFile, reads_kb_base_first_wherever_it_stands) {
  EXPECT_EQ(parse_file("[a]\nbs=4k\nkb_base=1000\n").jobs[0].block_size.read.low, Bytes(4000));
}

TEST(JobFile, names_mistakes_with_their_place) {
  const struct {
    const char* text;
    const char* line;
  } k_rows[] = {
      {"[a]\n  blcksize=4k\n",
       "fio: a.fio:2:3: Bad option <blcksize=4k>. Did you mean blocksize? "
       "(job a dropped)"},
      {"[a]\nBS=8k\n", "fio: a.fio:2:1: Bad option <BS=8k> (job a dropped)"},
      {"[a]\nbs =  4q\n",
       "fio: a.fio:2:7: failed parsing bs=4q: '4q' has the unknown unit 'q' (fio would read 4); a "
       "size is a whole number and k, m, g, t or p, e.g. 4k (job a dropped)"},
      {"bs=4k\n[a]\n", "fio: a.fio:1:1: option <bs=4k> outside of [] job section"},
      {"[a]\ndirect\n", "fio: a.fio:2:1: option direct requires an argument (job a dropped)"},
      {"[a]\nbs=\n", "fio: a.fio:2:1: option bs requires an argument (job a dropped)"},
      {"[a\n", "fio: a.fio:1:1: a ']' is missing after [a"},
      {"[]\n", "fio: a.fio:1:1: a section name has 1 to 255 characters"},
      {"[a] x\n", "fio: a.fio:1:1: something follows the section name [a]"},
      {"[a]\ninclude b\n",
       "fio: a.fio:2:1: unable to open include file 'b': No such file or directory"},
      {"[a]\nthinktime=${NONE}\n",
       "fio: a.fio:2:1: option thinktime requires an argument (job a "
       "dropped)"},
      {"[a]\nhipri\n",
       "fio: a.fio:2:1: unrecognized option 'hipri': it belongs to "
       "ioengine=io_uring,io_uring_cmd,pvsync2,sg,xnvme, and this job has psync "
       "(job a dropped)"},
      {"[a]\nwait_for=b\n[b]\n", "fio: a: wait_for=b: there is no earlier job of this name"},
      {"[a]\nbs=1k*4\n",
       "fio: a.fio:2:4: failed parsing bs=1k*4: '1k*4': put an expression in "
       "parentheses: (1k*4) (job a dropped)"},
  };
  for (const auto& row : k_rows) {
    const auto lines = lines_of(parse_file(row.text));
    EXPECT_THAT(lines, ::testing::Contains(row.line)) << row.text;
  }
}

TEST(JobFile, treats_every_name_that_begins_with_global_as_global) {
  const ParsedFio parsed = parse_file("[global_x]\nbs=8k\n[a]\n");
  ASSERT_THAT(parsed.jobs, SizeIs(1));
  EXPECT_EQ(parsed.jobs[0].block_size.read.low, Bytes(8192));
  EXPECT_THAT(lines_of(parsed), ElementsAre(HasSubstr("[global_x] is a global section")));
}

TEST(JobFile, stops_at_includes_that_include_themselves) {
  FakeWorld world;
  world.files["a.fio"] = "[a]\ninclude b\n";
  world.files["b"] = "include b\n";
  EXPECT_THAT(lines_of(parse_words({"a.fio"}, world)),
              ElementsAre(HasSubstr("b:1:1: includes are nested more than 8 deep")));
  world.files["b"] = "[c]\n";
  EXPECT_THAT(lines_of(parse_words({"a.fio"}, world)),
              ElementsAre("fio: b:1:1: an included file cannot begin a section"));
}

TEST(JobFile, finds_includes_beside_the_including_file) {
  FakeWorld world;
  world.files["d/a.fio"] = "[a]\ninclude b\n";
  world.files["d/b"] = "iodepth=7\n";
  EXPECT_EQ(parse_words({"d/a.fio"}, world).jobs[0].iodepth, 7U);
}

TEST(JobFile, says_once_that_a_file_is_none) {
  std::string garbage;
  for (int i = 0; i < 5000; ++i) garbage += static_cast<char>(i * 7);
  EXPECT_THAT(lines_of(parse_file("[a]\n" + garbage)),
              ElementsAre("fio: a.fio:2:1: a.fio is no job file: it holds a byte that is no text "
                          "(0x00)"));
  EXPECT_THAT(lines_of(parse_file("<html>\n<body>\nbs=4k\n[a]\n")),
              ElementsAre("fio: a.fio:1:1: option <<html>> outside of [] job section"));
  EXPECT_THAT(lines_of(parse_file("\xef\xbb\xbf[a]\r\n\tbs=4k\n")), IsEmpty());
}

TEST(JobFile, runs_only_the_sections_asked_for) {
  FakeWorld world;
  world.files["a.fio"] = "[global]\nbs=8k\n[a]\nnonsense=1\n[b]\n";
  const ParsedFio parsed = parse_words({"--section=b", "a.fio"}, world);
  EXPECT_THAT(lines_of(parsed), IsEmpty());
  ASSERT_THAT(parsed.jobs, SizeIs(1));
  EXPECT_EQ(parsed.jobs[0].block_size.read.low, Bytes(8192));
  EXPECT_THAT(lines_of(parse_words({"--section=c", "a.fio"}, world)),
              ElementsAre(HasSubstr("No job(s) defined")));
}

TEST(JobFile, forgets_globals_at_the_second_file) {
  FakeWorld world;
  world.files["a.fio"] = "[a]\n";
  world.files["b.fio"] = "[b]\n[c]\n";
  const ParsedFio parsed = parse_words({"--bs=8k", "a.fio", "b.fio"}, world);
  ASSERT_THAT(parsed.jobs, SizeIs(3));
  EXPECT_EQ(parsed.jobs[0].block_size.read.low, Bytes(8192));
  EXPECT_EQ(parsed.jobs[1].block_size.read.low, Bytes(4096));
  EXPECT_TRUE(parsed.jobs[1].starts_file);
  EXPECT_FALSE(parsed.jobs[2].starts_file);
  EXPECT_THAT(lines_of(parsed), ElementsAre(HasSubstr("do not apply to 'b.fio'")));
}

}  // namespace
}  // namespace loadline::dialects::fio
