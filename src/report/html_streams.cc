#include "report/html_streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "record/verdict.h"
#include "report/figures.h"
#include "report/html_text.h"

namespace loadline::report {
namespace {

using record::InterfaceCounters;
using record::JobResult;
using record::StageResult;
using record::StreamFile;

std::string cell(const std::string& html, const char* kind = nullptr) {
  if (kind == nullptr) return "<td>" + html + "</td>";
  return fmt::format("<td class=\"{}\">{}</td>", kind, html);
}

std::string table(const char* head, const std::string& rows) {
  if (rows.empty()) return {};
  return fmt::format(
      "<div class=\"scroll\"><table><thead><tr>{}</tr></thead><tbody>\n{}</tbody>"
      "</table></div>\n",
      head, rows);
}

std::string place(const StageResult& stage, const JobResult& job) {
  return cell(escaped(stage.id), "text") + cell(escaped(record::name_of(stage, job)), "text");
}

std::string stream_row(const StageResult& stage, const JobResult& job) {
  std::vector<std::pair<double, std::uint64_t>> speeds;  // bytes per second, the file's number
  std::size_t failed = 0;
  for (const StreamFile& file : job.files) {
    if (file.outcome != target::Outcome::ok) {
      ++failed;
    } else if (file.bytes > Bytes() && file.transfer > Duration()) {
      speeds.emplace_back(
          Rate::of(static_cast<double>(file.bytes.count()), file.transfer).per_second(),
          file.number);
    }
  }
  if (speeds.empty()) return {};
  std::ranges::sort(speeds);
  std::string out = "<tr>" + place(stage, job) + cell(count_html(job.files.size()));
  out += cell(count_html(failed), failed > 0 ? "bad" : nullptr);
  out += cell(megabytes_text(speeds.front().first));
  out += cell(megabytes_text(speeds[speeds.size() / 2].first));
  out += cell(megabytes_text(speeds.back().first));
  return out + cell(std::to_string(speeds.front().second)) + "</tr>\n";
}

std::string interface_row(const StageResult& stage, const JobResult& job,
                          const InterfaceCounters& interface) {
  const auto rate = [&](Bytes bytes) {
    return Rate::of(static_cast<double>(bytes.count()), job.window).per_second();
  };
  std::string out = "<tr>" + place(stage, job) + cell(escaped(interface.name), "text");
  out += cell(bytes_text(interface.received)) + cell(megabytes_text(rate(interface.received)));
  out += cell(bytes_text(interface.sent)) + cell(megabytes_text(rate(interface.sent)));
  if (interface.megabits_per_second == 0) return out + cell("\u2013") + cell("\u2013") + "</tr>\n";
  const double line = static_cast<double>(interface.megabits_per_second) * 1e6 / 8;
  out += cell(fmt::format("{} Mbit/s", interface.megabits_per_second));
  const double most = std::max(rate(interface.received), rate(interface.sent));
  return out + cell(fmt::format("{:.0f} %", most / line * 100)) + "</tr>\n";
}

}  // namespace

std::string stream_table(const record::RunResult& result) {
  std::string rows;
  for (const StageResult& stage : result.stages) {
    for (const JobResult& job : stage.jobs) rows += stream_row(stage, job);
  }
  return table(
      "<th class=\"text\">stage</th><th class=\"text\">job</th><th>files</th><th>failed</th>"
      "<th>slowest, MB/s</th><th>median, MB/s</th><th>fastest, MB/s</th><th>slowest file</th>",
      rows);
}

std::string interface_table(const record::RunResult& result) {
  std::string rows;
  for (const StageResult& stage : result.stages) {
    for (const JobResult& job : stage.jobs) {
      if (job.window <= Duration() || record::only_walks(job)) continue;
      for (const InterfaceCounters& interface : job.interfaces) {
        rows += interface_row(stage, job, interface);
      }
    }
  }
  return table(
      "<th class=\"text\">stage</th><th class=\"text\">job</th><th class=\"text\">interface</th>"
      "<th>received</th><th>MB/s</th><th>sent</th><th>MB/s</th><th>link</th><th>of the link</th>",
      rows);
}

}  // namespace loadline::report
