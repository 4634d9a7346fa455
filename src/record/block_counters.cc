#include "record/block_counters.h"

#include <algorithm>
#include <bit>

namespace loadline::record {

std::string_view to_string(BlockStop stop) {
  switch (stop) {
    case BlockStop::size: return "size";
    case BlockStop::runtime: return "runtime";
    case BlockStop::operations: return "operations";
    case BlockStop::space: return "space";
    case BlockStop::steady: return "steady";
    case BlockStop::latency_target: return "latency_target";
    case BlockStop::error: return "error";
    case BlockStop::signal: return "signal";
    case BlockStop::laid_out: return "laid_out";
    case BlockStop::other_job: return "other_job";
  }
  return "unknown";
}

std::size_t depth_bucket(std::uint64_t depth) {
  if (depth <= 1) return 0;
  return std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(depth)) - 1,
                               k_depth_buckets - 1);
}

std::size_t call_bucket(std::uint64_t operations) {
  if (operations == 0) return 0;
  if (operations <= 4) return 1;
  return std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(operations - 1)) - 1,
                               k_depth_buckets - 1);
}

std::uint64_t BlockCounters::total_errors() const {
  std::uint64_t sum = sync_errors + verify_errors;
  for (const BlockDirection& direction : directions) sum += direction.errors;
  return sum;
}

}  // namespace loadline::record
