#include "targets/posix/libaio_session.h"

#include <linux/aio_abi.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <vector>

#include "targets/posix/file_set.h"
#include "targets/posix/object_files.h"
#include "targets/posix/outcome.h"
#include "targets/posix/ready_queue.h"
#include "targets/posix/transfers.h"

namespace loadline::targets::posix {
namespace {

using target::OpKind;

// The head of the ring that the kernel maps at the context's address (fs/aio.c of the kernel); its
// layout has been the same since 2.5 and is used by libaio too.
struct Ring {
  unsigned id;
  unsigned count;
  unsigned head;
  unsigned tail;
  unsigned magic;
  unsigned compat_features;
  unsigned incompat_features;
  unsigned header_length;
  io_event events[];
};
constexpr unsigned k_ring_magic = 0xa10a10a1;

class LibaioSession final : public target::Session {
 public:
  LibaioSession(const Config& config, Ledger& ledger, const target::WorkerContext& context,
                aio_context_t kernel)
      : config_(config),
        reap_min_(context.reap_min),
        clock_(*context.clock),
        kernel_(kernel),
        blocks_(context.slots),
        ops_(context.slots),
        events_(context.slots),
        ready_(context.slots),
        files_(config, ledger, context.job),
        objects_(config, context) {
    queue_.reserve(context.slots);
  }
  ~LibaioSession() override { ::syscall(SYS_io_destroy, kernel_); }

  target::Submitted submit(const target::Op& op) override {
    if (queue_.size() + in_flight_ + ready_.size() == ops_.size()) return target::Submitted::full;
    if (op.handle == target::k_no_object || !prepare(op)) {
      target::Completion& completion = ready_.push(op.slot);
      if (op.handle == target::k_no_object && !op.container.empty()) {
        objects_.perform(op, completion);
      } else {
        files_.perform(op, completion);
      }
      return target::Submitted::accepted;
    }
    ops_[op.slot] = op;
    queue_.push_back(&blocks_[op.slot]);
    return target::Submitted::accepted;
  }

  std::size_t reap(std::span<target::Completion> into, Instant deadline) override;

  // The kernel cancels nothing of files: what it has not got yet ends here, the rest by itself.
  void cancel() override {
    for (const iocb* block : queue_) note_errno(ready_.push(slot_of(block->aio_data)), ECANCELED);
    queue_.clear();
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
  static std::uint32_t slot_of(std::uint64_t data) { return static_cast<std::uint32_t>(data); }

  bool prepare(const target::Op& op) {
    iocb& block = blocks_[op.slot];
    block = {};
    block.aio_data = op.slot;
    block.aio_fildes = static_cast<std::uint32_t>(files_[op.handle].fd.get());
    switch (op.kind) {
      case OpKind::read: block.aio_lio_opcode = IOCB_CMD_PREAD; break;
      case OpKind::write: block.aio_lio_opcode = IOCB_CMD_PWRITE; break;
      case OpKind::sync: block.aio_lio_opcode = IOCB_CMD_FSYNC; return true;
      case OpKind::sync_data: block.aio_lio_opcode = IOCB_CMD_FDSYNC; return true;
      default: return false;
    }
    block.aio_rw_flags = config_.nowait ? k_rwf_nowait : 0;
    block.aio_buf = reinterpret_cast<std::uintptr_t>(op.memory.data());
    block.aio_nbytes = op.range->length.count();
    block.aio_offset = static_cast<std::int64_t>(op.range->offset.count());
    return true;
  }

  void hand_over();
  long wait(long least, long most, Instant deadline);
  long look_without_call(long most);
  void finish(const io_event& event);

  const Config& config_;
  const std::uint32_t reap_min_;
  const Clock& clock_;
  aio_context_t kernel_;
  std::vector<iocb> blocks_;  // by slot
  std::vector<target::Op> ops_;
  std::vector<iocb*> queue_;  // not yet with the kernel
  std::vector<io_event> events_;
  std::size_t in_flight_ = 0;
  ReadyQueue ready_;
  FileSet files_;
  ObjectFiles objects_;
};

void LibaioSession::hand_over() {
  // Buffered I/O happens inside the call. From three on the kernel holds a call's requests back to
  // merge them, and each one that has to wait then starts on a kernel thread, milliseconds late.
  const std::size_t most = config_.direct ? queue_.size() : 1;
  std::size_t handed = 0;
  while (handed < queue_.size()) {
    const std::size_t count = std::min(most, queue_.size() - handed);
    const long n = ::syscall(SYS_io_submit, kernel_, count, queue_.data() + handed);
    if (n > 0) {
      handed += static_cast<std::size_t>(n);
      in_flight_ += static_cast<std::size_t>(n);
      continue;
    }
    const int error = n < 0 ? errno : EAGAIN;
    if (error == EINTR) continue;
    // The kernel's room comes back with completions.
    if (error == EAGAIN && in_flight_ > 0) break;
    // The first of the rest is what it refuses.
    note_errno(ready_.push(slot_of(queue_[handed]->aio_data)), error);
    ++handed;
  }
  queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(handed));
}

long LibaioSession::look_without_call(long most) {
  auto* ring = reinterpret_cast<Ring*>(kernel_);  // NOLINT(performance-no-int-to-ptr)
  if (ring->magic != k_ring_magic) return 0;
  unsigned head = ring->head;
  const unsigned tail = std::atomic_ref(ring->tail).load(std::memory_order_acquire);
  long n = 0;
  for (; head != tail && n < most; ++n) {
    events_[n] = ring->events[head];
    head = head + 1 == ring->count ? 0 : head + 1;
  }
  std::atomic_ref(ring->head).store(head, std::memory_order_release);
  return n;
}

long LibaioSession::wait(long least, long most, Instant deadline) {
  if (config_.userspace_reap) {
    const long n = look_without_call(most);
    if (n > 0 && n >= least) return n;
    if (n > 0) return n;
  }
  timespec timeout{0, 0};
  if (least > 0) {
    const std::int64_t left = std::max<std::int64_t>((deadline - clock_.now()).ns(), 0);
    timeout = {static_cast<time_t>(left / 1'000'000'000), left % 1'000'000'000};
  }
  const long n = ::syscall(SYS_io_getevents, kernel_, least, most, events_.data(), &timeout);
  return std::max(n, 0L);
}

void LibaioSession::finish(const io_event& event) {
  const std::uint32_t slot = slot_of(event.data);
  const target::Op& op = ops_[slot];
  target::Completion& completion = ready_.push(slot);
  const bool moves = op.kind <= OpKind::write;
  if (moves && event.res == static_cast<std::int64_t>(op.range->length.count())) [[likely]] {
    completion.bytes = op.range->length;
    if (op.kind == OpKind::write) {
      OpenFile& file = files_[op.handle];
      file.size = std::max(file.size, (op.range->offset + op.range->length).count());
    }
  } else if (moves) {
    files_.settle(op, event.res, completion);
  } else if (event.res < 0) {
    note_errno(completion, static_cast<int>(-event.res));
  }
}

std::size_t LibaioSession::reap(std::span<target::Completion> into, Instant deadline) {
  if (!queue_.empty()) hand_over();
  if (into.empty()) return 0;
  if (in_flight_ == 0 && ready_.empty()) {
    if (reap_min_ > 0) clock_.sleep_until(deadline);
    return 0;
  }
  if (in_flight_ > 0 && ready_.size() < into.size()) {
    const std::size_t most = std::min(into.size() - ready_.size(), in_flight_);
    const std::size_t wanted = reap_min_ > ready_.size() ? reap_min_ - ready_.size() : 0;
    const long n =
        wait(static_cast<long>(std::min(wanted, most)), static_cast<long>(most), deadline);
    in_flight_ -= static_cast<std::size_t>(n);
    for (long i = 0; i < n; ++i) finish(events_[i]);
  }
  return ready_.take(into);
}

}  // namespace

Result<std::unique_ptr<target::Session>> open_libaio_session(const Config& config, Ledger& ledger,
                                                             const target::WorkerContext& context) {
  aio_context_t kernel = 0;
  if (::syscall(SYS_io_setup, context.slots, &kernel) != 0) {
    const int why = errno;
    auto failed = fail_errno(why, "cannot set up asynchronous I/O", "libaio");
    failed.error().os_error = why;
    if (why == EAGAIN) failed.error().what += "; raise fs.aio-max-nr, or ask for less depth";
    return failed;
  }
  return std::make_unique<LibaioSession>(config, ledger, context, kernel);
}

}  // namespace loadline::targets::posix
