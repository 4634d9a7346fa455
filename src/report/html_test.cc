#include "report/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "record/verdict.h"
#include "report/html_page.h"
#include "report/html_text.h"
#include "report/test_sample.h"
#include "store/archive.h"

namespace loadline::report {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string page_of(const test::Sample& sample, const std::string& ticks_error = "") {
  PageInput input{.id = "w1",
                  .plan = sample.plan,
                  .result = sample.result,
                  .stages = series_of(sample.result),
                  .ticks_error = ticks_error};
  for (const store::TickRow& row : sample.ticks) add_tick(input.stages, row);
  return html_page(input);
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

// LOADLINE_SAMPLE_PAGE=FILE writes the page for eyes.
TEST(HtmlPage, shows_a_whole_run) {
  const std::string page = page_of(test::sample_run());
  if (const char* file = std::getenv("LOADLINE_SAMPLE_PAGE")) std::ofstream(file) << page;
  EXPECT_THAT(page, HasSubstr("<title>w1 s3-sample</title>"));
  EXPECT_THAT(page, HasSubstr("<span class=\"state finished\">finished</span>"));
  EXPECT_THAT(page, HasSubstr("<li class=\"warning\"><code>client_bound</code>"));
  EXPECT_THAT(page, HasSubstr("<td>40\u202f000</td><td class=\"bad\">252</td><td>1333</td>"));
  EXPECT_THAT(page, HasSubstr("<td class=\"text\">throttled</td><td>503</td><td>240</td>"));
  EXPECT_THAT(page, HasSubstr("<td class=\"text\">head, service</td>"));
  EXPECT_THAT(page, HasSubstr("<dt>kernel</dt><dd>Linux 6.1.0</dd>"));
  EXPECT_THAT(page, HasSubstr("<dt>storage</dt><dd>s3: Loadline</dd>"));
  EXPECT_THAT(page, HasSubstr("The plan that ran"));
  EXPECT_THAT(page, HasSubstr("Without charts, being too short or not run: s1-init, s2-prepare, "
                              "s4-cleanup, s5-dispose."));
  // Rates, bytes, failures, percentiles and three latencies of s3.
  EXPECT_EQ(count_of(page, "<figure class=\"chart\">"), 7U);
  EXPECT_EQ(count_of(page, "<rect class=\"shade\""), 6U);
}

TEST(HtmlPage, shows_how_far_the_files_of_streams_lie_apart) {
  test::Sample sample = test::sample_run();
  EXPECT_THAT(page_of(sample), Not(HasSubstr("<h2>Files</h2>")));
  record::JobResult* job = nullptr;
  for (record::StageResult& stage : sample.result.stages) {
    for (record::JobResult& other : stage.jobs) {
      if (!record::only_walks(other)) job = &other;
    }
  }
  ASSERT_NE(job, nullptr);
  job->window = Duration::seconds(10);
  for (std::uint64_t number = 0; number < 3; ++number) {
    job->files.push_back({.number = number,
                          .bytes = Bytes(12'000'000),
                          .transfer = Duration::seconds(1 + static_cast<int>(number))});
  }
  job->files.push_back({.number = 3, .outcome = target::Outcome::not_found});
  job->interfaces = {{"eth0", Bytes(1'250'000'000), Bytes(1'000'000), 10'000}, {"<lo>"}};
  const std::string page = page_of(sample);
  EXPECT_THAT(page, HasSubstr("<td>4</td><td class=\"bad\">1</td><td>4.00</td><td>6.00</td>"
                              "<td>12.00</td><td>2</td></tr>"));
  EXPECT_THAT(page, HasSubstr("<td class=\"text\">eth0</td><td>1.25 GB</td><td>125.0</td>"
                              "<td>1.00 MB</td><td>0.10</td><td>10000 Mbit/s</td><td>10 %</td>"));
  EXPECT_THAT(page, HasSubstr("&lt;lo&gt;"));
}

TEST(HtmlPage, fetches_nothing) {
  std::string page = page_of(test::sample_run());
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  // What is left of addresses are the namespace of SVG and the endpoint inside the plan.
  for (const char* word : {"src=", "href=", "url(", "@import", "fetch(", "XMLHttpRequest"}) {
    EXPECT_EQ(count_of(page, word), 0U) << word;
  }
}

TEST(HtmlPage, lets_no_name_become_markup) {
  test::Sample sample = test::sample_run();
  const std::string evil = "<script>alert('x')</script>\"'&</title></figure></pre>";
  sample.plan.name = sample.plan.description = sample.plan.dialect = evil;
  record::RunResult& result = sample.result;
  result.reason = evil;
  result.left_behind = {evil};
  result.verdicts[0].id = result.verdicts[0].where = result.verdicts[0].text = evil;
  result.context.emplace_back(evil, evil);
  for (std::size_t i = 0; i < result.stages.size(); ++i) {
    record::StageResult& stage = result.stages[i];
    stage.id = stage.name = stage.reason = sample.plan.stages[i].id = evil;
    for (std::size_t j = 0; j < stage.jobs.size(); ++j) {
      record::JobResult& job = stage.jobs[j];
      job.name = job.target = job.target_says = sample.plan.stages[i].jobs[j].name = evil;
      for (record::OpResult& op : job.ops) {
        op.name = op.label = evil;
        for (record::FailureExample& f : op.stats.failures) f.item = f.detail = evil;
      }
    }
  }
  const std::string page = page_of(sample, evil);
  EXPECT_EQ(count_of(page, "<script>alert"), 0U);
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot;&#39;&amp;"));
  EXPECT_EQ(count_of(page, "</title>"), 1U);
  EXPECT_EQ(count_of(page, "</pre>"), 1U);
  EXPECT_EQ(count_of(page, "</figure>"), count_of(page, "<figure"));
}

TEST(HtmlPage, carries_data_that_a_script_can_read) {
  const std::string page = page_of(test::sample_run());
  const std::string open = "<script type=\"application/json\">";
  std::size_t charts = 0;
  for (std::size_t at = page.find(open); at != std::string::npos; at = page.find(open, at)) {
    at += open.size();
    const std::size_t end = page.find("</script>", at);
    const auto data = nlohmann::json::parse(page.substr(at, end - at));
    ASSERT_FALSE(data["lines"].empty());
    for (const auto& line : data["lines"]) EXPECT_EQ(line["y"].size(), data["x"].size());
    ++charts;
  }
  EXPECT_EQ(charts, 7U);
}

TEST(HtmlPage, says_so_where_nothing_is_in_doubt_or_damaged) {
  test::Sample sample = test::sample_run();
  sample.result.verdicts.clear();
  EXPECT_THAT(page_of(sample), HasSubstr("No doubts"));
  EXPECT_THAT(page_of(sample), Not(HasSubstr("not whole")));
  EXPECT_THAT(page_of(sample, "ticks.bin: cut short"),
              HasSubstr("Charts over time are not whole: ticks.bin: cut short"));
}

TEST(HtmlPage, survives_a_run_that_never_began) {
  const plan::Plan plan;
  const record::RunResult result;
  const std::string page =
      html_page({.id = "", .plan = plan, .result = result, .stages = {}, .ticks_error = {}});
  EXPECT_THAT(page, HasSubstr("<span class=\"state running\">"));
  EXPECT_THAT(page, HasSubstr("</html>"));
}

TEST(HtmlPage, of_a_day_is_no_larger_than_of_an_hour) {
  test::Sample sample = test::sample_run();
  record::StageResult& main = sample.result.stages[2];
  main.elapsed = Duration::seconds(86'400);
  for (record::JobResult& job : main.jobs) {
    job.window_start = Duration();
    job.window = main.elapsed;
  }
  sample.ticks.clear();
  Rng rng(1);
  test::add_ticks(sample, 2, rng);
  ASSERT_EQ(sample.ticks.size(), 86'400U);
  sample.ticks[50'000].jobs[0][0].max = Duration::seconds(77);
  const std::string page = page_of(sample);
  EXPECT_LT(page.size(), 800'000U);
  EXPECT_THAT(page, HasSubstr("One point stands for 256 s"));
  EXPECT_THAT(page, HasSubstr("77000000000"));  // the peak is still there
}

// A run in an archive on disk: two ticks of the main stage, and what came of them.
class StoredReport : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / "loadline_html_test";
    std::filesystem::remove_all(folder_);
    auto archive = store::Archive::open(folder_);
    ASSERT_TRUE(archive);
    const test::Sample sample = test::sample_run();
    auto writer = (*archive)->begin(sample.plan, {});
    ASSERT_TRUE(writer);
    for (std::uint64_t i = 0; i < 4; ++i) {
      record::Tick tick;
      tick.stage = 2;
      tick.index = i;
      tick.start = Duration::seconds(5 + static_cast<std::int64_t>(i));
      tick.length = Duration::seconds(1);
      tick.jobs = {std::vector<record::OpStats>(2), std::vector<record::OpStats>(1)};
      tick.jobs[0][0].outcomes[0] = 10;
      tick.jobs[0][0].service.add(Duration::milliseconds(3), 10);
      (*writer)->consume(tick);
    }
    ASSERT_TRUE((*writer)->finish(sample.result));
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Result<std::string> report() const {
    auto archive = store::Archive::open_to_read(folder_);
    if (!archive) return propagate(archive);
    auto run = (*archive)->load("last");
    if (!run) return propagate(run);
    return html_report(*run);
  }

  std::filesystem::path folder_;
};

TEST_F(StoredReport, is_drawn_from_the_ticks_on_disk) {
  const auto page = report();
  ASSERT_TRUE(page) << page.error().message();
  EXPECT_THAT(*page, HasSubstr("<title>w1 s3-sample</title>"));
  EXPECT_THAT(*page, HasSubstr("\"y\":[10,10,10,10]"));
  EXPECT_THAT(*page, HasSubstr("Latency of main read"));
}

TEST_F(StoredReport, is_written_even_where_the_ticks_are_damaged) {
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder_)) {
    if (file.path().filename() == "ticks.jsonl") std::ofstream(file.path()) << "no tick\nneither\n";
  }
  const auto page = report();
  ASSERT_TRUE(page) << page.error().message();
  EXPECT_THAT(*page, HasSubstr("Charts over time are not whole: "));
  EXPECT_THAT(*page, HasSubstr("Latency by percentile"));
}

TEST(Escaped, is_fit_for_content_and_quoted_attributes) {
  EXPECT_EQ(escaped("a&b<c>d\"e'f"), "a&amp;b&lt;c&gt;d&quot;e&#39;f");
  EXPECT_EQ(escaped("line\n\ttab\x01\x1b\x7f"), "line\n\ttab");
  EXPECT_EQ(escaped("\xff\xe8\xaf\xbb\xc0\xbc"), "\ufffd\xe8\xaf\xbb\ufffd\ufffd");
}

TEST(JsonInScript, cannot_close_the_element) {
  EXPECT_EQ(json_in_script("[\"</script><!--\"]"), "[\"\\u003c/script>\\u003c!--\"]");
}

TEST(MillisecondsText, has_three_digits) {
  EXPECT_EQ(milliseconds_text(Duration()), "0");
  EXPECT_EQ(milliseconds_text(Duration::nanoseconds(50)), "0.00005");
  EXPECT_EQ(milliseconds_text(Duration::nanoseconds(12'340)), "0.0123");
  EXPECT_EQ(milliseconds_text(Duration::nanoseconds(812'000)), "0.812");
  EXPECT_EQ(milliseconds_text(Duration::nanoseconds(999'600)), "1.00");
  EXPECT_EQ(milliseconds_text(Duration::microseconds(12'340)), "12.3");
  EXPECT_EQ(milliseconds_text(Duration::milliseconds(1'234)), "1234");
}

}  // namespace
}  // namespace loadline::report
