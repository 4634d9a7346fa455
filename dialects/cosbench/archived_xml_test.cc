#include "dialects/cosbench/archived_xml.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "dialects/cosbench/testing.h"

namespace loadline::dialects::cosbench {
namespace {

namespace fs = std::filesystem;

std::string archived(const std::string& text) {
  const auto parsed = parse_for_test(text, {});
  EXPECT_TRUE(parsed.plan) << messages(parsed);
  const auto it = parsed.files.find("workload-config.xml");
  return it == parsed.files.end() ? "" : it->second;
}

// Where nothing is inherited, COSBench does not repeat any text, and the files are the same.
TEST(ArchivedXml, is_cosbenchs_own_file) {
  for (const auto& [submitted, archive] :
       {std::pair("failed", "w23-failed"), std::pair("lockstep", "w25-lockstep"),
        std::pair("named", "w27-named")}) {
    const std::string folder = LOADLINE_TESTDATA "/";
    EXPECT_EQ(archived(read_file(folder + "validation/" + submitted + ".xml")),
              read_file(folder + "archive/" + archive + "/workload-config.xml"))
        << submitted;
  }
}

TEST(ArchivedXml, says_a_repeated_config_once_and_keeps_the_rest) {
  std::string original = read_file(LOADLINE_TESTDATA "/archive/w1-refmock/workload-config.xml");
  // The same key with the same value, said once.
  for (std::size_t at = 0;
       (at = original.find("histogram=true;histogram=true", at)) != std::string::npos;) {
    original.erase(at, sizeof("histogram=true;") - 1);
  }
  const std::string ours = archived(original);
  const auto lines = [](const std::string& text) { return std::ranges::count(text, '\n'); };
  EXPECT_EQ(lines(ours), lines(original));
  const std::string op5 =
      "                <operation type=\"read\" ratio=\"50\" division=\"none\"\n"
      "                    config=\"histogram=true;cprefix=ref-;containers=c(1);objects=s(1,50)\" "
      "id=\"op5\"/>\n";
  EXPECT_NE(original.find(op5), std::string::npos);
  EXPECT_NE(ours.find(op5), std::string::npos);
}

void expect_same_plan_again(const std::string& name, const report::ParsedWorkload& first) {
  ASSERT_TRUE(first.plan) << name << messages(first);
  const std::string& text = first.files.at("workload-config.xml");
  const auto again = parse_for_test(text);
  ASSERT_TRUE(again.plan) << name << messages(again);
  EXPECT_EQ(again.files.at("workload-config.xml"), text) << name;
  plan::Plan masked = *first.plan;
  for (auto& stage : masked.stages) {
    for (auto& job : stage.jobs) {
      if (job.target.parameters.has("secretkey"))
        job.target.parameters.set("secretkey", "REDACTED");
    }
  }
  EXPECT_EQ(*again.plan, masked) << name;
}

TEST(ArchivedXml, gives_the_same_plan_when_it_is_submitted_again) {
  for (const char* folder :
       {"cases", "validation", "archive/w1-refmock", "archive/w48-driverloss"}) {
    for (const auto& entry : fs::directory_iterator(LOADLINE_TESTDATA "/" + std::string(folder))) {
      if (entry.path().extension() != ".xml") continue;
      auto parsed = parse_for_test(read_file(entry.path()));
      if (!parsed.plan) parsed = parse_for_test(read_file(entry.path()), {{"storage.type", "s3"}});
      if (parsed.plan) expect_same_plan_again(entry.path(), parsed);
    }
  }
}

TEST(ArchivedXml, keeps_pace_trigger_and_odd_characters) {
  const std::string text =
      "<workload name=\"a&amp;b &lt;c&gt; &quot;d&quot;\" description=\"\" trigger=\"t.sh(1)\">"
      "<storage type=\"s3\" config=\"secretkey=hush;token=\"/><workflow>"
      "<workstage name=\"m\" trigger=\"u.sh()\">"
      "<work name=\"m\" workers=\"2\" runtime=\"1\" driver=\"driver2\" rate=\"0.1\" "
      "arrival=\"poisson\"><operation type=\"read\" config=\"containers=c(1);objects=c(1);"
      "oprefix=&#9;x\"/></work></workstage></workflow></workload>";
  const auto parsed = parse_for_test(text);
  expect_same_plan_again("odd", parsed);
  const std::string& xml = parsed.files.at("workload-config.xml");
  EXPECT_NE(xml.find("rate=\"0.1\" arrival=\"poisson\""), std::string::npos);
  EXPECT_NE(xml.find("driver=\"driver2\""), std::string::npos);
  EXPECT_NE(xml.find("secretkey=REDACTED;token=\""), std::string::npos);
  EXPECT_EQ(xml.find("hush"), std::string::npos);
}

TEST(ArchivedXml, holds_what_options_have_set) {
  const auto parsed = parse_for_test(read_file(LOADLINE_TESTDATA "/validation/named.xml"),
                                     {{"work.runtime", "5"}, {"storage.config.delay", "9"}});
  ASSERT_TRUE(parsed.plan);
  expect_same_plan_again("named", parsed);
  EXPECT_NE(parsed.files.at("workload-config.xml").find("runtime=\"5\""), std::string::npos);
}

}  // namespace
}  // namespace loadline::dialects::cosbench
