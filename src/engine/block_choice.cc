// What the next operation of a job on blocks is.
#include <algorithm>

#include "engine/block_worker.h"

namespace loadline::engine {
namespace {

using plan::FileAction;
using record::BlockStop;
using target::OpKind;

constexpr std::size_t k_read = 0;
constexpr std::size_t k_write = 1;
constexpr std::size_t k_trim = 2;
// Before the share is looked at again, where the plan does not say.
constexpr Duration k_flow_pause = Duration::microseconds(20);

OpKind kind_of(FileAction action) {
  switch (action) {
    case FileAction::data: return OpKind::read;
    case FileAction::create: return OpKind::create;
    case FileAction::stat: return OpKind::head;
    case FileAction::remove: return OpKind::remove;
    case FileAction::make_directory: return OpKind::create_container;
    case FileAction::stat_directory: return OpKind::head_container;
    case FileAction::remove_directory: return OpKind::remove_container;
    case FileAction::allocate: return OpKind::allocate;
    case FileAction::truncate: return OpKind::truncate;
  }
  return OpKind::read;
}

bool by_name(FileAction action) {
  return action != FileAction::data && action != FileAction::allocate &&
         action != FileAction::truncate;
}

}  // namespace

BlockWorker::Choice BlockWorker::choose(Slot& slot, Instant now) {
  if (phase_ == Phase::readback) return choose_readback(slot);
  if (by_name(block_.action)) return choose_action(slot);
  if (replay_) return choose_replay(slot, now);
  const Choice choice = choose_work(slot, now);
  if (choice == Choice::ready) note_issue(slot);
  return choice;
}

BlockWorker::Choice BlockWorker::end_by(BlockStop reason) {
  report_.counters.stop = reason;
  return Choice::over;
}

// Inside: only what is counted as issued is left to the caller, so that a rehearsal can use this.
BlockWorker::Choice BlockWorker::choose_work(Slot& slot, Instant now) {
  if (bytes_left_ == 0) return end_by(BlockStop::size);
  if (operations_left_ == 0) return end_by(BlockStop::operations);
  if (any_sync_due_ && choose_sync(slot)) return Choice::ready;
  if (backlog_batch_left_ > 0) return choose_readback(slot);
  if (trims_left_ > 0 && choose_trim(slot)) return Choice::ready;
  if (flow_ && !flow_->may_issue()) {
    const Duration pause = block_.flow.pause;
    wait_until_ = now + (pause > Duration() ? pause : k_flow_pause);
    return Choice::wait;
  }
  const std::optional<std::size_t> direction = choose_direction(now);
  if (!direction) return Choice::wait;
  slot.paced = pace_ && pace_->paced(*direction);
  if (slot.paced) slot.intended = pace_->due(*direction);
  if (block_.trim_then_write && *direction == k_write) {
    slot.place = trimmed_;
  } else if (!next_place(*direction, slot.place)) {
    return end_by(BlockStop::size);
  }
  if (block_.trim_then_write) {
    trimmed_ = slot.place;
    write_next_ = !write_next_;
  }
  if (handles_[slot.place.file] == target::k_no_object && !keep_open(slot.place.file)) {
    return Choice::over;
  }
  aim(slot, *direction);
  return Choice::ready;
}

bool BlockWorker::next_place(std::size_t direction, BlockPlace& place) {
  const auto d = static_cast<plan::Direction>(direction);
  if (offsets_->next(d, place)) [[likely]]
    return true;
  if (!wraps_) return false;
  begin_pass();
  return offsets_->next(d, place);
}

// A target drops what is cached of a file when it is opened, and each pass begins without: else
// all but the first would measure memory. What is under way keeps its own handle.
void BlockWorker::begin_pass() {
  offsets_->begin_pass();
  if (!block_.uses[k_read] || block_.action != FileAction::data || !can_.remembers_data) return;
  for (const plan::BlockFile& file : block_.files) {
    const auto opened = session_->open_object(file.path, {.read = true});
    if (!opened) continue;  // whoever reads it will say why
    [[maybe_unused]] const auto closed = session_->close_object(opened->handle);
  }
}

std::size_t BlockWorker::mixed_direction() {
  if (!mixed_) return only_direction_;
  if (block_.trim_then_write) return write_next_ ? k_write : k_trim;
  if (block_.uses[k_read] && block_.uses[k_write]) {
    return rng_.below(100) < block_.read_percent ? k_read : k_write;
  }
  std::size_t direction = rng_.below(plan::k_directions);
  while (!block_.uses[direction]) direction = rng_.below(plan::k_directions);
  return direction;
}

// Nothing where every direction is paced and none is due: wait_until_ says when one is.
std::optional<std::size_t> BlockWorker::choose_direction(Instant now) {
  const std::size_t wanted = mixed_direction();
  if (!pace_ || !pace_->paced(wanted) || pace_->due(wanted) <= now) return wanted;
  Instant earliest = pace_->due(wanted);
  if (mixed_ && !block_.trim_then_write) {
    for (std::size_t d = 0; d < plan::k_directions; ++d) {
      if (!block_.uses[d] || d == wanted) continue;
      if (!pace_->paced(d) || pace_->due(d) <= now) return d;
      earliest = std::min(earliest, pace_->due(d));
    }
  }
  wait_until_ = earliest;
  return std::nullopt;
}

void BlockWorker::aim(Slot& slot, std::size_t direction) {
  const BlockPlace& place = slot.place;
  slot.kind = static_cast<std::uint8_t>(direction);
  slot.besides = false;
  slot.moved = 0;
  target::Op& op = slot.op;
  if (block_.action != FileAction::data) {
    op.kind = kind_of(block_.action);
  } else {
    op.kind = direction == k_read    ? OpKind::read
              : direction == k_write ? OpKind::write
                                     : OpKind::trim;
  }
  op.handle = handles_[place.file];
  op.range = target::ByteRange{.offset = Bytes(place.offset), .length = Bytes(place.length)};
  if (direction != k_trim && block_.action == FileAction::data) {
    op.memory = buffers_->of(op.slot, place.length);
  }
}

// Accounts for what is going to be issued: limits, schedules and syncs.
void BlockWorker::note_issue(const Slot& slot) {
  if (slot.kind == k_sync || slot.besides) return;
  if (slot.paced) pace_->advance(slot.kind, slot.place.length);
  if (flow_) flow_->count();
  if (measuring_) {
    bytes_left_ -= std::min(bytes_left_, bytes_left_ == UINT64_MAX ? 0 : slot.place.length);
    operations_left_ -= operations_left_ == UINT64_MAX ? 0 : 1;
  }
  if (slot.kind == k_read) return;
  wrote_ = true;
  if (slot.kind == k_trim) return;
  ++writes_issued_;
  if (block_.syncs.empty()) return;
  last_written_ = slot.place;
  range_begin_ = std::min(range_begin_, slot.place.offset);
  range_end_ = std::max(range_end_, slot.place.offset + slot.place.length);
  for (std::size_t i = 0; i < block_.syncs.size(); ++i) {
    const std::uint64_t every = block_.syncs[i].every;
    if (every == 0 || writes_issued_ % every != 0) continue;
    sync_due_[i] = true;
    any_sync_due_ = true;
  }
}

bool BlockWorker::choose_sync(Slot& slot) {
  const auto due = std::ranges::find(sync_due_, true);
  if (due == sync_due_.end()) {
    any_sync_due_ = false;
    return false;
  }
  *due = false;
  any_sync_due_ = std::ranges::find(sync_due_, true) != sync_due_.end();
  const plan::SyncRule& rule = block_.syncs[static_cast<std::size_t>(due - sync_due_.begin())];
  slot.kind = k_sync;
  slot.paced = slot.besides = false;
  slot.moved = 0;
  slot.place = {.file = last_written_.file, .offset = 0, .length = 0};
  if (!keep_open(last_written_.file)) return false;
  slot.op.handle = handles_[last_written_.file];
  slot.op.range.reset();
  slot.op.memory = {};
  slot.op.kind = rule.kind == plan::SyncKind::fsync ? OpKind::sync : OpKind::sync_data;
  if (rule.kind == plan::SyncKind::range) {
    slot.op.kind = OpKind::sync_range;
    slot.op.sync_flags = rule.range_flags;
    slot.op.range = target::ByteRange{.offset = Bytes(range_begin_),
                                      .length = Bytes(range_end_ - range_begin_)};
    range_begin_ = UINT64_MAX;
    range_end_ = 0;
  }
  return true;
}

// Each file once.
BlockWorker::Choice BlockWorker::choose_action(Slot& slot) {
  if (operations_left_ == 0) return end_by(BlockStop::operations);
  const std::optional<std::size_t> direction = choose_direction(clock_.now());
  if (!direction) return Choice::wait;
  if (action_file_ == block_.files.size()) {
    if (!block_.time_based) return end_by(BlockStop::size);
    action_file_ = 0;
  }
  slot.kind = static_cast<std::uint8_t>(*direction);
  slot.paced = pace_ && pace_->paced(*direction);
  if (slot.paced) slot.intended = pace_->due(*direction);
  slot.besides = false;
  slot.moved = 0;
  slot.place = {.file = action_file_, .offset = 0, .length = 0};
  slot.op.kind = kind_of(block_.action);
  // A path as it stands, of a directory too: containers are names below a storage's root.
  slot.op.object = block_.files[action_file_].path;
  ++action_file_;
  if (slot.paced) pace_->advance(slot.kind, 0);
  if (measuring_ && operations_left_ != UINT64_MAX) --operations_left_;
  return Choice::ready;
}

}  // namespace loadline::engine
