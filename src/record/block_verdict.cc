#include "record/block_verdict.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline::record {
namespace {

using Level = Verdict::Level;

std::string in_bytes(Bytes bytes) {
  constexpr const char* k_units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes.count());
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(k_units); ++unit) value /= 1024;
  return fmt::format("{:.4g} {}", value, k_units[unit]);
}

Bytes moved(const JobResult& job, plan::Action action) {
  for (const OpResult& op : job.ops) {
    if (op.action == action) return op.stats.bytes;
  }
  return {};
}

void judge_cache(const JobResult& job, const target::Observed& seen, const std::string& where,
                 std::vector<Verdict>& out) {
  const Bytes read = moved(job, plan::Action::read);
  if (!seen.cached_share || read == Bytes() || *seen.cached_share < limits::k_cached_note) return;
  out.push_back(
      {"from_cache", *seen.cached_share >= limits::k_cached_warning ? Level::warning : Level::note,
       where,
       fmt::format("{:.0f} % of these reads came from the page cache, not from {}: use "
                   "direct=1, or a file much larger than the memory",
                   *seen.cached_share * 100, seen.storage.empty() ? "the storage" : seen.storage)});
}

void judge_writes(const JobResult& job, const target::Observed& seen, const std::string& where,
                  std::vector<Verdict>& out) {
  if (!seen.unwritten_share || moved(job, plan::Action::write) == Bytes()) return;
  const double share = *seen.unwritten_share;
  if (share < limits::k_unwritten_note) return;
  out.push_back({"only_in_memory",
                 share >= limits::k_unwritten_warning ? Level::warning : Level::note, where,
                 fmt::format("{:.0f} % of these writes had only reached the page cache when the "
                             "job ended, not {}: use direct=1, or end_fsync=1 to count the time "
                             "until they are written",
                             share * 100, seen.storage.empty() ? "the storage" : seen.storage)});
}

void judge_holes(const BlockCounters& block, const target::Observed& seen, const std::string& where,
                 std::vector<Verdict>& out) {
  if (!seen.holes || *seen.holes == Bytes() || block.used == Bytes()) return;
  const double share =
      static_cast<double>(seen.holes->count()) / static_cast<double>(block.used.count());
  if (share < limits::k_holes) return;
  out.push_back(
      {"holes", Level::warning, where,
       fmt::format("{} of the {} that were read ({:.0f} %) were never written: reading "
                   "them needs no storage; write the file first",
                   in_bytes(*seen.holes), in_bytes(block.used), std::min(share, 1.0) * 100)});
}

void judge_depth(const JobResult& job, const target::Observed& seen, const std::string& where,
                 std::vector<Verdict>& out) {
  if (!seen.depth || job.workers < 2) return;
  if (*seen.depth >= limits::k_depth_share * job.workers) return;
  out.push_back({"shallow_queue", Level::warning, where,
                 fmt::format("a depth of {} was asked for, and at most {} operation{} really under "
                             "way at once: the engine, or buffered I/O, does one after the other",
                             job.workers, *seen.depth, *seen.depth == 1 ? " was" : "s were")});
}

}  // namespace

std::vector<Verdict> judge_block(const JobResult& job, const std::string& where) {
  std::vector<Verdict> out;
  if (!job.block) return out;
  const BlockCounters& block = *job.block;
  if (block.used < block.asked) {
    out.push_back({"short_file", Level::warning, where,
                   fmt::format("the files hold only {} of the {} that the job names: the rest was "
                               "not read",
                               in_bytes(block.used), in_bytes(block.asked))});
  }
  if (!block.observed) return out;
  const target::Observed& seen = *block.observed;
  if (seen.direct_refused.value_or(false)) {
    out.push_back({"direct_refused", Level::warning, where,
                   "direct I/O was asked for and did not happen: the page cache took part"});
  }
  judge_cache(job, seen, where, out);
  judge_writes(job, seen, where, out);
  if (moved(job, plan::Action::read) > Bytes()) judge_holes(block, seen, where, out);
  judge_depth(job, seen, where, out);
  return out;
}

}  // namespace loadline::record
