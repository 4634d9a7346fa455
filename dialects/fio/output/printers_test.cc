// The printers beside what fio 3.33 itself prints (testdata/fio-3.33-*).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "dialects/fio/output/fio_output.h"
#include "dialects/fio/output/json.h"
#include "dialects/fio/output/normal.h"
#include "dialects/fio/output/terse.h"
#include "dialects/fio/output/testing.h"

namespace loadline::dialects::fio::output {
namespace {

using testing::FakeRun;
using Json = nlohmann::ordered_json;

// The text of a file of testdata/.
std::string testdata(const std::string& name) {
  std::ifstream file(std::string(LOADLINE_TESTDATA) + "/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

// "/jobs[]/read/clat_ns/mean" and so on, in order. Bins and options are data.
void keys_of(const Json& json, const std::string& path, std::vector<std::string>& keys) {
  for (const auto& [key, value] : json.items()) {
    const std::string name = path + "/" + (json.is_array() ? "[]" : key);
    if (!json.is_array()) keys.push_back(name);
    const bool data = key == "bins" || key == "job options" || key == "global options";
    if (value.is_structured() && !data) keys_of(value, name, keys);
  }
}

std::vector<std::string> keys_of(const std::string& text) {
  std::vector<std::string> keys;
  keys_of(Json::parse(text), "", keys);
  return keys;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Numbers and units become "#", so that lines can be compared by their form.
std::string form_of(const std::string& line) {
  static const std::regex number(R"([ ]*[0-9]+(\.[0-9]+)?(([kKMGTP]i?)?B|[kMGT](?![a-z]))?)");
  static const std::regex unit(R"(\((nsec|usec|msec)\))");
  static const std::regex percentiles(R"(\[#\](, #th=\[#\])*,?)");
  static const std::regex date(R"((Mon|Tue|Wed|Thu|Fri|Sat|Sun) .*$)");
  std::string text = std::regex_replace(line, date, "DATE");
  text = std::regex_replace(text, number, "#");
  text = std::regex_replace(text, unit, "(TIME)");
  return std::regex_replace(text, percentiles, "[#]");
}

Summary full_summary(FakeRun& run) {
  run.add_job("mix");
  run.fill(100);
  run.add_device();
  return summary_of(run.stored());
}

TEST(Json, has_the_keys_of_fio) {
  FakeRun run;
  const Summary summary = full_summary(run);
  EXPECT_EQ(keys_of(json_text(summary, true)), [] {
    // Nothing was trimmed there either.
    return keys_of(testdata("fio-3.33-sync.json"));
  }());
}

TEST(Json, has_the_keys_of_fio_for_mixed_results) {
  for (const auto& [name, reporting] :
       {std::pair{"mixed", UnifiedReporting::mixed}, {"both", UnifiedReporting::both}}) {
    FakeRun run;
    JobSource& source = run.add_job(name);
    source.report.unified_rw_reporting = reporting;
    if (reporting == UnifiedReporting::both) {
      source.report.lat_percentiles = true;
      source.report.percentile_list = {50, 99.999};
    }
    run.fill(100, false);
    EXPECT_EQ(keys_of(json_text(summary_of(run.stored()), false)),
              keys_of(testdata(std::string("fio-3.33-") + name + ".json")))
        << name;
  }
}

TEST(Json, has_the_keys_of_fio_for_errors_and_steady_state) {
  FakeRun run;
  JobSource& source = run.add_job("a");
  source.continue_on_error = true;
  run.fill(0, false);
  record::JobResult& failed = run.result().stages[0].jobs[0];
  failed.block->failure.error = 28;
  failed.ops[1].stats.outcomes[static_cast<std::size_t>(target::Outcome::no_space)] = 1;
  std::vector<std::string> theirs = keys_of(testdata("fio-3.33-errors.json"));
  std::erase_if(theirs, [](const std::string& key) { return key.contains("/disk_util"); });
  EXPECT_EQ(keys_of(json_text(summary_of(run.stored()), false)), theirs);

  FakeRun steady;
  JobSource& rule = steady.add_job("s");
  rule.report.steadystate = SteadyState{.percent = true, .limit = 5};
  rule.report.steadystate_duration = Duration::seconds(2);
  steady.fill(100, false);
  record::JobResult& job = steady.result().stages[0].jobs[0];
  job.ops[1].stats.clear();
  job.block->steady = record::SteadyReport{.attained = true,
                                           .deviation = 0.05,
                                           .iops = {1001, 1000},
                                           .bytes_per_second = {4100566, 4096000}};
  const std::string text = json_text(summary_of(steady.stored()), false);
  EXPECT_EQ(keys_of(text), keys_of(testdata("fio-3.33-steady.json")));
  EXPECT_TRUE(text.contains("\"criterion\" : \"0.050000%\"")) << text;
}

// Byte for byte but for the numbers.
TEST(Json, has_the_layout_of_fio) {
  FakeRun run;
  run.add_job("mx").report.unified_rw_reporting = UnifiedReporting::mixed;
  run.sources()[0].given = {{"name", "mx"},       {"ioengine", "null"},
                            {"size", "1m"},       {"rw", "randrw"},
                            {"thread", "", true}, {"unified_rw_reporting", "mixed"}};
  run.fill(100, false);
  const auto masked = [](const std::string& text) {
    return std::regex_replace(
        std::regex_replace(text, std::regex(R"( : [0-9]+(\.[0-9]{6})?(,?)\n)"), " : #$2\n"),
        std::regex(R"("time" : "[^"]*")"), "\"time\"");
  };
  EXPECT_EQ(masked(json_text(summary_of(run.stored()), false)),
            masked(testdata("fio-3.33-mixed.json")));
}

TEST(Json, stays_valid_with_any_text_and_any_percentiles) {
  FakeRun run;
  JobSource& source = run.add_job("a \"b\"\\\n");
  source.report.percentile_list = {0, 0, 50, 50, 100};
  run.fill(100);
  const Json json = Json::parse(json_text(summary_of(run.stored()), true));
  EXPECT_EQ(json["jobs"][0]["jobname"], "a \"b\"\\\n");
  EXPECT_EQ(json["jobs"][0]["read"]["clat_ns"]["percentile"].size(), 3U);
}

TEST(Terse, has_the_fields_of_fio) {
  const std::vector<std::string> theirs = lines_of(testdata("fio-3.33-terse.txt"));
  FakeRun run;
  full_summary(run);
  run.sources()[0].description = "dd";
  const Summary summary = summary_of(run.stored());
  std::string ours;
  for (const std::uint32_t version : {2U, 3U, 4U, 5U}) ours += terse_text(summary, version);
  const std::vector<std::string> lines = lines_of(ours);
  ASSERT_EQ(lines.size(), theirs.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    // The form of every field: a whole number, one with so many places, percent, or text.
    const auto forms = [](const std::string& line) {
      const std::string text = std::regex_replace(line, std::regex(R"([0-9]+(\.[0-9]+)?%=)"), "P=");
      return std::regex_replace(text, std::regex("[0-9]+"), "#");
    };
    const auto fields = [](const std::string& line) { return std::ranges::count(line, ';'); };
    EXPECT_EQ(fields(lines[i]), fields(theirs[i]));
    std::string mine = forms(lines[i]);
    std::string real = forms(theirs[i]);
    for (std::string* text : {&mine, &real}) {
      // The name of the job, and places that depend on the value.
      *text = std::regex_replace(*text, std::regex(";(mix|t);#;#"), ";NAME;#;#");
      *text = std::regex_replace(*text, std::regex("#\\.#"), "#.#");
    }
    EXPECT_EQ(mine, real);
  }
}

TEST(Normal, has_only_lines_that_fio_has) {
  std::set<std::string> theirs;
  for (const std::string& line : lines_of(testdata("fio-3.33-normal.txt"))) {
    theirs.insert(form_of(line));
  }
  FakeRun run;
  const Summary summary = full_summary(run);
  std::set<std::string> ours;
  for (const std::string& line : lines_of(opening_text(run.plan()) + normal_text(summary))) {
    if (line.starts_with("  lat (")) continue;  // as many as there are buckets
    ours.insert(form_of(line));
    EXPECT_TRUE(theirs.contains(form_of(line))) << line << "\n" << form_of(line);
  }
  for (const std::string& form : theirs) {
    if (form.starts_with("  lat (") || form.contains("Laying out")) continue;
    EXPECT_TRUE(ours.contains(form)) << form;
  }
}

// LOADLINE_UPDATE_GOLDEN=1 writes the file anew.
TEST(Normal, prints_the_known_text) {
  ::setenv("TZ", "UTC", 1);
  FakeRun run;
  full_summary(run);
  JobSource& clone = run.add_job("mix");
  clone.clone = 1;
  run.result().stages[0].jobs.clear();
  FakeRun two;
  two.add_job("mix").clones = 2;
  two.add_job("mix").clone = 1;
  two.add_job("full").group = 1;
  two.sources()[2].description = "a full disk";
  two.sources()[2].continue_on_error = true;
  two.fill(100);
  two.add_device();
  record::BlockCounters& counters = *two.result().stages[0].jobs[2].block;
  counters.failure = {.error = 28, .operation = "write", .file = "t.dat", .text = ""};
  counters.directions[1].errors = 1;
  counters.stop = record::BlockStop::error;
  const std::string text = normal_text(two.stored());
  const std::string golden = std::string(LOADLINE_TESTDATA) + "/normal.txt";
  if (std::getenv("LOADLINE_UPDATE_GOLDEN") != nullptr) std::ofstream(golden) << text;
  EXPECT_EQ(text, testdata("normal.txt"));
}

TEST(Normal, says_what_starts_and_what_is_laid_out) {
  FakeRun run;
  run.add_job("a").thread = true;
  run.add_job("b");
  run.add_job("c");
  EXPECT_TRUE(opening_text(run.plan()).ends_with("\nfio-3.33\nStarting 1 thread and 2 processes\n"))
      << opening_text(run.plan());
  EXPECT_EQ(laying_out_text("a", 1, Bytes(16U << 20U)), "a: Laying out IO file (1 file / 16MiB)\n");
  EXPECT_EQ(laying_out_text("a", 3, Bytes(96U << 20U)),
            "a: Laying out IO files (3 files / total 96MiB)\n");
}

}  // namespace
}  // namespace loadline::dialects::fio::output
