// The loop of a job on blocks where nothing has to happen between two operations but the choice of
// the next: what it costs is paid a million times a second, so it is written out.
#include <algorithm>
#include <array>
#include <utility>

#include "base/check.h"
#include "engine/block_worker.h"

namespace loadline::engine {
namespace {

using record::BlockStop;
using target::OpKind;

constexpr std::array<OpKind, plan::k_directions> k_kinds = {OpKind::read, OpKind::write,
                                                            OpKind::trim};

}  // namespace

bool BlockWorker::lean() const {
  return depth_ == 1 && !trace_ && !replay_ && !split_ && !fills_ && !verifier_ && !few_open() &&
         !pace_ && !flow_ && !search_ && !steady_ && !any_rate_min_ && block_.syncs.empty() &&
         block_.think.pause == Duration() && !any_latency_max_ && block_.trims.percent == 0 &&
         !block_.trim_then_write && block_.action == plan::FileAction::data;
}

// As choose_work() and note_issue().
bool BlockWorker::choose_lean(Slot& slot) {
  if (bytes_left_ == 0) return end_by(BlockStop::size) == Choice::ready;
  if (operations_left_ == 0) return end_by(BlockStop::operations) == Choice::ready;
  const std::size_t direction = mixed_ ? mixed_direction() : only_direction_;
  if (!next_place(direction, slot.place)) return end_by(BlockStop::size) == Choice::ready;
  slot.kind = static_cast<std::uint8_t>(direction);
  slot.op.kind = k_kinds[direction];
  slot.op.handle = handles_[slot.place.file];
  slot.op.range =
      target::ByteRange{.offset = Bytes(slot.place.offset), .length = Bytes(slot.place.length)};
  slot.op.memory = buffers_->of(0, slot.place.length);
  wrote_ = wrote_ || direction != 0;
  if (measuring_) {
    if (bytes_left_ != UINT64_MAX) bytes_left_ -= std::min(bytes_left_, slot.place.length);
    if (operations_left_ != UINT64_MAX) --operations_left_;
  }
  return true;
}

void BlockWorker::run_lean(Instant now) {
  Slot& slot = slots_[0];
  slot.paced = slot.besides = false;
  target::Completion completion;
  std::uint64_t issued = 0;
  while (true) {
    if (now >= check_at_) [[unlikely]] {
      count_lean(std::exchange(issued, 0));
      look(now);
      if (ending_) break;
    }
    if (!choose_lean(slot)) break;
    slot.moved = 0;
    slot.issued = now;
    const target::Submitted submitted = session_->submit(slot.op);
    CHECK(submitted == target::Submitted::accepted);
    ++issued;
    while (session_->reap({&completion, 1}, check_at_) == 0) look(clock_.now());
    now = completion.done.stamped() ? completion.done : clock_.now();
    if (completion.outcome == target::Outcome::ok &&
        (completion.bytes.count() == slot.place.length || slot.kind == 2)) [[likely]] {
      count(slot, now);
      continue;
    }
    in_flight_ = 1;
    slot.busy = true;
    complete(completion, now);
    // The rest of a short transfer.
    while (in_flight_ > 0) now = reap(clock_.now());
    free_.clear();
    if (ending_) break;
    now = clock_.now();
  }
  free_.assign(1, 0);
  count_lean(issued);
}

void BlockWorker::count_lean(std::uint64_t issued) {
  report_.loops += issued;
  report_.counters.depth[0] += issued;
  report_.counters.submits[1] += issued;
  report_.counters.completes[1] += issued;
}

}  // namespace loadline::engine
