// Directions, sizes of blocks, where they lie, and how many are under way.
#include <bit>
#include <cmath>
#include <limits>

#include "dialects/fio/planning/parts.h"

namespace loadline::dialects::fio {
namespace {

// bs_is_seq_rand: the sizes of reads are those of sequential jobs, the sizes of writes those of
// random ones.
Direction sized_as(const OrderOptions& job, Direction d) {
  if (!job.bs_is_seq_rand) return d;
  return is_random(job.rw) ? Direction::write : Direction::read;
}

plan::BlockSize size_of(const OrderOptions& job, Direction d) {
  const ByteRange& range = job.block_size[d];
  plan::BlockSize size{.min = range.low, .max = range.high};
  if (!job.bssplit[d].empty()) {
    size.min = Bytes(std::numeric_limits<std::uint64_t>::max());
    size.max = Bytes();
    for (const SizeShare& share : job.bssplit[d]) {
      size.split.push_back({share.size, share.percent});
      size.min = std::min(size.min, share.size);
      size.max = std::max(size.max, share.size);
    }
  }
  // fio rounds down to the smallest size only where that is a power of two.
  const bool any = job.bs_unaligned || !std::has_single_bit(size.min.count());
  size.step = any && size.min != size.max ? Bytes(1) : size.min;
  if (job.blockalign[d]) size.align = *job.blockalign[d];
  return size;
}

plan::Placement placement_of(DistributionKind kind) {
  switch (kind) {
    case DistributionKind::zipf: return plan::Placement::zipf;
    case DistributionKind::pareto: return plan::Placement::pareto;
    case DistributionKind::normal: return plan::Placement::normal;
    case DistributionKind::zoned: return plan::Placement::zoned;
    case DistributionKind::zoned_abs: return plan::Placement::zoned_abs;
    case DistributionKind::sequence: return plan::Placement::listed;
    case DistributionKind::uniform: break;
  }
  return plan::Placement::random;
}

// Whole percents, the remainder of each carried over to the next, so that they add up.
std::vector<plan::Zone> zones_of(const Distribution& from) {
  std::vector<plan::Zone> zones;
  double carried = 0;
  for (const DistributionZone& zone : from.zones) {
    const double share = zone.access_percent + carried;
    const auto whole = static_cast<std::uint32_t>(std::lround(share));
    carried = share - whole;
    zones.push_back({.access_percent = whole, .extent = zone.span.amount});
  }
  return zones;
}

plan::Distribution distribution_of(const OrderOptions& job, Direction d) {
  if (!is_random(job.rw)) return {};
  const Distribution& from = job.random_distribution[d];
  return {.placement = placement_of(from.kind),
          .parameter = from.parameter,
          .centre = from.centre.value_or(-1),
          .zones = zones_of(from),
          .blocks = from.sequence};
}

void put_sequencing(const OrderOptions& job, plan::BlockIo& block) {
  if (is_random(job.rw) && job.rw_repeat > 1) {
    block.sequencing = job.rw_sequencer == RwSequencer::identical ? plan::Sequencing::identical
                                                                  : plan::Sequencing::runs;
    block.sequence_by = static_cast<std::int64_t>(job.rw_repeat);
  } else if (!is_random(job.rw) && job.rw_skip != 0) {
    block.sequencing = plan::Sequencing::stride;
    block.sequence_by = job.rw_skip;
  }
}

plan::FileOrder file_order_of(FileServiceKind kind) {
  switch (kind) {
    case FileServiceKind::random: return plan::FileOrder::random;
    case FileServiceKind::roundrobin: return plan::FileOrder::round_robin;
    case FileServiceKind::sequential: return plan::FileOrder::sequential;
    case FileServiceKind::zipf: return plan::FileOrder::zipf;
    case FileServiceKind::pareto: return plan::FileOrder::pareto;
    case FileServiceKind::normal: return plan::FileOrder::normal;
  }
  return plan::FileOrder::round_robin;
}

void put_depth(const JobOptions& job, plan::BlockIo& block) {
  // fio's default, one by one, is left to the engine, which groups where that is cheaper; who names
  // one of the three gets them all as fio means them.
  block.batch_reap_min = job.iodepth_batch_complete_min;
  if (job.iodepth_batch || job.iodepth_batch_complete_max ||
      job.is_given("iodepth_batch_complete_min")) {
    const std::uint32_t submit = job.iodepth_batch.value_or(1);
    block.batch_submit = submit == 0 ? job.iodepth : std::min(submit, job.iodepth);
    block.batch_reap_max =
        std::max({job.iodepth_batch_complete_max.value_or(0), block.batch_reap_min, 1U});
  }
  // The queue is full again after every operation where there is nothing to drain to.
  if (job.iodepth_low && *job.iodepth_low < job.iodepth) block.depth_low = *job.iodepth_low;
  block.no_overlap = job.serialize_overlap;
}

}  // namespace

bool reads(Rw rw) {
  return rw == Rw::read || rw == Rw::randread || rw == Rw::readwrite || rw == Rw::randrw;
}

bool trims(Rw rw) {
  return rw == Rw::trim || rw == Rw::randtrim || rw == Rw::trimwrite || rw == Rw::randtrimwrite;
}

bool writes(Rw rw) {
  return rw == Rw::write || rw == Rw::randwrite || rw == Rw::readwrite || rw == Rw::randrw ||
         rw == Rw::trimwrite || rw == Rw::randtrimwrite;
}

bool is_random(Rw rw) {
  return rw == Rw::randread || rw == Rw::randwrite || rw == Rw::randtrim || rw == Rw::randrw ||
         rw == Rw::randtrimwrite;
}

std::string_view word_of(Rw rw) {
  switch (rw) {
    case Rw::read: return "read";
    case Rw::write: return "write";
    case Rw::trim: return "trim";
    case Rw::randread: return "randread";
    case Rw::randwrite: return "randwrite";
    case Rw::randtrim: return "randtrim";
    case Rw::readwrite: return "rw";
    case Rw::randrw: return "randrw";
    case Rw::trimwrite: return "trimwrite";
    case Rw::randtrimwrite: return "randtrimwrite";
  }
  return "unknown";
}

void put_order(const Clone& clone, plan::BlockIo& block, Findings&) {
  const JobOptions& job = clone.job;
  block.uses = {reads(job.rw), writes(job.rw), trims(job.rw)};
  block.read_percent = job.rwmixread;
  block.trim_then_write = job.rw == Rw::trimwrite || job.rw == Rw::randtrimwrite;
  for (const Direction d : k_directions) {
    const auto i = static_cast<std::size_t>(d);
    block.sizes[i] = size_of(job, sized_as(job, d));
    block.order[i] = distribution_of(job, d);
    block.random_percent[i] = job.percentage_random[d];
    // Offsets that are no multiples of the block cannot be kept apart: fio drops its map too.
    const auto& align = job.blockalign[d];
    block.with_repetition |= align.has_value() && *align != block.sizes[i].min;
  }
  block.with_repetition |= job.norandommap;
  put_sequencing(job, block);
  block.file_order = file_order_of(job.file_service.kind);
  block.file_skew = job.file_service.parameter;
  block.file_run = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(job.file_service.switch_after, UINT32_MAX));
  put_depth(job, block);
}

}  // namespace loadline::dialects::fio
