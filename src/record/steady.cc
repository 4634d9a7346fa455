#include "record/steady.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "record/verdict.h"

namespace loadline::record {

bool Steadiness::steady() const { return range <= k_range_most && std::abs(drift) <= k_drift_most; }

std::optional<Steadiness> steadiness_of(std::span<const double> successes) {
  constexpr std::size_t blocks = Steadiness::k_blocks;
  if (successes.size() < 4 * blocks) return std::nullopt;
  const std::size_t block = successes.size() / 2 / blocks;
  const std::span<const double> half = successes.last(block * blocks);
  std::array<double, blocks> sums{};
  for (std::size_t i = 0; i < half.size(); ++i) sums[i / block] += half[i];

  const double mean = std::accumulate(sums.begin(), sums.end(), 0.0) / blocks;
  if (mean < Steadiness::k_block_least) return std::nullopt;
  const auto [least, most] = std::ranges::minmax(sums);
  const double middle = (blocks - 1) / 2.0;
  double numerator = 0;
  double denominator = 0;
  for (std::size_t i = 0; i < blocks; ++i) {
    const double x = static_cast<double>(i) - middle;
    numerator += x * sums[i];
    denominator += x * x;
  }
  return Steadiness{.range = (most - least) / mean,
                    .drift = numerator / denominator * (blocks - 1) / mean};
}

void SteadyWatch::Series::add(std::uint64_t tick, const Moved& moved) {
  while (tick / ticks_per_cell >= k_cells_most) {
    for (std::size_t i = 0; i < cells.size(); i += 2) {
      const Moved next = i + 1 < cells.size() ? cells[i + 1] : Moved();
      cells[i / 2] = {.operations = cells[i].operations + next.operations,
                      .bytes = cells[i].bytes + next.bytes};
    }
    cells.resize((cells.size() + 1) / 2);
    ticks_per_cell *= 2;
  }
  const auto index = static_cast<std::size_t>(tick / ticks_per_cell);
  if (index >= cells.size()) cells.resize(index + 1);
  cells[index].operations += moved.operations;
  cells[index].bytes += moved.bytes;
}

void SteadyWatch::consume(const Tick& tick) {
  if (tick.stage >= stages_.size()) stages_.resize(tick.stage + std::size_t{1});
  Stage& stage = stages_[tick.stage];
  if (stage.tick.ns() == 0) stage.tick = tick.length;
  if (stage.jobs.size() < tick.jobs.size()) stage.jobs.resize(tick.jobs.size());
  for (std::size_t job = 0; job < tick.jobs.size(); ++job) {
    Moved moved;
    for (const OpStats& op : tick.jobs[job]) {
      moved.operations += static_cast<double>(op.successes());
      moved.bytes += static_cast<double>(op.bytes.count());
    }
    stage.jobs[job].add(tick.index, moved);
  }
}

namespace {

std::optional<Verdict> judge_steadiness(const StageResult& stage, const JobResult& job,
                                        Duration cell, std::span<const Moved> cells) {
  // Only whole cells inside the window; the last tick may be cut short.
  const std::int64_t first = (job.window_start + cell - Duration::nanoseconds(1)) / cell;
  const std::int64_t end =
      std::min((job.window_start + job.window) / cell, static_cast<std::int64_t>(cells.size()));
  std::vector<double> inside;
  for (std::int64_t i = first; i < end; ++i) {
    inside.push_back(cells[static_cast<std::size_t>(i)].operations);
  }
  const std::optional<Steadiness> found = steadiness_of(inside);
  if (!found || found->steady()) return std::nullopt;
  return Verdict{"not_steady", Verdict::Level::warning, place_of(stage, job),
                 fmt::format("in the second half throughput ranged over {:.0f} % of its mean and "
                             "drifted by {:+.0f} %: the figure depends on when you look; run "
                             "longer, or look for what changes meanwhile",
                             found->range * 100, found->drift * 100)};
}

}  // namespace

std::vector<Verdict> SteadyWatch::verdicts(const RunResult& result) const {
  std::vector<Verdict> out;
  for (std::size_t s = 0; s < std::min(stages_.size(), result.stages.size()); ++s) {
    const StageResult& stage = result.stages[s];
    for (std::size_t j = 0; j < std::min(stages_[s].jobs.size(), stage.jobs.size()); ++j) {
      const JobResult& job = stage.jobs[j];
      const Series& series = stages_[s].jobs[j];
      const auto per_cell = static_cast<std::int64_t>(series.ticks_per_cell);
      const Duration cell = stages_[s].tick * per_cell;
      if (cell.ns() <= 0 || only_walks(job)) continue;
      for (auto verdict : {judge_steadiness(stage, job, cell, series.cells),
                           judge_fall(stage, job, cell, series.cells)}) {
        if (verdict) out.push_back(std::move(*verdict));
      }
    }
  }
  return out;
}

}  // namespace loadline::record
