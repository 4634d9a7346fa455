// What a job on blocks knows of what was written, and how it is read back and compared.
#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/unique_fd.h"
#include "engine/block_worker.h"

namespace loadline::engine {
namespace {

using record::BlockStop;
using target::Outcome;

constexpr std::size_t k_read = 0;
constexpr std::size_t k_write = 1;
constexpr std::size_t k_trim = 2;
constexpr std::uint64_t k_trim_stream = 3;  // of the job's seed

// Where the hole, or the space that was given and never written, around `offset` ends; `offset`
// itself where there is data. Not by SEEK_DATA alone: that calls data what was only read.
std::uint64_t unwritten_until(int fd, std::uint64_t offset) {
  // Words, for the alignment of struct fiemap and the one extent behind it.
  std::array<std::uint64_t, (sizeof(fiemap) + sizeof(fiemap_extent)) / sizeof(std::uint64_t)>
      memory{};
  auto* map = reinterpret_cast<fiemap*>(memory.data());
  map->fm_start = offset;
  map->fm_length = UINT64_MAX - offset;
  map->fm_flags = FIEMAP_FLAG_SYNC;
  map->fm_extent_count = 1;
  if (ioctl(fd, FS_IOC_FIEMAP, map) != 0) {
    const off_t data = lseek(fd, static_cast<off_t>(offset), SEEK_DATA);
    if (data >= 0) return static_cast<std::uint64_t>(data);
    return errno == ENXIO ? UINT64_MAX : offset;
  }
  if (map->fm_mapped_extents == 0) return UINT64_MAX;
  const fiemap_extent& extent = map->fm_extents[0];
  if (extent.fe_logical > offset) return extent.fe_logical;
  const bool unwritten = (extent.fe_flags & FIEMAP_EXTENT_UNWRITTEN) != 0;
  return unwritten ? extent.fe_logical + extent.fe_length : offset;
}

void write_file(const std::string& path, std::span<const std::byte> bytes) {
  const UniqueFd fd(open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644));
  if (fd.get() < 0) return;
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd.get(), bytes.data(), bytes.size());
    if (n <= 0) return;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

}  // namespace

// The next written block to compare: of the backlog, or all in the order of the files.
BlockWorker::Choice BlockWorker::choose_readback(Slot& slot) {
  slot.paced = false;
  while (block_.verify.backlog > 0 && !block_.verify.only) {
    if (backlog_at_ == backlog_.size() || (phase_ == Phase::work && backlog_batch_left_ == 0)) {
      backlog_batch_left_ = 0;
      if (backlog_at_ == backlog_.size()) {
        backlog_.clear();
        backlog_at_ = 0;
      }
      return phase_ == Phase::work ? Choice::wait : end_by(report_.counters.stop);
    }
    const Backlog& next = backlog_[backlog_at_++];
    if (backlog_batch_left_ > 0) --backlog_batch_left_;
    if (!verifier_->still(next.place, next.sequence)) continue;
    slot.place = next.place;
    if (!keep_open(slot.place.file)) return Choice::over;
    aim(slot, k_read);
    slot.besides = true;
    return Choice::ready;
  }
  const std::uint64_t longest = std::max(
      offsets_->sizes(plan::Direction::write).most() / verifier_->interval(), std::uint64_t{1});
  const auto place = verifier_->map().written_after(cursor_, longest * verifier_->interval());
  if (!place) return end_by(report_.counters.stop);
  slot.place = *place;
  cursor_ = *place;
  cursor_.offset += place->length;
  if (!keep_open(slot.place.file)) return Choice::over;
  aim(slot, k_read);
  slot.besides = true;
  return Choice::ready;
}

// Remembers as written what an earlier run of this job wrote: the same choices, nothing issued.
void BlockWorker::rehearse() {
  Slot slot;
  measuring_ = true;
  pace_.reset();
  while (choose_work(slot, Instant::max()) == Choice::ready) {
    note_issue(slot);
    if (slot.kind == k_write) verifier_->note_written(slot.place);
    if (slot.kind == k_trim) verifier_->forget(slot.place);
  }
  any_sync_due_ = false;
  std::fill(sync_due_.begin(), sync_due_.end(), false);
}

// A share of the written blocks waits here until enough others have been written behind them.
void BlockWorker::note_completed_write(const Slot& slot) {
  if (block_.trims.percent > 0) {
    if (!trim_dice_) trim_dice_ = Rng::split(options_.seed, k_trim_stream);
    ++writes_since_trim_;
    if (trim_dice_->below(100) < block_.trims.percent)
      trims_.push_back({slot.place, slot.sequence});
    if (writes_since_trim_ >= std::max<std::uint64_t>(block_.trims.backlog, 1)) {
      writes_since_trim_ = 0;
      const std::uint64_t batch = block_.trims.batch;
      trims_left_ = batch > 0 ? std::min<std::uint64_t>(batch, trims_.size()) : trims_.size();
    }
  }
  if (!verifier_ || block_.verify.backlog == 0 || !block_.verify.read_back) return;
  backlog_.push_back({slot.place, slot.sequence});
  if (phase_ == Phase::work && backlog_batch_left_ == 0 &&
      backlog_.size() - backlog_at_ >= block_.verify.backlog) {
    const std::uint64_t batch = block_.verify.backlog_batch;
    backlog_batch_left_ = batch > 0 ? batch : backlog_.size() - backlog_at_;
  }
}

// False where none of the batch is left.
bool BlockWorker::choose_trim(Slot& slot) {
  while (trims_left_ > 0 && !trims_.empty()) {
    const Backlog next = trims_.front();
    trims_.pop_front();
    --trims_left_;
    // Written again since: that block is of the dice of its own write.
    if (verifier_ && !verifier_->still(next.place, next.sequence)) continue;
    slot.place = next.place;
    if (!keep_open(slot.place.file)) return false;
    aim(slot, k_trim);
    slot.op.memory = {};
    slot.paced = false;
    slot.besides = true;
    return true;
  }
  trims_left_ = 0;
  return false;
}

// From the state of an earlier run, where there is one. False: the job cannot begin.
bool BlockWorker::resume() {
  const std::string& path = block_.verify.state_load;
  if (path.empty()) return true;
  const auto state = load_verify_state(path);
  if (!state && state.error().code == ErrorCode::not_found) return true;
  const Result<void> known =
      state ? verifier_->resume(*state) : Result<void>(std::unexpected(state.error()));
  if (!known) {
    fail_job(EINVAL, "verify_state_load", path, known.error().what);
    return false;
  }
  // The same choices again, whatever place among others the job has now.
  offsets_.emplace(block_, regions_, state->seed);
  rng_ = Rng::split(state->seed, 1);
  resumed_ = !state->complete;
  return true;
}

void BlockWorker::save_state() {
  if (in_holes_ > 0) {
    report_.counters.remarks.push_back(
        std::to_string(in_holes_) +
        " blocks hold nothing and count as never written: the run that "
        "wrote left no state, and may have been cut off");
  }
  const std::string& path = block_.verify.state_save;
  if (path.empty() || !verifier_ || block_.verify.only || !block_.uses[k_write]) return;
  const BlockStop stop = report_.counters.stop;
  VerifyState state{
      .seed = verifier_->seed(), .interval = verifier_->interval(), .files = block_.files.size()};
  // Whoever makes the choices again comes to the same end: the clock had no part in them.
  state.complete = (stop == BlockStop::size || stop == BlockStop::operations) && !fatal_ &&
                   verifier_->all_kept() && !block_.time_based && !(pace_ && mixed_) &&
                   job_.stop.ramp_up == Duration();
  if (!state.complete) state.map = verifier_->map().encoded();
  const auto saved = save_verify_state(path, state);
  if (saved) return;
  report_.counters.remarks.push_back("the state for verify_only is not kept: " +
                                     saved.error().message());
}

void BlockWorker::verify(Slot& slot, Instant done) {
  const std::span<const std::byte> block = buffers_->of(slot.op.slot, slot.place.length);
  const bool unknown_too = !block_.uses[k_write] && !block_.verify.only && !resumed_;
  std::function<bool(const BlockVerifier::Mismatch&)> excused;
  if (block_.verify.only && !resumed_) {
    excused = [this](const BlockVerifier::Mismatch& mismatch) { return never_written(mismatch); };
  }
  const BlockVerifier::Count counted = verifier_->check(block, slot.place, unknown_too, excused);
  stale_now_ = true;
  in_holes_ += counted.excused;
  report_.counters.verified += counted.checked;
  report_.counters.verify_errors += counted.wrong;
  if (counted.first.empty()) {
    count(slot, done);
    return;
  }
  for (const BlockVerifier::Mismatch& mismatch : counted.first) {
    if (block_.verify.dump) dump(mismatch, block, slot.place);
    if (report_.counters.mismatches.size() < record::k_mismatches_kept) {
      report_.counters.mismatches.push_back({.error = EILSEQ,
                                             .operation = "verify",
                                             .file = block_.files[mismatch.file].path,
                                             .offset = Bytes(mismatch.offset),
                                             .length = Bytes(mismatch.length),
                                             .text = mismatch.text});
    }
    if (block_.verify.fatal) break;
  }
  const BlockVerifier::Mismatch& first = counted.first.front();
  const BlockPlace whole = slot.place;
  slot.place = {.file = first.file, .offset = first.offset, .length = first.length};
  fail_operation(slot, Outcome::corrupt, EILSEQ, first.text, done);
  slot.place = whole;
}

// Where nothing says how far an earlier run came, and it may have been cut off by time: a hole of
// the file. Zeros that were trimmed are no mismatch either.
bool BlockWorker::never_written(const BlockVerifier::Mismatch& mismatch) {
  if (mismatch.fault != BlockVerifier::Fault::zeros) return false;
  if (block_.trims.percent > 0) return true;
  if (job_.stop.runtime == Duration()) return false;
  const std::uint64_t end = mismatch.offset + mismatch.length;
  const auto inside = [&] {
    return hole_file_ == mismatch.file && mismatch.offset >= hole_.begin && end <= hole_.end;
  };
  if (inside()) return true;
  const UniqueFd fd(
      open(block_.files[mismatch.file].path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) return false;
  hole_file_ = mismatch.file;
  hole_ = {.begin = mismatch.offset, .end = unwritten_until(fd.get(), mismatch.offset)};
  return inside();
}

void BlockWorker::dump(const BlockVerifier::Mismatch& mismatch, std::span<const std::byte> found,
                       const BlockPlace& place) {
  const std::string& path = block_.files[mismatch.file].path;
  const std::string stem = path.substr(path.rfind('/') + 1) + "." + std::to_string(mismatch.offset);
  write_file(stem + ".received", found.subspan(mismatch.offset - place.offset, mismatch.length));
  write_file(stem + ".expected", verifier_->expected(mismatch));
}

}  // namespace loadline::engine
