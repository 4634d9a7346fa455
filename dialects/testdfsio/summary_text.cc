// The section "Loadline:" below TestDFSIO's block.

#include <fmt/format.h>

#include "dialects/testdfsio/summary.h"

namespace loadline::dialects::testdfsio {
namespace {

std::string line(std::string_view label, std::string_view text) {
  return fmt::format("  {:<11} {}\n", label, text);
}

std::string time_text(Duration time) {
  const double seconds = time.as_seconds();
  if (seconds < 1e-3) return fmt::format("{:.1f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

std::string files_line(const Summary& summary) {
  std::string text = fmt::format("{} asked, {} done, {} of them short, {} failed", summary.asked,
                                 summary.done, summary.short_of_size, summary.failures);
  if (summary.not_ended > 0) text += fmt::format(", {} not ended", summary.not_ended);
  text += fmt::format("; {} at once, so {} wave{}", summary.concurrency, summary.waves,
                      summary.waves == 1 ? "" : "s");
  return line("files", text);
}

std::string throughput_lines(const Summary& summary) {
  std::string text;
  if (summary.common) {
    text +=
        line("aggregate", fmt::format("{:.2f} MB/s in the {} in which all streams were under way",
                                      summary.common->rate(), time_text(summary.common->length)));
  } else {
    text += line("aggregate", "there was no time in which all streams were under way");
  }
  text += line("", fmt::format("{:.2f} MB/s in the {} from the first open to the last close",
                               summary.wall.rate(), time_text(summary.wall.length)));
  return text;
}

std::string spread_line(const Spread& spread) {
  return line("a stream",
              fmt::format("min {:.2f}, median {:.2f}, max {:.2f} MB/s; mean {:.2f}, "
                          "standard deviation {:.2f}",
                          spread.min, spread.median, spread.max, spread.mean, spread.deviation));
}

std::string call_line(const CallTimes& calls) {
  return line(calls.name, fmt::format("p50 {}, p95 {}, p99 {}, max {} ({})", time_text(calls.p50),
                                      time_text(calls.p95), time_text(calls.p99),
                                      time_text(calls.max), calls.count));
}

std::string interface_line(const InterfaceRate& rate) {
  std::string text = fmt::format("received {:.2f}, sent {:.2f} MB/s", rate.received, rate.sent);
  if (rate.line_share > 0) text += fmt::format(", {:.0f} % of its speed", rate.line_share * 100);
  return line(rate.name, text + ", whoever used it");
}

}  // namespace

std::string text_of(const Summary& summary) {
  std::string text = "Loadline: (MB are 2^20 bytes)\n";
  text += files_line(summary);
  for (const FailedFile& file : summary.failed) {
    text += line("failed", fmt::format("{}: {}", file.name, file.why));
  }
  if (summary.failures > summary.failed.size()) {
    text += line("", fmt::format("and {} more", summary.failures - summary.failed.size()));
  }
  if (summary.done > 0) text += throughput_lines(summary);
  if (summary.spread.count > 0) text += spread_line(summary.spread);
  for (const CallTimes& calls : summary.calls) text += call_line(calls);
  for (const InterfaceRate& rate : summary.interfaces) text += interface_line(rate);
  text += line("phases", fmt::format("control files {}, old data removed {}, run {}",
                                     time_text(summary.prepared), time_text(summary.removed),
                                     time_text(summary.ran)));
  return text;
}

}  // namespace loadline::dialects::testdfsio
