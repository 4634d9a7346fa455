// What a job on blocks records of its operations, and how it repeats recorded ones.
#include <algorithm>
#include <cerrno>

#include "engine/block_worker.h"

namespace loadline::engine {
namespace {

using record::BlockStop;
using record::TraceKind;
using record::TraceRow;
using target::OpKind;

TraceKind kind_of(const target::Op& op, std::size_t direction) {
  if (direction < plan::k_directions) return static_cast<TraceKind>(direction);
  switch (op.kind) {
    case OpKind::sync_data: return TraceKind::sync_data;
    case OpKind::sync_range: return TraceKind::sync_range;
    default: return TraceKind::sync;
  }
}

int error_of(const Error& error) { return error.os_error != 0 ? error.os_error : EIO; }

}  // namespace

bool BlockWorker::open_trace() {
  if (!block_.trace.replay.empty()) {
    auto replay = BlockReplay::open(block_.trace);
    if (!replay) {
      fail_job(error_of(replay.error()), "replay", replay.error().context, replay.error().what);
      return false;
    }
    replay_.emplace(std::move(*replay));
  }
  if (block_.trace.record.empty()) return true;
  auto trace = record::TraceWriter::create(block_.trace.record);
  if (!trace) {
    fail_job(error_of(trace.error()), "trace", trace.error().context, trace.error().what);
    return false;
  }
  trace_.emplace(std::move(*trace));
  for (const plan::BlockFile& file : block_.files) trace_->add_file(file.path, {});
  trace_files(TraceKind::open);
  return true;
}

void BlockWorker::trace_files(TraceKind kind) {
  const Duration at = kind == TraceKind::open ? Duration() : clock_.now() - report_.started;
  for (std::uint32_t file = 0; file < block_.files.size(); ++file) {
    trace_->append({.at = at, .kind = kind, .file = file});
  }
}

void BlockWorker::close_trace() {
  if (!trace_) return;
  trace_files(TraceKind::close);
  if (const auto closed = trace_->close(); !closed) {
    fail_job(error_of(closed.error()), "trace", closed.error().context, closed.error().what);
  }
}

void BlockWorker::trace_issue(const Slot& slot) {
  TraceRow row{.at = slot.issued - report_.started,
               .kind = kind_of(slot.op, slot.kind),
               .measured = slot.issued >= begin_,
               .verifying = slot.besides && slot.kind == 0,
               .split = split_,
               .file = slot.place.file,
               .offset = Bytes(slot.place.offset),
               .length = Bytes(slot.place.length)};
  if (split_) row.submission = slot.accepted - slot.issued;
  trace_->append(row);
}

void BlockWorker::trace_sync(std::uint32_t file) {
  trace_->append({.at = clock_.now() - report_.started, .kind = TraceKind::sync, .file = file});
}

void BlockWorker::trace_end(const Slot& slot, Instant done, int error) {
  TraceRow row{.at = slot.issued - report_.started,
               .kind = kind_of(slot.op, slot.kind),
               .finished = true,
               .measured = inside(slot, done),
               .verifying = slot.besides && slot.kind == 0,
               .split = split_,
               .error = static_cast<std::uint16_t>(std::clamp(error, 0, 0xffff)),
               .file = slot.place.file,
               .offset = Bytes(slot.place.offset),
               .length = Bytes(slot.place.length),
               .total = done - slot.issued};
  if (split_) {
    row.submission = slot.accepted - slot.issued;
    row.completion = done - slot.accepted;
  }
  if (trace_->append(row)) stale_now_ = true;
  // Why, and in which file, close() says.
  if (trace_->failed()) ending_ = fatal_ = true;
}

BlockWorker::Choice BlockWorker::choose_replay(Slot& slot, Instant now) {
  if (operations_left_ == 0) return end_by(BlockStop::operations);
  const auto next = replay_->peek();
  if (!next) {
    fail_job(error_of(next.error()), "replay", next.error().context, next.error().what);
    return Choice::over;
  }
  if (*next == nullptr) return end_by(BlockStop::size);
  const TraceRow& row = **next;
  const Instant due = report_.started + replay_->due(row);
  if (due > now) {
    wait_until_ = due;
    return Choice::wait;
  }
  const auto direction = static_cast<std::size_t>(row.kind);
  const bool moves = direction < plan::k_directions;
  if (row.file >= handles_.size() || (moves && !block_.uses[direction]) ||
      (row.kind <= TraceKind::write && !buffers_->fits(row.length.count()))) {
    fail_job(EINVAL, "replay", block_.trace.replay,
             "holds an operation that the job is not made for", row.offset, row.length);
    return Choice::over;
  }
  slot.place = {.file = row.file, .offset = row.offset.count(), .length = row.length.count()};
  slot.paced = !block_.trace.at_once;
  slot.intended = due;
  if (moves) {
    aim(slot, direction);
  } else {
    aim_at_sync(slot, row.kind == TraceKind::sync ? OpKind::sync : OpKind::sync_data);
  }
  wrote_ = wrote_ || row.kind == TraceKind::write || row.kind == TraceKind::trim;
  if (operations_left_ != UINT64_MAX) --operations_left_;
  replay_->pop();
  return Choice::ready;
}

// All of the slot's file.
void BlockWorker::aim_at_sync(Slot& slot, OpKind kind) {
  slot.kind = k_sync;
  slot.besides = false;
  slot.moved = 0;
  slot.place = {.file = slot.place.file, .offset = 0, .length = 0};
  slot.op.kind = kind;
  slot.op.handle = handles_[slot.place.file];
  slot.op.range.reset();
  slot.op.memory = {};
}

}  // namespace loadline::engine
