#include "report/live_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/figures.h"
#include "report/text_table.h"

namespace loadline::report {
namespace {

constexpr std::string_view k_bold = "\x1b[1m";
constexpr std::string_view k_red = "\x1b[31m";
constexpr std::string_view k_plain = "\x1b[0m";

std::string rate_of(const LiveOp& op, Duration recent) {
  if (recent.ns() <= 0) return "-";
  return rate_text(Rate::of(static_cast<double>(op.recent_ok), recent).per_second());
}

std::string megabytes_of(const LiveOp& op, Duration recent) {
  if (recent.ns() <= 0) return "-";
  return megabytes_text(
      Rate::of(static_cast<double>(op.recent_bytes.count()), recent).per_second());
}

std::string progress_text(const LiveView& view) {
  const std::optional<double> progress = progress_of(view);
  std::string text =
      progress ? fmt::format("{:.0f} %", *progress * 100) : span_text(view.elapsed) + " so far";
  if (const std::optional<Duration> left = time_left(view)) {
    text += fmt::format(", {} left", span_text(*left));
  }
  return text;
}

std::string bar_of(double progress, std::size_t width) {
  const auto full =
      std::min(width, static_cast<std::size_t>(progress * static_cast<double>(width)));
  return '[' + std::string(full, '#') + std::string(width - full, '.') + ']';
}

std::string latency_or_dash(const LiveOp& op, Duration d) {
  return op.recent_ok == 0 ? "-" : latency_text(d);
}

}  // namespace

std::optional<double> progress_of(const LiveView& view) {
  std::optional<double> progress;
  if (view.expected.ns() > 0) progress = view.elapsed.as_seconds() / view.expected.as_seconds();
  if (view.quota > 0) {
    const double share = static_cast<double>(view.done) / static_cast<double>(view.quota);
    progress = std::max(progress.value_or(0), share);
  }
  if (progress) progress = std::clamp(*progress, 0.0, 1.0);
  return progress;
}

std::optional<Duration> time_left(const LiveView& view) {
  std::optional<Duration> left;
  if (view.expected.ns() > 0) left = view.expected - view.elapsed;
  if (view.quota > 0 && view.done > 0) {
    const double more = static_cast<double>(view.quota - std::min(view.quota, view.done));
    const Duration by_count =
        Duration::from_seconds(more / static_cast<double>(view.done) * view.elapsed.as_seconds());
    left = left ? std::min(*left, by_count) : by_count;
  }
  if (left) left = std::max(*left, Duration());
  return left;
}

std::string live_line(const LiveView& view) {
  std::string text = fmt::format("stage {}/{} {}, {}", view.stage, view.stages,
                                 printable(view.stage_name), progress_text(view));
  if (view.sleeping) return text + ": sleeping";
  const char* separator = ": ";
  for (const LiveOp& op : view.ops) {
    text += fmt::format("{}{} {} op/s {} MB/s p50 {} p99 {} failed {}", separator,
                        printable(op.name), rate_of(op, view.recent), megabytes_of(op, view.recent),
                        latency_or_dash(op, op.recent_p50), latency_or_dash(op, op.recent_p99),
                        op.failed);
    separator = "; ";
  }
  return text;
}

std::string live_block(const LiveView& view, const TextStyle& style) {
  std::string head =
      fmt::format("stage {}/{}  {}  ", view.stage, view.stages, printable(view.stage_name));
  const std::optional<double> progress = progress_of(view);
  if (progress) head += bar_of(*progress, 20) + "  ";
  head += progress_text(view);
  head = fitted(head, style.width);
  std::string out = style.colour ? fmt::format("{}{}{}\n", k_bold, head, k_plain) : head + '\n';
  if (view.sleeping || view.ops.empty()) return out;

  using Align = TextTable::Align;
  TextTable table({{"", Align::left},
                   {"op/s"},
                   {"MB/s", Align::right, 2},
                   {"p50", Align::right, 1},
                   {"p99", Align::right, 3},
                   {"failed"}});
  const std::size_t shown = std::min(view.ops.size(), k_live_ops);
  for (std::size_t i = 0; i < shown; ++i) {
    const LiveOp& op = view.ops[i];
    table.add({"  " + fitted(printable(op.name), 24), rate_of(op, view.recent),
               megabytes_of(op, view.recent), latency_or_dash(op, op.recent_p50),
               latency_or_dash(op, op.recent_p99), std::to_string(op.failed)});
  }
  const std::string text = table.text(style.width);
  std::size_t row = 0;
  for (std::size_t from = 0; from < text.size(); ++row) {
    const std::size_t end = text.find('\n', from);
    const std::string line = fitted(std::string_view(text).substr(from, end - from), style.width);
    const bool bad = style.colour && row > 0 && view.ops[row - 1].failed > 0;
    out += bad ? fmt::format("{}{}{}\n", k_red, line, k_plain) : line + '\n';
    from = end + 1;
  }
  if (view.ops.size() > shown) {
    out += fitted(fmt::format("  and {} more", view.ops.size() - shown), style.width) + '\n';
  }
  return out;
}

}  // namespace loadline::report
