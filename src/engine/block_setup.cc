// What a job on blocks needs before its first operation.
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "base/check.h"
#include "base/open_files.h"
#include "engine/block_worker.h"

namespace loadline::engine {
namespace {

using plan::Direction;
using plan::FileAction;

constexpr std::size_t k_completions_at_once = 256;

// "0,2-5"; false where it is none.
bool parse_cpus(std::string_view text, cpu_set_t& cpus) {
  CPU_ZERO(&cpus);
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    const std::size_t dash = part.find('-');
    unsigned first = 0;
    const char* end = part.data() + std::min(dash, part.size());
    if (std::from_chars(part.data(), end, first).ptr != end || end == part.data()) return false;
    unsigned last = first;
    if (dash != std::string_view::npos) {
      const char* begin = part.data() + dash + 1;
      if (std::from_chars(begin, part.data() + part.size(), last).ec != std::errc()) return false;
    }
    if (last < first || last >= CPU_SETSIZE) return false;
    for (unsigned cpu = first; cpu <= last; ++cpu) CPU_SET(cpu, &cpus);
  }
  return CPU_COUNT(&cpus) > 0;
}

std::uint64_t largest_block(const plan::BlockIo& block) {
  std::uint64_t most = 0;
  for (std::size_t d = 0; d < plan::k_directions; ++d) {
    // A trim moves no bytes.
    if (block.uses[d] && d != static_cast<std::size_t>(Direction::trim)) {
      most = std::max(most, BlockSizes(block.sizes[d]).most());
    }
  }
  return std::max<std::uint64_t>(most, BlockBuffers::k_stride);
}

// How many blocks the regions hold.
std::uint64_t blocks_of(const plan::BlockIo& block, const std::vector<FileRegion>& regions) {
  std::uint64_t bytes = 0;
  for (const FileRegion& region : regions) bytes += region.length();
  const auto writes = static_cast<std::size_t>(Direction::write);
  return bytes / std::max<std::uint64_t>(block.sizes[writes].min.count(), 1);
}

}  // namespace

BlockWorker::BlockWorker(const Options& options)
    : options_(options),
      job_(*options.job),
      block_(*options.job->block),
      clock_(*options.clock),
      rng_(Rng::split(options.seed, 1)) {
  CHECK(options.job->block.has_value());
}

BlockWorker::~BlockWorker() = default;

void BlockWorker::refuse(const Error& error) {
  fail_job(error.os_error != 0 ? error.os_error : EIO, "lay out", error.context, error.what);
}

void BlockWorker::prepare() {
  if (fatal_) return;
  can_ = options_.target->capabilities();
  depth_ = can_.block_io_waits ? 1 : std::max(job_.workers, 1U);
  if (can_.own_descriptors && !clock_.simulated()) take_own_descriptors();
  settle_on_cpus();
  if (fatal_ || block_.create_only) return;
  if (!open_session() || !open_files() || !get_memory() || !open_trace()) return;
  set_limits();
  slots_.resize(depth_);
  for (std::uint32_t i = 0; i < depth_; ++i) {
    slots_[i].op.slot = i;
    free_.push_back(depth_ - 1 - i);
  }
  // A few at a time, so that the storage has the rest to do while these are seen to.
  const std::uint32_t few = std::max(depth_ / 4, 1U);
  const std::uint32_t most = block_.batch_reap_max > 0 ? block_.batch_reap_max : few;
  completions_.resize(std::min<std::size_t>(std::min(most, depth_), k_completions_at_once));
}

void BlockWorker::settle_on_cpus() {
  if (!block_.cpus.empty()) {
    cpu_set_t cpus;
    if (!parse_cpus(block_.cpus, cpus)) {
      return fail_job(EINVAL, "cpus", block_.cpus, "is no list of CPUs like 0,2-5");
    }
    if (sched_setaffinity(0, sizeof cpus, &cpus) != 0) {
      return fail_job(errno, "cpus", block_.cpus, errno_text(errno));
    }
  }
  if (block_.nice != 0 &&
      setpriority(PRIO_PROCESS, static_cast<id_t>(thread_number()), block_.nice) != 0) {
    fail_job(errno, "nice", std::to_string(block_.nice), errno_text(errno));
  }
}

bool BlockWorker::open_session() {
  auto session =
      options_.target->open_session({.worker = options_.worker,
                                     .job = options_.index,
                                     .slots = depth_,
                                     .clock = &clock_,
                                     .seed = options_.seed,
                                     .reap_min = std::min(block_.batch_reap_min, depth_)});
  if (!session) {
    fail_job(session.error().os_error != 0 ? session.error().os_error : EIO, "open",
             session.error().context, session.error().what);
    return false;
  }
  session_ = std::move(*session);
  return true;
}

bool BlockWorker::open_files() {
  const FileAction action = block_.action;
  const bool by_handle = action == FileAction::data || action == FileAction::allocate ||
                         action == FileAction::truncate;
  const bool writes = (block_.uses[1] || block_.uses[2]) && !block_.verify.only;
  const bool reads = block_.uses[0] || block_.verify.checksum != plan::Checksum::none;
  std::vector<Bytes> sizes;
  for (const plan::BlockFile& file : block_.files) {
    if (!by_handle) {
      sizes.push_back(file.size);
      continue;
    }
    auto opened = session_->open_object(
        file.path, {.read = reads || !writes,
                    .write = writes && !block_.read_only,
                    .create = writes && block_.may_create && !block_.read_only});
    if (!opened) {
      fail_job(opened.error().os_error != 0 ? opened.error().os_error : EIO, "open", file.path,
               opened.error().what);
      return false;
    }
    handles_.push_back(opened->handle);
    sizes.push_back(opened->size);
  }
  BlockRegions regions = regions_of(block_, sizes, can_.remembers_data);
  report_.counters.asked = regions.asked;
  report_.counters.used = regions.used;
  regions_ = std::move(regions.files);
  if (block_.trace.replay.empty()) offsets_.emplace(block_, regions_, options_.seed);
  return true;
}

bool BlockWorker::get_memory() {
  if (block_.verify.checksum != plan::Checksum::none) {
    auto verifier = BlockVerifier::make(block_, regions_, options_.seed);
    if (!verifier) {
      fail_job(EINVAL, "verify", verifier.error().context, verifier.error().what);
      return false;
    }
    verifier_.emplace(std::move(*verifier));
    if (!resume()) return false;
  }
  auto buffers =
      BlockBuffers::make(block_.buffers, {.slots = depth_,
                                          .largest = largest_block(block_),
                                          .writes = block_.uses[1] && !block_.verify.only,
                                          .reads = block_.uses[0] || verifier_.has_value(),
                                          .seed = options_.seed,
                                          .blocks = blocks_of(block_, regions_),
                                          .shared_seed = options_.shared_seed,
                                          .sharers = options_.sharers,
                                          .rank = options_.rank});
  if (!buffers) {
    fail_job(ENOMEM, "memory", buffers.error().context, buffers.error().what);
    return false;
  }
  buffers_.emplace(std::move(*buffers));
  const auto used = session_->use_memory(buffers_->memory());
  if (!used) {
    fail_job(used.error().os_error != 0 ? used.error().os_error : EIO, "memory",
             used.error().context, used.error().what);
    return false;
  }
  return true;
}

void BlockWorker::set_limits() {
  std::size_t used = 0;
  for (std::size_t d = 0; d < plan::k_directions; ++d) {
    if (!block_.uses[d]) continue;
    only_direction_ = d;
    ++used;
  }
  mixed_ = used > 1;
  depth_limit_ = depth_;
  split_ = !can_.block_io_waits && block_.split_latency;
  fills_ = block_.uses[1] && (buffers_->fills() || verifier_);
  // Two operations on the same bytes at once leave nothing to verify.
  no_overlap_ =
      depth_ > 1 && (block_.no_overlap || block_.trims.percent > 0 || verifier_.has_value());
  wraps_ = block_.time_based || block_.amount.given();
  std::uint64_t region = 0;
  for (const FileRegion& file : regions_) region += file.length();
  // Both trims and writes go over the region.
  bytes_a_loop_ = block_.trim_then_write ? 2 * region : region;
  if (block_.amount.percent > 0) {
    bytes_a_loop_ = region / 100 * block_.amount.percent;
  } else if (block_.amount.given()) {
    bytes_a_loop_ = block_.amount.bytes.count();
  }
  const bool endless = block_.time_based || block_.fill_device;
  if (endless && !(block_.verify.only && block_.time_based)) bytes_a_loop_ = UINT64_MAX;
  if (block_.operations > 0) operations_left_ = block_.operations;
  if (block_.latency_target) {
    search_.emplace(*block_.latency_target, depth_);
    depth_limit_ = search_->depth();
  }
  if (block_.steady && block_.steady->window > Duration()) steady_.emplace(*block_.steady);
  for (const Duration limit : block_.latency_max) any_latency_max_ |= limit > Duration();
  for (const plan::BlockRate& rate : block_.rate) {
    any_rate_min_ |= rate.operations_min > Rate() || rate.bytes_min > Rate();
  }
  sync_due_.resize(block_.syncs.size());
  if (block_.verify.backlog > 0) backlog_.reserve(block_.verify.backlog);
}

void BlockWorker::close_files() {
  for (const target::ObjectHandle handle : handles_) {
    const auto closed = session_->close_object(handle);
    if (!closed && report_.counters.failure.error == 0) {
      fail_job(closed.error().os_error != 0 ? closed.error().os_error : EIO, "close",
               closed.error().context, closed.error().what);
    }
  }
  handles_.clear();
}

}  // namespace loadline::engine
