// From bad text to the exact diagnostic.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "dialects/cosbench/testing.h"

namespace loadline::dialects::cosbench {
namespace {

std::string refusal(const std::string& text) {
  const auto parsed = parse_for_test(text);
  EXPECT_FALSE(parsed.plan) << text;
  EXPECT_TRUE(parsed.files.empty());
  return messages(parsed);
}
std::string warning(const std::string& text) {
  const auto parsed = parse_for_test(text);
  EXPECT_TRUE(parsed.plan) << messages(parsed);
  return messages(parsed);
}

const std::string k_read = "<operation type=\"read\" config=\"containers=c(1);objects=c(1)\"/>\n";
std::string in_stage(const std::string& stage_attributes, const std::string& content) {
  return "<workload name=\"w\"><workflow><workstage " + stage_attributes + ">" + content +
         "</workstage></workflow></workload>";
}

// What the original answered to each file of testdata/validation is in its responses file; what we
// say is below, with the same words in it or, where it accepted what cannot run, better ones.
TEST(Validation, gives_the_verdict_of_the_original_or_a_better_one) {
  const std::map<std::string, std::string> expected = {
      {"badafr", "3:75: error: afr should be at 0 to 1000000 range (stage m, work m)"},
      {"badop",
       "3:88: error: unrecognized operation: frobnicate; there are read, write, list, "
       "delete, filewrite, init, prepare, cleanup, dispose, head, restore, mwrite, mprepare, "
       "mfilewrite, localwrite, create, open, rename, append, truncate and mkdir (stage m, work m, "
       "operation 1)"},
      {"badsel",
       "3:130: error: illegal uniform distribution pattern: u(0,5); u(a,b) has whole numbers "
       "with 1 <= a <= b (stage m, work m, operation 1)"},
      {"divobj", "accepted"},
      {"failed", "accepted"},
      {"lockstep", "accepted"},
      {"manyworkers", "accepted"},
      {"named", "accepted"},
      {"nan",
       "3:55: error: For input string: \"abc\"; workers is a whole number up to 2147483647 (stage "
       "m, work m)"},
      {"neg", "3:67: error: illegal runtime: -5 (stage m, work m)"},
      {"nolimit",
       "3:31: error: no work limits detectd, either runtime, total ops or total bytes (stage "
       "m, work m)"},
      {"noname", "3:31: error: work name cannot be empty (stage m, work 1)"},
      {"noops", "3:31: error: a work must have opertations (stage m, work m)"},
      {"ratio90", "3:31: error: op ratio should sum to 100; it is 90 (stage m, work m)"},
      {"semi", "3:28: error: stage name cannot contain delimiter ';' (stage a;b)"},
      {"worktypewrite", "accepted"},
  };
  for (const auto& [name, text] : expected) {
    const auto parsed = parse_for_test(read_file(LOADLINE_TESTDATA "/validation/" + name + ".xml"));
    const std::string verdict = parsed.plan ? "accepted\n" : messages(parsed);
    EXPECT_EQ(verdict, text + "\n") << name;
  }
}

TEST(Validation, names_missing_parts_of_the_tree) {
  EXPECT_EQ(refusal("<workload/>"),
            "1:1: error: workload name cannot be empty\n"
            "1:1: error: workload must have its workflow\n");
  EXPECT_EQ(refusal("<workload name=\"w\"><workflow/></workload>"),
            "1:20: error: workflow must have stages\n");
  EXPECT_EQ(refusal(in_stage("", "")),
            "1:30: error: stage name cannot be empty (stage 1)\n"
            "1:30: error: stage must have works (stage 1)\n");
  EXPECT_EQ(refusal("<load/>"),
            "1:1: error: the root element is <load>; a workload begins with <workload>\n");
}

TEST(Validation, refuses_names_that_cannot_name_a_file) {
  for (const char* name : {"a/b", ".", "..", "&#10;"}) {
    EXPECT_NE(refusal("<workload name=\"" + std::string(name) + "\"><workflow/></workload>")
                  .find("cannot name a file; leave out '/' and control characters"),
              std::string::npos)
        << name;
  }
  EXPECT_NE(refusal(in_stage("name=\"a/b\"", "")).find("stage name 'a/b' cannot name a file"),
            std::string::npos);
  EXPECT_NE(refusal(in_stage("name=\"" + std::string(500, 'x') + "\"", ""))
                .find("stage name is longer than 180 bytes; it names a file"),
            std::string::npos);
}

TEST(Validation, finds_every_mistake_in_a_work_at_once) {
  EXPECT_EQ(
      refusal(one_work("workers=\"-1\" interval=\"0\" division=\"\" runtime=\"x\" "
                       "rampup=\"-1\" rampdown=\"-2\" totalOps=\"-3\" totalBytes=\"-4\" "
                       "afr=\"-5\" type=\"\"",
                       "")),
      "2:1: error: work name cannot be empty (stage m, work 1)\n"
      "2:1: error: a work must have opertations (stage m, work 1)\n"
      "2:16: error: illegal workers: -1 (stage m, work 1)\n"
      "2:30: error: illegal interval: 0; it is a number of seconds from 1 up (stage m, work "
      "1)\n"
      "2:43: error: work must have a default division (stage m, work 1)\n"
      "2:54: error: For input string: \"x\"; runtime is a whole number up to 2147483647 (stage "
      "m, work 1)\n"
      "2:65: error: illegal ramp up time: -1 (stage m, work 1)\n"
      "2:79: error: illegal ramp down time: -2 (stage m, work 1)\n"
      "2:93: error: illegal total ops: -3 (stage m, work 1)\n"
      "2:109: error: illegal total bytes: -4 (stage m, work 1)\n"
      "2:118: error: afr should be at 0 to 1000000 range (stage m, work 1)\n"
      "2:128: error: work type cannot be empty (stage m, work 1)\n");
  EXPECT_EQ(refusal(one_work("name=\"m\" runtime=\"1\"", k_read)),
            "2:1: error: must specify 'workers' for a work (stage m, work m)\n");
  EXPECT_EQ(refusal(one_work("name=\"m\" workers=\"00\" runtime=\"1\"", k_read)),
            "2:25: error: must specify 'workers' for a work (stage m, work m)\n");
  EXPECT_EQ(refusal(one_work("name=\"m\" workers=\"99999999999\" runtime=\"1\"", k_read)),
            "2:25: error: For input string: \"99999999999\"; workers is a whole number up to "
            "2147483647 (stage m, work m)\n");
  EXPECT_EQ(refusal(one_work("name=\"m\" workers=\"1000001\" runtime=\"1\"", k_read)),
            "2:25: error: illegal workers: 1000001; 1000000 are the limit (stage m, work m)\n");
  EXPECT_EQ(
      refusal(one_work("type=\"prepair\" name=\"m\" workers=\"1\" runtime=\"1\"", "")),
      "2:1: error: a work must have opertations; did you mean 'prepare'? (stage m, work m)\n");
  EXPECT_EQ(
      refusal(in_stage("name=\"a\" closuredelay=\"-1\"", "<work type=\"delay\" workers=\"-5\"/>")),
      "1:64: error: closure delay cannot be negative (stage a)\n");
}

TEST(Validation, checks_ratios) {
  EXPECT_EQ(
      refusal(one_operation("type=\"read\" ratio=\"101\" config=\"containers=c(1);objects=c(1)\"")),
      "2:1: error: op ratio should sum to 100; it is 101 (stage m, work m)\n"
      "3:31: error: illegal operation ratio: 101; it is from 0 to 100 (stage m, work m, "
      "operation 1)\n");
  EXPECT_EQ(refusal(one_operation("type=\"read\" ratio=\"0\"")),
            "2:1: error: a work must have opertations (stage m, work m)\n");
}

TEST(Validation, finds_at_submission_what_the_original_finds_when_the_stage_starts) {
  EXPECT_EQ(refusal(one_operation("type=\"raed\"")),
            "3:18: error: unrecognized operation: raed; did you mean 'read'? (stage m, work m, "
            "operation 1)\n");
  EXPECT_EQ(refusal(one_operation("")),
            "3:1: error: operation type cannot be empty (stage m, work m, operation 1)\n"
            "3:1: error: unrecognized operation: ; there are read, write, list, delete, filewrite, "
            "init, prepare, cleanup, dispose, head, restore, mwrite, mprepare, mfilewrite, "
            "localwrite, create, open, rename, append, truncate and mkdir (stage m, work m, "
            "operation 1)\n");
  EXPECT_EQ(
      refusal(one_operation("type=\"write\" division=\"objects\" config=\"cprefix=a\"")),
      "3:1: error: no such key defined: containers; write it into config, like "
      "containers=r(1,4) (stage m, work m, operation 1)\n"
      "3:1: error: no such key defined: objects; write it into config, like objects=r(1,100) "
      "(stage m, work m, operation 1)\n"
      "3:1: error: no such key defined: sizes; write it into config, like sizes=c(64)KB (stage "
      "m, work m, operation 1)\n"
      "3:35: error: unrecogized division strategy: objects; it is none, container or object; "
      "did you mean 'object'? (stage m, work m, operation 1)\n");
  EXPECT_EQ(
      refusal(one_operation(
          "type=\"write\" config=\"containers=x(1);objects=r(2,1);sizes=c(1)kb;hashCheck=maybe;"
          "histogram=;chunked=2\"")),
      "3:33: error: unrecognized distribution: x(1); there are c(5), u(1,100), r(1,100), "
      "s(1,100) and h(1|10|20,11|50|80) (stage m, work m, operation 1)\n"
      "3:49: error: illegal iteration pattern: r(2,1); r(a,b) has whole numbers with 1 <= a <= "
      "b (stage m, work m, operation 1)\n"
      "3:64: error: unrecognized size unit: c(1)kb; write c(64)KB; units are B, KB, MB, GB (by "
      "1000) and KiB, MiB, GiB (by 1024) (stage m, work m, operation 1)\n"
      "3:77: error: illegal hashCheck: maybe; it is true or false (stage m, work m, operation "
      "1)\n"
      "3:93: error: illegal histogram: ; it is true or false (stage m, work m, operation 1)\n"
      "3:104: error: illegal chunked: 2; it is true or false (stage m, work m, operation 1)\n");
  EXPECT_EQ(refusal(one_operation("type=\"read\" division=\"object\" "
                                  "config=\"containers=c(1);objects=h(1|2|3)\"")),
            "3:66: error: objects=h(1|2|3) cannot be divided among workers; use u, r or s, or "
            "division=none (stage m, work m, operation 1)\n");
  EXPECT_EQ(refusal(one_work("type=\"prepare\" workers=\"1\" config=\"containers=u(1,2);"
                             "objects=r(1,2);sizes=c(1)B\"",
                             "")),
            "2:42: error: unrecognized range expression: u(1,2); this kind of work counts through "
            "r(a,b), s(a,b) or c(n) (stage m, work prepare)\n");
}

TEST(Validation, checks_branch_keys) {
  EXPECT_EQ(refusal(one_operation("type=\"mwrite\" config=\"containers=c(1);objects=c(1);"
                                  "sizes=c(9)MB;part_size=5MiB\"")),
            "3:76: error: For input string: \"5MiB\"; part_size is a whole number from 1 to "
            "9223372036854775807 (stage m, work m, operation 1)\n");
  EXPECT_EQ(refusal(one_operation("type=\"read\" config=\"containers=c(1);objects=c(1);"
                                  "is_range_request=true;file_length=5\"")),
            "3:1: error: no such key defined: chunk_length; is_range_request needs it, in bytes "
            "(stage m, work m, operation 1)\n");
  EXPECT_EQ(refusal(one_operation("type=\"read\" config=\"containers=c(1);objects=c(1);"
                                  "is_range_request=true;file_length=5;chunk_length=6\"")),
            "3:97: error: chunk_length=6 is longer than file_length=5 (stage m, work m, operation "
            "1)\n");
  EXPECT_EQ(refusal(one_operation("type=\"filewrite\" config=\"containers=c(1);files=/nowhere/at/"
                                  "all;fileselection=s\"")),
            "3:53: error: files=/nowhere/at/all: No such file or directory (stage m, work m, "
            "operation 1)\n");
  EXPECT_EQ(refusal(one_operation(
                "type=\"filewrite\" config=\"containers=c(1);files=" LOADLINE_TESTDATA "\"")),
            "3:53: error: files=" LOADLINE_TESTDATA
            ": there are no files in it (stage m, work m, "
            "operation 1)\n");
}

TEST(Validation, checks_operations_on_names) {
  EXPECT_EQ(refusal(one_operation("type=\"rename\" config=\"containers=c(1);objects=r(1,9)\"")),
            "3:1: error: no such key defined: newprefix; a rename needs it or newsuffix, like "
            "newprefix=renamed (stage m, work m, operation 1)\n");
  EXPECT_EQ(refusal(one_operation(
                "type=\"rename\" config=\"containers=c(1);objects=r(1,9);oprefix=a;newprefix=a\"")),
            "3:75: error: newprefix=a is the object's own name; a rename needs another (stage m, "
            "work m, operation 1)\n");
  EXPECT_EQ(refusal(one_operation("type=\"append\" config=\"containers=c(1);objects=r(1,9)\"")),
            "3:1: error: no such key defined: sizes; write it into config, like sizes=c(64)KB "
            "(stage m, work m, operation 1)\n");
  EXPECT_EQ(refusal(one_operation("type=\"mkdir\" config=\"containers=c(1)\"")),
            "3:1: error: no such key defined: objects; write it into config, like "
            "objects=r(1,100) (stage m, work m, operation 1)\n");
}

TEST(Validation, checks_rates) {
  EXPECT_EQ(refusal(one_work("name=\"m\" workers=\"1\" runtime=\"1\" arrival=\"poisson\"", k_read)),
            "2:49: error: arrival=poisson needs a rate; add rate= operations per second (stage m, "
            "work m)\n");
  EXPECT_EQ(
      refusal(
          one_work("name=\"m\" workers=\"1\" runtime=\"1\" rate=\"0\" arrival=\"often\"", k_read)),
      "2:46: error: illegal rate: 0; it is a number of operations per second above 0 (stage m, "
      "work m)\n"
      "2:58: error: unrecognized arrival: often; it is constant or poisson (stage m, work m)\n");
  for (const char* rate : {"", "nan", "inf", "-1", "5x"}) {
    refusal(one_work("name=\"m\" workers=\"1\" runtime=\"1\" rate=\"" + std::string(rate) + "\"",
                     k_read));
  }
}

// The parameter `delay` must be a number, or so this storage says.
Result<void> check_delay(const std::string& type, const target::Parameters& parameters) {
  if (type != "mock") return {};
  const auto delay = parameters.number("delay", 0, 0, 1e9);
  if (!delay) return std::unexpected(delay.error());
  return {};
}

TEST(Validation, asks_the_storage_about_its_parameters) {
  const report::WorkloadText workload{
      .file = "w.xml",
      .text =
          "<workload name=\"w\">\n<storage type=\"mock\" config=\"size=1;delay=abc\"/><workflow>"
          "<workstage name=\"m\"><work name=\"a\" workers=\"1\" totalOps=\"1\"><operation "
          "type=\"read\" config=\"containers=c(1);objects=c(1)\"/></work><work name=\"b\" "
          "workers=\"1\" totalOps=\"1\"><operation type=\"read\" "
          "config=\"containers=c(1);objects=c(1)\"/></work></workstage></workflow></workload>",
      .target_types = {"mock"},
      .check_target = check_delay};
  const report::ParsedWorkload parsed = cosbench_dialect().parse(workload);
  EXPECT_FALSE(parsed.plan);
  // Once, although two works inherit it.
  EXPECT_EQ(messages(parsed),
            "2:37: error: delay: 'abc' is not a number from 0 to 1000000000 (workload, storage)\n");
}

TEST(Validation, never_repeats_what_may_be_a_secret) {
  for (const char* config :
       {"accesskey=AK;secretkey s3cr3tZZ", "accesskey=AK;secretkey=a;s3cr3tZZ"}) {
    const std::string said =
        messages(parse_for_test("<workload name=\"w\"><storage type=\"mock\" config=\"" +
                                std::string(config) + "\"/><workflow/></workload>"));
    EXPECT_NE(said.find("has no key=value"), std::string::npos) << said;
    EXPECT_EQ(said.find("s3cr3tZZ"), std::string::npos) << said;
  }
}

TEST(Validation, reports_a_limit_that_is_no_number_once) {
  const std::string said = messages(parse_for_test(
      one_work("name=\"m\" workers=\"2\" runtime=\"abc\"",
               "<operation type=\"read\" config=\"containers=c(1);objects=c(1)\"/>")));
  EXPECT_EQ(said.find("no work limits"), std::string::npos) << said;
}

TEST(Validation, checks_storage_and_auth_once_where_they_stand) {
  const std::string two_works = "<work name=\"a\" workers=\"1\" totalOps=\"1\">" + k_read +
                                "</work><work name=\"b\" workers=\"1\" totalOps=\"1\">" + k_read +
                                "</work>";
  EXPECT_EQ(
      refusal(in_stage("name=\"a\"", "<storage type=\"swift\"/>" + two_works)),
      "1:65: error: storage type 'swift' is not in this build; it has mock, none and s3; --set "
      "storage.type=mock puts another in its place (stage a, storage)\n");
  EXPECT_EQ(
      refusal(in_stage("name=\"a\"", "<storage type=\"moc\"/>" + two_works)),
      "1:65: error: unrecognized storage type: moc; this build has mock, none and s3; did you "
      "mean 'mock'? (stage a, storage)\n");
  EXPECT_EQ(refusal(in_stage("name=\"a\"", "<storage/><auth type=\"\"/>" + two_works)),
            "1:50: error: storage type cannot be empty (stage a, storage)\n"
            "1:72: error: auth type cannot be empty (stage a, auth)\n");
  EXPECT_EQ(refusal(in_stage("name=\"a\"", "<auth type=\"keystne\"/>" + two_works)),
            "1:62: error: unrecognized auth type: keystne; there are none, mock, swauth, tempauth, "
            "keystone, httpauth, basic and digest; did you mean 'keystone'? (stage a, auth)\n");
  EXPECT_EQ(warning(in_stage("name=\"a\"", "<auth type=\"swauth\"/>" + two_works)),
            "1:62: warning: auth type 'swauth' is not used: no storage of this build logs in that "
            "way (stage a, auth)\n");
}

TEST(Validation, does_not_ask_for_a_storage_that_no_work_uses) {
  EXPECT_EQ(
      warning("<workload name=\"w\"><storage type=\"swift\"/><workflow>"
              "<workstage name=\"delay\" closuredelay=\"1\"><work type=\"delay\"/></workstage>"
              "</workflow></workload>"),
      "");
}

TEST(Validation, checks_triggers) {
  for (const char* trigger : {"x", "x.sh", "x.sh(", "../x.sh()", "a b.sh()", ".sh()"}) {
    EXPECT_EQ(
        refusal(in_stage("name=\"a\" closuredelay=\"1\" trigger=\"" + std::string(trigger) + "\"",
                         "<work type=\"delay\"/>"))
            .substr(0, 30),
        "1:76: error: illegal trigger: ")
        << trigger;
  }
}

TEST(Validation, warns_about_slips_of_the_hand) {
  EXPECT_EQ(
      warning(one_work("name=\"m\" worker=\"1\" workers=\"1\" totalOps=\"9\" totalops=\"1\" "
                       "ratio=\"100\" id=\"none\" colour=\"red\"",
                       "<operaton/><colour/>"
                       "<operation type=\"read\" config=\"containers=c(1);objects=c(1);"
                       "hashcheck=true;colour=red;junk\"/>")),
      "2:24: warning: the attribute 'worker' is ignored; did you mean 'workers'? (stage m, work "
      "m)\n"
      "2:62: warning: the attribute 'totalops' is ignored; did you mean 'totalOps'? (stage m, "
      "work m)\n"
      "3:1: warning: the element <operaton> is ignored; did you mean <operation>? (stage m, "
      "work m)\n"
      "3:52: warning: 'junk' in config has no key=value and is ignored (stage m, work m, "
      "operation 1)\n"
      "3:81: warning: the config key 'hashcheck' is ignored; did you mean 'hashCheck'? (stage "
      "m, work m, operation 1)\n");
  EXPECT_EQ(warning("<workload name=\"w\"><workflow><storage type=\"s3\"/><workstage name=\"a\">"
                    "<work type=\"delay\"/></workstage></workflow></workload>"),
            "1:30: warning: <storage> has no meaning inside <workflow> and is ignored (workflow)\n"
            "1:50: warning: sleeps for 0 s; give it a closuredelay in seconds (stage a)\n");
}

TEST(Validation, warns_about_storage_keys_of_the_wrong_case_and_not_about_new_ones) {
  EXPECT_EQ(
      warning(in_stage("name=\"a\"",
                       "<storage type=\"s3\" config=\"accessKey=1;endpoints=2;quick=3\"/>"
                       "<work name=\"a\" workers=\"1\" totalOps=\"1\">" +
                           k_read + "</work>")),
      "1:77: warning: the config key 'accessKey' is not known here; did you mean 'accesskey'? "
      "(stage a, storage)\n");
}

TEST(Validation, warns_about_what_is_legal_and_seldom_meant) {
  EXPECT_EQ(warning(one_operation("type=\"read\" config=\"containers=r(1,2);objects=r(1,4)\"")),
            "3:1: warning: containers and objects step together, as in COSBench: only one in 2 of "
            "their pairs is ever used; use u() for one of them to reach all (stage m, work m, "
            "operation 1)\n");
  EXPECT_EQ(
      warning(one_work("name=\"m\" workers=\"9\" totalOps=\"9\" division=\"container\"",
                       "<operation type=\"read\" config=\"containers=u(1,4);objects=c(1)\"/>")),
      "3:1: warning: 9 workers divide 4 containers: 5 of them stay idle (stage m, work m, "
      "operation 1)\n");
  EXPECT_EQ(
      warning(one_operation("type=\"write\" config=\"hashCheck=true;containers=c(1);objects=c(1);"
                            "sizes=h(1|40|1)B\"")),
      "3:33: warning: objects of up to 40 bytes carry no hash: nothing will be verified (stage m, "
      "work m, operation 1)\n");
  EXPECT_EQ(warning(one_operation("type=\"read\" config=\"containers=c(1)B;objects=c(1,5)\"")),
            "3:32: warning: in containers=c(1)B 'B' is ignored (stage m, work m, operation 1)\n"
            "3:49: warning: in objects=c(1,5) 'the second argument' is ignored (stage m, work m, "
            "operation 1)\n");
  EXPECT_EQ(
      warning(one_operation("type=\"write\" config=\"containers=c(1);objects=c(1);sizes=c(1)B;"
                            "content=Zero\"")),
      "3:74: warning: content=Zero means random bytes; did you mean 'zero'? (stage m, work m, "
      "operation 1)\n");
  const std::string stage =
      "<storage type=\"s3\"/><work name=\"a\" workers=\"1\" totalOps=\"1\">"
      "<operation type=\"mwrite\" config=\"containers=c(1);objects=c(1);"
      "sizes=c(1)B;chunked=true;part_size=5\"/></work>";
  EXPECT_EQ(warning(in_stage("name=\"a\"", stage)),
            "1:184: warning: chunked is ignored: S3 wants the length of an object first (stage a, "
            "work a, operation 1)\n"
            "1:197: warning: part_size=5: S3 refuses parts below 5242880 bytes, but for the last "
            "(stage a, work a, operation 1)\n");
}

TEST(Validation, limits_how_much_it_reads_and_says) {
  std::string operations;
  for (int i = 0; i < 10'100; ++i) operations += "<operation type=\"raed\" ratio=\"0\"/>\n";
  EXPECT_NE(refusal(one_work("name=\"m\" workers=\"1\" totalOps=\"1\"", operations))
                .find("more than 10000 works and operations"),
            std::string::npos);
  std::string keys;
  for (int i = 0; i < 101; ++i) keys += "k" + std::to_string(i) + "=1;";
  EXPECT_NE(refusal(one_operation("type=\"read\" config=\"" + keys + "\""))
                .find("config has more than 100 keys"),
            std::string::npos);
  EXPECT_NE(refusal(one_operation("type=\"read\" config=\"" + std::string(20'000, 'x') + "\""))
                .find("config is longer than 16384 bytes"),
            std::string::npos);
  operations.clear();
  for (int i = 0; i < 150; ++i) operations += "<operation type=\"raed\" ratio=\"1\"/>\n";
  const auto parsed =
      parse_for_test(one_work("name=\"m\" workers=\"1\" totalOps=\"1\"", operations));
  EXPECT_EQ(parsed.diagnostics.size(), 101U);
  EXPECT_EQ(parsed.diagnostics.back().what, "51 more, not shown");
}

TEST(Validation, never_shows_a_secret) {
  const std::string text = one_operation("type=\"read\"");
  const auto parsed = parse_for_test(text, {{"storage.config.secretkey", "hush"},
                                            {"storage.config.pasword", "hush"},
                                            {"storage.type", "swift"}});
  EXPECT_EQ(messages(parsed).find("hush"), std::string::npos);
}

}  // namespace
}  // namespace loadline::dialects::cosbench
