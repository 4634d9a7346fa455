#include "report/html_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "plan/text.h"
#include "record/verdict.h"
#include "report/figures.h"
#include "report/html_assets.h"
#include "report/html_streams.h"
#include "report/html_tables.h"
#include "report/html_text.h"

namespace loadline::report {
namespace {

using record::JobResult;
using record::OpResult;
using record::RunResult;
using record::StageResult;
using record::Verdict;

constexpr std::size_t k_tiles_most = 8;

std::string state_badge(std::string_view state) {
  return fmt::format("<span class=\"state {0}\">{0}</span>", state);
}

std::string head(const PageInput& input) {
  // The policy keeps the promise that nothing is fetched, whatever a name contains.
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>{} {}</title>\n<style>{}</style></head><body>\n",
      escaped(input.id), escaped(input.plan.name), k_report_style);
}

std::string title(const PageInput& input) {
  const RunResult& result = input.result;
  std::string out = fmt::format("<header><h1>{} <span class=\"soft\">{}</span> {}</h1>\n",
                                escaped(input.plan.name), escaped(input.id),
                                state_badge(to_string(result.state)));
  if (!input.plan.description.empty()) {
    out += "<p>" + escaped(input.plan.description) + "</p>\n";
  }
  out += "<p class=\"soft\">";
  if (result.started.ns() != 0) {
    out += escaped(result.started.local("%Y-%m-%d %H:%M:%S %z")) + ", ";
  }
  out += fmt::format("{}, {} stages", span_text(result.elapsed), result.stages.size());
  if (!input.plan.dialect.empty()) out += ", a " + escaped(input.plan.dialect) + " workload";
  out += "</p>\n";
  if (!result.reason.empty()) out += "<p><b>" + escaped(result.reason) + "</b></p>\n";
  return out + "</header>\n";
}

// The figures people came for: one tile for each operation that was measured.
std::string tiles(const RunResult& result) {
  std::string out;
  std::size_t count = 0;
  for (const StageResult& stage : result.stages) {
    for (const JobResult& job : stage.jobs) {
      if (record::only_walks(job) || job.window.ns() <= 0) continue;
      for (const OpResult& op : job.ops) {
        if (!has_row(job, op) || ++count > k_tiles_most) continue;
        const auto rate = [&](std::uint64_t n) {
          return Rate::of(static_cast<double>(n), job.window).per_second();
        };
        const record::Histogram& latency = op.stats.latency();
        out += fmt::format(
            "<div class=\"tile\"><b>{} \u00b7 {}</b><strong>{}</strong> op/s"
            "<br><span>",
            escaped(record::place_of(stage, job)), escaped(op.name),
            rate_text(rate(op.stats.successes())));
        if (op.stats.bytes.count() > 0) {
          out += megabytes_text(rate(op.stats.bytes.count())) + " MB/s, ";
        }
        out += latency.empty() ? "no success"
                               : fmt::format("p50 {}, p99 {} ms",
                                             milliseconds_text(latency.quantile(5'000'000)),
                                             milliseconds_text(latency.quantile(9'900'000)));
        out += "</span></div>\n";
      }
    }
  }
  return out.empty() ? out : "<div class=\"tiles\">" + out + "</div>\n";
}

std::string verdicts(const RunResult& result) {
  std::string out = "<ul class=\"verdicts\">\n";
  for (const Verdict::Level level : {Verdict::Level::warning, Verdict::Level::note}) {
    for (const Verdict& v : result.verdicts) {
      if (v.level != level) continue;
      out += fmt::format("<li class=\"{}\"><code>{}</code> ",
                         level == Verdict::Level::warning ? "warning" : "note-item", escaped(v.id));
      if (!v.where.empty()) out += "<b>" + escaped(v.where) + "</b>: ";
      out += escaped(v.text) + "</li>\n";
    }
  }
  if (result.verdicts.empty()) {
    out += "<li class=\"none\">No doubts: none of the checks on this result found anything.</li>\n";
  }
  return out + "</ul>\n";
}

std::string stage_heading(const StageResult& stage) {
  std::string out = fmt::format("<h2>{} {} <small>{}", escaped(stage.id),
                                state_badge(to_string(stage.state)), span_text(stage.elapsed));
  Duration longest;
  for (const JobResult& job : stage.jobs) longest = std::max(longest, job.window);
  if (stage.elapsed - longest > Duration::milliseconds(300) && longest.ns() > 0) {
    out += fmt::format(", {} of it measured", span_text(longest));
  }
  out += "</small></h2>\n";
  if (!stage.reason.empty()) out += "<p><b>" + escaped(stage.reason) + "</b></p>\n";
  return out;
}

std::string stages(const PageInput& input) {
  std::string out;
  std::string without;
  for (std::size_t i = 0; i < input.result.stages.size(); ++i) {
    const StageResult& stage = input.result.stages[i];
    const std::string charts =
        i < input.stages.size() ? stage_charts(stage, input.stages[i]) : std::string();
    if (charts.empty() && stage.reason.empty()) {
      without += (without.empty() ? "" : ", ") + escaped(stage.id);
      continue;
    }
    out += stage_heading(stage) + "<div class=\"charts\">\n" + charts + "</div>\n";
  }
  if (!input.ticks_error.empty()) {
    out += "<p><b>Charts over time are not whole: " + escaped(input.ticks_error) + "</b></p>\n";
  }
  if (!without.empty()) {
    out += "<p class=\"note\">Without charts, being too short or not run: " + without + ".</p>\n";
  }
  return out;
}

std::string section(std::string_view heading, const std::string& html) {
  if (html.empty()) return {};
  return fmt::format("<h2>{}</h2>\n{}", heading, html);
}

std::string left_behind(const RunResult& result) {
  std::string out;
  for (const std::string& item : result.left_behind) out += "<li>" + escaped(item) + "</li>\n";
  return out.empty() ? out : "<ul>" + out + "</ul>\n";
}

std::string context(const PageInput& input) {
  std::string out;
  const auto add = [&](std::string_view key, std::string_view value) {
    out += "<dt>" + escaped(key) + "</dt><dd>" + escaped(value) + "</dd>\n";
  };
  std::vector<std::string> said;
  for (const StageResult& stage : input.result.stages) {
    for (const JobResult& job : stage.jobs) {
      if (!job.target_says.empty()) said.push_back(job.target + ": " + job.target_says);
    }
  }
  std::ranges::sort(said);
  const auto repeats = std::ranges::unique(said);
  said.erase(repeats.begin(), repeats.end());
  for (const auto& [key, value] : input.result.context) add(key, value);
  for (const std::string& line : said) add("storage", line);
  add("result schema", std::to_string(record::k_schema_version));
  return "<dl>" + out + "</dl>\n";
}

std::string plan_text(const PageInput& input) {
  return "<details><summary>The plan that ran</summary><pre>" +
         escaped(plan::to_text(input.plan, plan::Secrets::masked)) + "</pre></details>\n";
}

constexpr std::string_view k_definitions = R"html(<dl class="terms">
<dt>succeeded, failed</dt><dd>Operations inside the measured window. A failure is counted and timed
apart: it is no throughput and in no latency.</dd>
<dt>window</dt><dd>The measured part of a job: its time without ramp up and ramp down. An operation
counts where it was issued and done inside; a paced one where its intended start lies inside.</dd>
<dt>op/s, MB/s</dt><dd>Successes, and their payload bytes, divided by the window. 1 MB is 1 000 000
bytes; headers and retries do not count.</dd>
<dt>latency, service time</dt><dd>From handing the request to the client's own code to the last byte
of the answer, on the monotonic clock.</dd>
<dt>response time</dt><dd>Paced jobs only: from the moment the operation was due, whether or not it
could be sent then. A storage that stalls shows here, and not in the service time.</dd>
<dt>p50, p90, p99, p99.9</dt><dd>That share of the successes took at most this long. Computed from
one merged histogram whose buckets are at most 1/128 of their value wide; never an average of
percentiles.</dd>
<dt>CPU, mean and busiest</dt><dd>CPU time of the worker threads as a share of the job's whole time,
over all of them and of the one that used most.</dd>
<dt>CPU per op</dt><dd>CPU time of all worker threads divided by every operation that ended, ramps
included.</dd>
<dt>longest lag</dt><dd>The longest time for which a worker thread did not look at its
completions.</dd>
<dt>late, never issued</dt><dd>Paced operations that left more than 1 ms after their time although a
worker was free; and those that were due while every worker waited for an answer.</dd>
<dt>slowest, median, fastest file</dt><dd>Bytes of a file divided by the time from the end of
opening it to the end of closing it.</dd>
<dt>of the link</dt><dd>The busier direction of a network interface as a share of its link's speed,
whoever used it, over the window.</dd>
<dt>in flight at end</dt><dd>Operations without a pace that were issued inside the window and ended
after it. They are not in the figures.</dd>
</dl>
)html";

}  // namespace

std::string html_page(const PageInput& input) {
  const RunResult& result = input.result;
  std::string out = head(input) + title(input) + tiles(result) + verdicts(result);
  out += section("Results", summary_table(result));
  out += section("Files", stream_table(result));
  out += section("Failures", failure_table(result));
  out += section("Left behind", left_behind(result));
  out += stages(input);
  out += section("The network", interface_table(result));
  out += section("The generator", client_table(result));
  out += section("Context", context(input) + plan_text(input));
  out += section("What the figures mean", std::string(k_definitions));
  out += fmt::format(
      "<footer>Written by Loadline. Every figure in full precision: result.json "
      "beside this page.</footer>\n<script>{}</script></body></html>\n",
      k_report_script);
  return out;
}

}  // namespace loadline::report
