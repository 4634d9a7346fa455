#include "store/result_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "store/testing.h"

namespace loadline::store {
namespace {

using nlohmann::json;
using testing::full_result;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(ResultText, gives_back_an_equal_result_with_every_field_set) {
  const record::RunResult result = full_result();
  const std::string text = to_text(result, Histograms::included);
  const Result<record::RunResult> again = from_text(text);
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(to_text(*again, Histograms::included), text);
  const record::OpStats& before = result.stages[1].jobs[0].ops[0].stats;
  const record::OpStats& after = again->stages[1].jobs[0].ops[0].stats;
  EXPECT_EQ(before, after);
  EXPECT_EQ(again->stages[1].jobs[0].files, result.stages[1].jobs[0].files);
  EXPECT_EQ(again->stages[1].jobs[0].interfaces, result.stages[1].jobs[0].interfaces);
  EXPECT_EQ(again->stages[1].jobs[0].remarks, result.stages[1].jobs[0].remarks);
  EXPECT_EQ(again->context, result.context);
  EXPECT_EQ(again->verdicts, result.verdicts);
  EXPECT_EQ(again->stages[1].history, result.stages[1].history);
  EXPECT_EQ(again->started, result.started);
}

TEST(ResultText, opens_with_its_version_and_state) {
  EXPECT_THAT(to_text(full_result(), Histograms::left_out),
              StartsWith("{\n  \"schema_version\": 1,\n  \"state\": \"failed\","));
}

TEST(ResultText, says_what_people_look_for) {
  const json document = json::parse(to_text(full_result(), Histograms::left_out));
  EXPECT_EQ(document["started"], "2026-11-30T16:59:48.000Z");
  EXPECT_EQ(document["elapsed_s"], 12.5);
  EXPECT_EQ(document["context"]["host"], "h1");
  const json& op = document["stages"][1]["jobs"][0]["ops"][0];
  EXPECT_EQ(op["operations"], 1000);
  EXPECT_EQ(op["failed_operations"], 3);
  EXPECT_EQ(op["outcomes"], json::parse(R"({"ok": 1000, "throttled": 2, "timeout": 1})"));
  EXPECT_EQ(op["throughput_per_second"], 100.0);
  EXPECT_EQ(op["bytes_per_second"], 409600.0);
  EXPECT_EQ(op["service_time_ns"]["count"], 1000);
  EXPECT_EQ(op["service_time_ns"]["min"], 1000);
  EXPECT_EQ(op["service_time_ns"]["max"], 1'000'000);
  EXPECT_NEAR(op["service_time_ns"]["p99"].get<double>(), 990'000, 990'000 / 128.0);
  EXPECT_TRUE(op["service_time_ns"].contains("p99.99"));
  EXPECT_EQ(op["response_time_ns"]["count"], 1000);
  EXPECT_EQ(op["failed_ns"]["count"], 3);
  EXPECT_EQ(op["failures"][0]["detail"], "SlowDown");
}

TEST(ResultText, response_time_is_service_time_in_a_closed_loop) {
  record::RunResult result = full_result();
  result.stages[1].jobs[0].ops[0].stats.response.clear();
  const std::string text = to_text(result, Histograms::included);
  const json op = json::parse(text)["stages"][1]["jobs"][0]["ops"][0];
  EXPECT_EQ(op["response_time_ns"], op["service_time_ns"]);
  EXPECT_TRUE(from_text(text)->stages[1].jobs[0].ops[0].stats.response.empty());
}

TEST(ResultText, an_operation_that_never_ran_has_counts_of_zero) {
  const json document = json::parse(to_text(full_result(), Histograms::left_out));
  const json& op = document["stages"][1]["jobs"][0]["ops"][1];
  EXPECT_EQ(op["operations"], 0);
  EXPECT_EQ(op["outcomes"], json::object());
  EXPECT_EQ(op["service_time_ns"], json::parse(R"({"count": 0})"));
}

TEST(ResultText, files_of_streams_are_one_line_of_rows) {
  const std::string text = to_text(full_result(), Histograms::left_out);
  EXPECT_THAT(text, HasSubstr("\"rows\": [[7,3,\"no_space\",1048576,1000000001,2000,3000000000,"
                              "true,\"No space left on device\"],[18446744073709551615,"));
  record::RunResult plain = full_result();
  plain.stages[1].jobs[0].files.clear();
  EXPECT_THAT(to_text(plain, Histograms::left_out), Not(HasSubstr("\"files\"")));
}

TEST(ResultText, histograms_can_be_left_out) {
  const std::string text = to_text(full_result(), Histograms::left_out);
  EXPECT_THAT(text, Not(HasSubstr("_histogram")));
  const Result<record::RunResult> again = from_text(text);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->stages[1].jobs[0].ops[0].stats.successes(), 1000U);
  EXPECT_TRUE(again->stages[1].jobs[0].ops[0].stats.service.empty());
}

TEST(ResultText, passes_over_fields_that_it_does_not_know) {
  std::string text = to_text(full_result(), Histograms::included);
  text.replace(text.find("\"state\""), 0, "\"added_later\": [1, {\"x\": null}], ");
  EXPECT_TRUE(from_text(text));
}

TEST(ResultText, replaces_bytes_that_are_no_text) {
  record::RunResult result = full_result();
  result.stages[1].jobs[0].ops[0].stats.failures[0].detail = "caf\xe9 \x01";
  EXPECT_TRUE(from_text(to_text(result, Histograms::included)));
}

TEST(ResultText, refuses_damage_with_the_path_of_the_field) {
  struct Case {
    std::string from;
    std::string to;
    std::string message;
  };
  const Case cases[] = {
      {R"("schema_version": 1)", R"("schema_version": 9)",
       "schema_version: version 9 is not known; this build reads version 1"},
      {R"("schema_version": 1)", R"("version": 1)", "schema_version: no result"},
      {R"("state": "failed")", R"("state": "fine")", "state: is none of running, finished"},
      {R"("ok": 1000)", R"("ok": -1)", "stages[1].jobs[0].ops[0].outcomes.ok: is not a whole"},
      {R"("min_ns": 1000,)", R"("min_ns": 1000001,)",
       "stages[1].jobs[0].ops[0].service_histogram: has a minimum"},
      {R"("buckets": [[)", R"("buckets": [[9999, 1], [)",
       "stages[1].jobs[0].ops[0].service_histogram: has a bucket that is not"},
      {R"("rows": [[7,)", R"("rows": [[-7,)", "stages[1].jobs[0].files.rows[0]: is not a whole"},
      {R"("rows": [[7,)", R"("rows": [[)", "stages[1].jobs[0].files.rows[0]: is not a list of 9"},
      {R"("columns": ["number")", R"("columns": ["name")",
       "stages[1].jobs[0].files: has columns that are not known"},
      {R"("started": "2026-11-30T16:59:48.000Z")", R"("started": "yesterday")",
       "started: is not a time like"},
  };
  for (const Case& c : cases) {
    std::string text = to_text(full_result(), Histograms::included);
    const std::size_t at = text.find(c.from);
    ASSERT_NE(at, std::string::npos) << c.from;
    text.replace(at, c.from.size(), c.to);
    const Result<record::RunResult> result = from_text(text);
    ASSERT_FALSE(result) << c.to;
    EXPECT_THAT(result.error().message(), HasSubstr(c.message));
  }
}

}  // namespace
}  // namespace loadline::store
