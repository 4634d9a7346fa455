#include "record/throughput_fall.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "record/verdict.h"

namespace loadline::record {
namespace {

struct Window {
  Duration begin;
  Duration end;
};

// While all workers of a job on streams were at their files: at its beginning and end there are
// fewer by nature.
Window busy_window(const JobResult& job) {
  Window window{.begin = job.window_start, .end = job.window_start + job.window};
  std::map<std::uint32_t, Window> workers;
  for (const StreamFile& file : job.files) {
    if (file.number == k_no_file) continue;
    const Duration end = file.begin + file.open + file.transfer;
    const auto [it, fresh] = workers.try_emplace(file.worker, Window{file.begin, end});
    if (fresh) continue;
    it->second.begin = std::min(it->second.begin, file.begin);
    it->second.end = std::max(it->second.end, end);
  }
  for (const auto& [worker, own] : workers) {
    window.begin = std::max(window.begin, own.begin);
    window.end = std::min(window.end, own.end);
  }
  return window;
}

// The median latency of the slowest of the operations that count.
Duration slowest_median(const JobResult& job) {
  constexpr std::uint32_t k_half = 5'000'000;
  const bool any_bytes =
      std::ranges::any_of(job.ops, [](const OpResult& op) { return op.stats.bytes > Bytes(); });
  Duration slowest;
  for (const OpResult& op : job.ops) {
    if (any_bytes && op.stats.bytes == Bytes()) continue;
    if (!op.stats.service.empty()) slowest = std::max(slowest, op.stats.service.quantile(k_half));
  }
  return slowest;
}

// What a paced job was to move in a tick: bytes, where any were.
std::optional<double> paced_of(const JobResult& job, Duration cell) {
  if (job.offered <= Rate()) return std::nullopt;
  double bytes = 0;
  double moves = 0;  // operations that moved bytes
  for (const OpResult& op : job.ops) {
    if (op.stats.bytes == Bytes()) continue;
    bytes += static_cast<double>(op.stats.bytes.count());
    moves += static_cast<double>(op.stats.successes());
  }
  const double operations = job.offered.per_second() * cell.as_seconds();
  return moves > 0 ? operations * bytes / moves : operations;
}

std::string rate_text(const Fall& fall, double per_tick, Duration cell) {
  const double rate = per_tick / cell.as_seconds();
  return fall.of_bytes ? fmt::format("{:.4g} MB/s", rate / 1e6) : fmt::format("{:.4g} op/s", rate);
}

std::string text_of(const Fall& found, const StageResult& stage, Duration cell,
                    std::size_t first_cell) {
  const Duration begin = cell * static_cast<std::int64_t>(first_cell + found.first);
  const Duration end = cell * static_cast<std::int64_t>(first_cell + found.end);
  std::string text =
      fmt::format("throughput fell to {} from {:.0f} s to {:.0f} s",
                  rate_text(found, found.during, cell), begin.as_seconds(), end.as_seconds());
  if (stage.started.ns() != 0) {
    text += fmt::format(" ({} to {})", (stage.started + begin).local("%H:%M:%S"),
                        (stage.started + end).local("%H:%M:%S"));
  }
  text += fmt::format("; usual were {}", rate_text(found, found.usual, cell));
  if (found.others > 0) {
    text += fmt::format("; it fell {} more time{}", found.others, found.others == 1 ? "" : "s");
  }
  return text + ": look for what failed, restarted or held the storage up then";
}

}  // namespace

std::optional<Fall> worst_fall(std::span<const Moved> ticks, const FallBounds& bounds) {
  if (ticks.size() < limits::k_fall_window) return std::nullopt;
  Moved all;
  for (const Moved& tick : ticks) {
    all.operations += tick.operations;
    all.bytes += tick.bytes;
  }
  if (all.operations <= 0) return std::nullopt;
  Fall worst{.of_bytes = all.bytes > 0};
  std::vector<double> moved;
  moved.reserve(ticks.size());
  for (const Moved& tick : ticks) moved.push_back(worst.of_bytes ? tick.bytes : tick.operations);
  std::vector<double> sorted = moved;
  std::erase(sorted, 0.0);
  std::ranges::sort(sorted);
  worst.usual = sorted[sorted.size() * 3 / 4];
  if (bounds.paced) worst.usual = std::min(worst.usual, *bounds.paced);
  const double one = worst.of_bytes ? all.bytes / all.operations : 1;

  const double low = worst.usual * limits::k_fall_share;
  const double least = std::max(static_cast<double>(limits::k_fall_ticks), bounds.ticks_least);
  double most_missed = 0;
  std::size_t falls = 0;
  for (std::size_t i = 0; i < moved.size();) {
    const std::size_t first = i;
    double sum = 0;
    for (; i < moved.size() && moved[i] < low; ++i) sum += moved[i];
    if (i == first) {
      ++i;
      continue;
    }
    const auto length = static_cast<double>(i - first);
    const double due = worst.usual * length;
    const double missed = due - sum;
    if (length < least || missed / one <= limits::k_fall_sigmas * std::sqrt(due / one)) continue;
    ++falls;
    if (missed <= most_missed) continue;
    most_missed = missed;
    worst.first = first;
    worst.end = i;
    worst.during = sum / length;
  }
  if (falls == 0) return std::nullopt;
  worst.others = falls - 1;
  return worst;
}

std::optional<Verdict> judge_fall(const StageResult& stage, const JobResult& job, Duration cell,
                                  std::span<const Moved> cells) {
  if (cell.ns() <= 0 || job.pauses || only_walks(job)) return std::nullopt;
  const Window window = busy_window(job);
  const auto first =
      static_cast<std::size_t>((window.begin + cell - Duration::nanoseconds(1)) / cell);
  const auto end = std::min(static_cast<std::size_t>(std::max<std::int64_t>(window.end / cell, 0)),
                            cells.size());
  if (first >= end) return std::nullopt;
  const Duration least = slowest_median(job) * limits::k_fall_latencies;
  const auto found = worst_fall(
      cells.subspan(first, end - first),
      {.ticks_least = least.as_seconds() / cell.as_seconds(), .paced = paced_of(job, cell)});
  if (!found) return std::nullopt;
  return Verdict{"throughput_fell", Verdict::Level::warning, place_of(stage, job),
                 text_of(*found, stage, cell, first)};
}

}  // namespace loadline::record
