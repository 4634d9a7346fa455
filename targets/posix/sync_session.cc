#include "targets/posix/sync_session.h"

#include "base/check.h"
#include "targets/posix/fault_guard.h"
#include "targets/posix/file_set.h"
#include "targets/posix/object_files.h"
#include "targets/posix/ready_queue.h"
#include "targets/posix/splice_transfer.h"
#include "targets/posix/transfers.h"

namespace loadline::targets::posix {
namespace {

using target::OpKind;

template <typename Transfer>
class SyncSession final : public target::Session {
 public:
  SyncSession(const Config& config, Ledger& ledger, const target::WorkerContext& context)
      : transfer_(config),
        waits_(context.reap_min > 0),
        clock_(*context.clock),
        ready_(context.slots),
        files_(config, ledger, context.job),
        objects_(config, context) {}

  target::Submitted submit(const target::Op& op) override {
    if (ready_.full()) return target::Submitted::full;
    target::Completion& completion = ready_.push(op.slot);
    if (op.handle != target::k_no_object && op.kind <= OpKind::write) [[likely]] {
      OpenFile& file = files_[op.handle];
      const Block block{op.memory.data(), op.range->offset.count(), op.range->length.count()};
      const std::int64_t moved =
          op.kind == OpKind::read ? transfer_.read(file, block) : transfer_.write(file, block);
      completion.bytes = Bytes(static_cast<std::uint64_t>(moved));
      if (moved != static_cast<std::int64_t>(block.length)) [[unlikely]] {
        files_.settle(op, moved, completion);
      } else if (op.kind == OpKind::write) {
        file.size = std::max(file.size, block.offset + block.length);
      }
    } else {
      perform_slowly(op, completion);
    }
    return target::Submitted::accepted;
  }

  std::size_t reap(std::span<target::Completion> into, Instant deadline) override {
    if (ready_.empty()) [[unlikely]] {
      if (waits_) clock_.sleep_until(deadline);
      return 0;
    }
    return ready_.take(into);
  }

  // Nothing is ever under way.
  void cancel() override {}

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
  void perform_slowly(const target::Op& op, target::Completion& completion) {
    if (op.handle == target::k_no_object && !op.container.empty()) {
      objects_.perform(op, completion);
    } else {
      files_.perform(op, completion);
    }
  }

  Transfer transfer_;
  bool waits_;
  const Clock& clock_;
  ReadyQueue ready_;
  FileSet files_;
  ObjectFiles objects_;
};

template <typename Transfer>
Result<std::unique_ptr<target::Session>> make(const Config& config, Ledger& ledger,
                                              const target::WorkerContext& context) {
  return std::make_unique<SyncSession<Transfer>>(config, ledger, context);
}

}  // namespace

Result<std::unique_ptr<target::Session>> open_sync_session(const Config& config, Ledger& ledger,
                                                           const target::WorkerContext& context) {
  switch (config.engine) {
    case Engine::psync: return make<PsyncTransfer>(config, ledger, context);
    case Engine::sync: return make<SyncTransfer>(config, ledger, context);
    case Engine::vsync: return make<VsyncTransfer>(config, ledger, context);
    case Engine::pvsync: return make<PvsyncTransfer>(config, ledger, context);
    case Engine::pvsync2: return make<Pvsync2Transfer>(config, ledger, context);
    case Engine::splice: return make<SpliceTransfer>(config, ledger, context);
    case Engine::null: return make<NullTransfer>(config, ledger, context);
    case Engine::mmap: {
      if (auto guarded = install_fault_guard(); !guarded) return propagate(guarded);
      return make<MmapTransfer>(config, ledger, context);
    }
    default: break;
  }
  CHECK(false);  // an engine of its own kind of session
  return std::unique_ptr<target::Session>();
}

}  // namespace loadline::targets::posix
