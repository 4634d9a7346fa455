#include "targets/posix/posixaio_session.h"

#include <aio.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <vector>

#include "targets/posix/file_set.h"
#include "targets/posix/object_files.h"
#include "targets/posix/outcome.h"
#include "targets/posix/ready_queue.h"

namespace loadline::targets::posix {
namespace {

using target::OpKind;

class PosixaioSession final : public target::Session {
 public:
  PosixaioSession(const Config& config, Ledger& ledger, const target::WorkerContext& context)
      : reap_min_(context.reap_min),
        clock_(*context.clock),
        blocks_(context.slots),
        ops_(context.slots),
        ready_(context.slots),
        files_(config, ledger, context.job),
        objects_(config, context) {
    under_way_.reserve(context.slots);
    waited_for_.reserve(context.slots);
  }
  // The C library's threads still use the memory of what is under way.
  ~PosixaioSession() override {
    cancel();
    while (!under_way_.empty()) {
      wait(Duration::milliseconds(100));
      collect(blocks_.size());
    }
  }

  target::Submitted submit(const target::Op& op) override {
    if (under_way_.size() + ready_.size() == ops_.size()) return target::Submitted::full;
    if (op.handle != target::k_no_object && op.kind <= OpKind::write) {
      begin(op);
      return target::Submitted::accepted;
    }
    target::Completion& completion = ready_.push(op.slot);
    if (op.handle == target::k_no_object && !op.container.empty()) {
      objects_.perform(op, completion);
    } else {
      files_.perform(op, completion);
    }
    return target::Submitted::accepted;
  }

  std::size_t reap(std::span<target::Completion> into, Instant deadline) override {
    const std::size_t least = std::min<std::size_t>(reap_min_, into.size());
    while (true) {
      collect(into.size());
      const bool enough = ready_.size() >= std::min(least, under_way_.size() + ready_.size());
      if (enough && !(ready_.empty() && least > 0)) break;
      const Duration left = deadline - clock_.now();
      if (left <= Duration()) break;
      if (under_way_.empty()) {
        clock_.sleep_until(deadline);
        break;
      }
      wait(left);
    }
    return ready_.take(into);
  }

  void cancel() override {
    for (const std::uint32_t slot : under_way_) {
      ::aio_cancel(blocks_[slot].aio_fildes, &blocks_[slot]);
    }
  }

  Result<target::OpenedObject> open_object(std::string_view name,
                                           const target::OpenMode& mode) override {
    return files_.open(name, mode);
  }
  Result<void> close_object(target::ObjectHandle handle) override { return files_.close(handle); }
  Result<std::vector<std::string>> list_names(std::string_view container,
                                              std::string_view prefix) override {
    return objects_.names(container, prefix);
  }

 private:
  void begin(const target::Op& op) {
    aiocb& block = blocks_[op.slot];
    block = {};
    block.aio_fildes = files_[op.handle].fd.get();
    block.aio_buf = op.memory.data();
    block.aio_nbytes = op.range->length.count();
    block.aio_offset = static_cast<off_t>(op.range->offset.count());
    block.aio_sigevent.sigev_notify = SIGEV_NONE;
    const int result = op.kind == OpKind::read ? ::aio_read(&block) : ::aio_write(&block);
    if (result != 0) {
      note_errno(ready_.push(op.slot), errno);
      return;
    }
    ops_[op.slot] = op;
    under_way_.push_back(op.slot);
  }

  // Moves up to `most` of what has ended to the ready ones.
  void collect(std::size_t most) {
    for (std::size_t i = 0; i < under_way_.size() && ready_.size() < most;) {
      const std::uint32_t slot = under_way_[i];
      const int error = ::aio_error(&blocks_[slot]);
      if (error == EINPROGRESS) {
        ++i;
        continue;
      }
      const ssize_t moved = ::aio_return(&blocks_[slot]);
      target::Completion& completion = ready_.push(slot);
      const target::Op& op = ops_[slot];
      if (error == 0 && moved == static_cast<ssize_t>(op.range->length.count())) {
        completion.bytes = op.range->length;
        OpenFile& file = files_[op.handle];
        if (op.kind == OpKind::write) {
          file.size = std::max(file.size, (op.range->offset + op.range->length).count());
        }
      } else {
        files_.settle(op, error != 0 ? -error : moved, completion);
      }
      under_way_.erase(under_way_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  void wait(Duration at_most) {
    waited_for_.clear();
    for (const std::uint32_t slot : under_way_) waited_for_.push_back(&blocks_[slot]);
    const timespec timeout{static_cast<time_t>(at_most.ns() / 1'000'000'000),
                           at_most.ns() % 1'000'000'000};
    ::aio_suspend(waited_for_.data(), static_cast<int>(waited_for_.size()), &timeout);
  }

  const std::uint32_t reap_min_;
  const Clock& clock_;
  std::vector<aiocb> blocks_;  // by slot
  std::vector<target::Op> ops_;
  std::vector<std::uint32_t> under_way_;
  std::vector<const aiocb*> waited_for_;
  ReadyQueue ready_;
  FileSet files_;
  ObjectFiles objects_;
};

}  // namespace

Result<std::unique_ptr<target::Session>> open_posixaio_session(
    const Config& config, Ledger& ledger, const target::WorkerContext& context) {
  return std::make_unique<PosixaioSession>(config, ledger, context);
}

}  // namespace loadline::targets::posix
