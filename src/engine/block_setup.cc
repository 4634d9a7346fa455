// What a job on blocks needs before its first operation.

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/check.h"
#include "base/open_files.h"
#include "engine/block_worker.h"

namespace loadline::engine {
namespace {

using plan::Direction;
using plan::FileAction;

constexpr std::size_t k_completions_at_once = 256;

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

std::uint64_t smallest_block(const plan::BlockIo& block) {
  std::uint64_t least = UINT64_MAX;
  for (std::size_t d = 0; d < plan::k_directions; ++d) {
    if (block.uses[d]) least = std::min(least, block.sizes[d].min.count());
  }
  return least == UINT64_MAX ? 0 : least;
}

// A job without a single block would end at once, as if all were well. The words are fio's; empty
// where there is room.
std::string no_room_for(const plan::BlockIo& block, const std::vector<FileRegion>& regions) {
  const std::uint64_t least = smallest_block(block);
  std::uint64_t most = 0;
  for (const FileRegion& region : regions) most = std::max(most, region.length());
  if (most >= least) return {};
  return "blocksize is larger than data set range: a block has " + std::to_string(least) +
         " bytes at least, and of the file there are " + std::to_string(most) +
         " to use; give a smaller bs=, a larger size=, or a lower offset=";
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
  if (!become()) return;
  if (block_.create_only) return;
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

bool BlockWorker::become() {
  auto locked = LockedMemory::make(block_.memory.locked);
  auto became = locked ? become_client(block_) : Result<void>(propagate(locked));
  if (!became) {
    fail_client(became.error());
    return false;
  }
  locked_ = std::move(*locked);
  return true;
}

void BlockWorker::fail_client(const Error& error) {
  fail_job(error.os_error != 0 ? error.os_error : EIO, "client", error.context, error.what);
}

// Before the job, or after it; the files have fio's names.
bool BlockWorker::run_command(bool before) {
  const plan::ClientSpec& client = block_.client;
  const std::string& command = before ? client.command_before : client.command_after;
  if (command.empty()) return true;
  std::string file = job_.name + (before ? ".prerun.txt" : ".postrun.txt");
  std::ranges::replace(file, '/', '_');
  const auto over = [this] {
    return options_.stop.stop_requested() ||
           (options_.told_to_end != nullptr && options_.told_to_end->load() != 0);
  };
  // A job that is to end before it began does nothing at all; one that ran is seen to its end.
  if (before && over()) return false;
  const auto done = run_client_command(
      command, file, [&] { return before ? over() : options_.stop.stop_requested(); });
  if (done) return true;
  // Stopped: the loop will see why.
  if (done.error().code != ErrorCode::cancelled) fail_client(done.error());
  return false;
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
  open_mode_ = {.read = reads || !writes,
                .write = writes && !block_.read_only,
                .create = writes && block_.may_create && !block_.read_only};
  std::vector<Bytes> sizes;
  for (const plan::BlockFile& file : block_.files) {
    if (options_.stop.stop_requested()) {
      fatal_ = true;
      report_.counters.stop = record::BlockStop::signal;
      return false;
    }
    if (!by_handle) {
      sizes.push_back(file.size);
      continue;
    }
    auto opened = session_->open_object(file.path, open_mode_);
    if (!opened) {
      fail_job(opened.error().os_error != 0 ? opened.error().os_error : EIO, "open", file.path,
               opened.error().what);
      return false;
    }
    sizes.push_back(opened->size);
    const bool too_many = few_open() && opened_.size() >= block_.open_files;
    if (too_many) {
      const auto closed = session_->close_object(opened->handle);
      if (!closed) {
        fail_job(EIO, "close", file.path, closed.error().what);
        return false;
      }
    }
    if (!too_many) opened_.push_back(static_cast<std::uint32_t>(handles_.size()));
    handles_.push_back(too_many ? target::k_no_object : opened->handle);
  }
  BlockRegions regions = regions_of(block_, sizes, can_.remembers_data);
  report_.counters.asked = regions.asked;
  report_.counters.used = regions.used;
  regions_ = std::move(regions.files);
  if (!block_.trace.replay.empty()) return true;
  const std::string no_room = action == FileAction::data ? no_room_for(block_, regions_) : "";
  if (!no_room.empty()) {
    fail_job(EINVAL, "size", block_.files.empty() ? "" : block_.files.front().path, no_room);
    return false;
  }
  offsets_.emplace(block_, regions_, options_.seed);
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
                                          .rank = options_.rank,
                                          .memory = block_.memory});
  if (!buffers) {
    const int error = buffers.error().os_error;
    fail_job(error != 0 ? error : ENOMEM, "memory", buffers.error().context, buffers.error().what);
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
  if (!can_.gathers || (can_.hand_over_waits && block_.batch_submit == 0)) {
    batch_ = 1;
  } else if (block_.batch_submit > 0) {
    batch_ = block_.batch_submit;
  }
  hands_over_ = can_.gathers && (split_ || batch_ != UINT64_MAX);
  gathered_.reserve(depth_);
  if (!block_.syncs.empty()) unsynced_.resize(block_.files.size());
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
  if (options_.flow.counter != nullptr) {
    const std::int64_t weight = block_.flow.weight;
    flow_.emplace(options_.flow, static_cast<std::uint32_t>(weight < 0 ? -weight : weight));
  }
  if (block_.verify.backlog > 0) backlog_.reserve(block_.verify.backlog);
}

void BlockWorker::close_files() {
  for (const target::ObjectHandle handle : handles_) {
    if (handle == target::k_no_object) continue;
    const auto closed = session_->close_object(handle);
    if (!closed && report_.counters.failure.error == 0) {
      fail_job(closed.error().os_error != 0 ? closed.error().os_error : EIO, "close",
               closed.error().context, closed.error().what);
    }
  }
  handles_.clear();
}

}  // namespace loadline::engine
