#include "targets/posix/io_uring_session.h"

#if __has_include(<liburing.h>)
#include <fmt/format.h>
#include <liburing.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <vector>

#include "targets/posix/file_set.h"
#include "targets/posix/object_files.h"
#include "targets/posix/outcome.h"
#include "targets/posix/ready_queue.h"
#include "targets/posix/transfers.h"

namespace loadline::targets::posix {
namespace {

using target::OpKind;

constexpr std::uint64_t k_cancel_data = UINT64_MAX;
constexpr std::uint64_t k_alarm_data = UINT64_MAX - 1;
constexpr Duration k_alarm_worth = Duration::milliseconds(10);
constexpr std::uint32_t k_registered_files = 4096;   // where the workload asks for it
constexpr std::uint32_t k_registered_unasked = 256;  // spares the kernel a look-up an operation
constexpr std::uint64_t k_registered_piece = std::uint64_t{1} << 30;  // the kernel's limit
constexpr std::uint64_t k_registered_memory_unasked = std::uint64_t{64} << 20;  // stays in memory
constexpr std::uint32_t k_submission_idle_ms = 1000;
constexpr Duration k_drain = Duration::seconds(10);

class Uring {
 public:
  Uring() = default;
  Uring(const Uring&) = delete;
  Uring& operator=(const Uring&) = delete;
  ~Uring() {
    if (open_) ::io_uring_queue_exit(&ring_);
  }
  // An errno.
  int open(const Config& config, std::uint32_t slots);
  io_uring* get() { return &ring_; }

 private:
  io_uring ring_{};
  bool open_ = false;
};

int Uring::open(const Config& config, std::uint32_t slots) {
  unsigned flags = IORING_SETUP_CLAMP | IORING_SETUP_R_DISABLED;
  if (config.polled) flags |= IORING_SETUP_IOPOLL;
  if (config.submission_thread) flags |= IORING_SETUP_SQPOLL;
  if (config.submission_cpu >= 0) flags |= IORING_SETUP_SQ_AFF;
  // What ends in the kernel's own threads (cached reads) is cheapest taken all at once, what ends
  // in an interrupt of a device along with the next call. Newest first: each kernel refuses flags
  // that it does not know.
  const unsigned here = config.direct ? IORING_SETUP_COOP_TASKRUN : IORING_SETUP_DEFER_TASKRUN;
  const std::array<unsigned, 3> extras{
      IORING_SETUP_SINGLE_ISSUER | (config.submission_thread ? 0U : here),
      config.submission_thread ? 0U : IORING_SETUP_COOP_TASKRUN, 0U};
  int error = 0;
  for (const unsigned extra : extras) {
    io_uring_params params{};
    params.flags = flags | extra;
    params.sq_thread_idle = k_submission_idle_ms;
    if (config.submission_cpu >= 0)
      params.sq_thread_cpu = static_cast<unsigned>(config.submission_cpu);
    // Two entries more than slots, for a cancellation and the alarm.
    error = -::io_uring_queue_init_params(std::bit_ceil(slots + 2), &ring_, &params);
    open_ = error == 0;
    if (error != EINVAL) return error;
  }
  return error;
}

class UringSession final : public target::Session {
 public:
  UringSession(const Config& config, Ledger& ledger, const target::WorkerContext& context)
      : config_(config),
        reap_min_(context.reap_min),
        clock_(*context.clock),
        ops_(context.slots),
        vectors_(config.vectored ? context.slots : 0),
        ready_(context.slots),
        files_(config, ledger, context.job),
        objects_(config, context),
        flags_((config.nowait ? k_rwf_nowait : 0) | (config.uncached ? k_rwf_dontcache : 0)),
        entry_flags_(config.force_async ? IOSQE_ASYNC : 0U) {}

  // The kernel still uses the memory of what is under way: waits for it, but not for ever.
  ~UringSession() override {
    cancel();
    const Instant give_up = clock_.now() + k_drain;
    std::vector<target::Completion> dropped(ops_.size());
    while (in_flight_ > 0 && clock_.now() < give_up) {
      if (reap(dropped, give_up) == 0) continue;
    }
  }

  Result<void> begin(std::uint32_t slots);
  target::Submitted submit(const target::Op& op) override;
  std::size_t reap(std::span<target::Completion> into, Instant deadline) override;

  void cancel() override {
    if (in_flight_ == 0) return;
    io_uring_sqe* entry = ::io_uring_get_sqe(uring_.get());
    if (entry == nullptr) return;
    ::io_uring_prep_cancel64(entry, 0, IORING_ASYNC_CANCEL_ANY | IORING_ASYNC_CANCEL_ALL);
    entry->user_data = k_cancel_data;
    queued_ = true;
  }

  Result<target::OpenedObject> open_object(std::string_view name,
                                           const target::OpenMode& mode) override;
  Result<void> close_object(target::ObjectHandle handle) override;
  Result<std::vector<std::string>> list_names(std::string_view container,
                                              std::string_view prefix) override {
    return objects_.names(container, prefix);
  }
  Result<void> use_memory(std::span<std::byte> memory) override;

 private:
  bool is_registered(target::ObjectHandle handle) const {
    return static_cast<std::uint32_t>(handle) < registered_files_;
  }
  void prepare(const target::Op& op, io_uring_sqe* entry);
  void enable();
  void collect(std::size_t most);
  void finish(std::uint32_t slot, std::int32_t result);
  void wait(unsigned least, Instant deadline);
  void submit_and_wait(unsigned least, Instant deadline);
  bool wakes_by(Instant deadline);
  void note_queued();

  const Config& config_;
  const std::uint32_t reap_min_;
  const Clock& clock_;
  std::vector<target::Op> ops_;  // by slot
  std::vector<iovec> vectors_;   // by slot
  std::size_t in_flight_ = 0;    // accepted, not yet collected
  bool queued_ = false;          // entries that the kernel has not been told of
  bool enabled_ = false;
  bool alarm_set_ = false;
  std::uint32_t registered_files_ = 0;  // handles below it
  std::vector<char> left_to_threads_;   // by handle
  Instant alarm_;
  __kernel_timespec alarm_time_{};
  std::span<std::byte> registered_;
  ReadyQueue ready_;
  FileSet files_;
  ObjectFiles objects_;
  int flags_;
  unsigned entry_flags_;
  Uring uring_;  // last: gone before what its operations use
};

// Whether the kernel has every operation on this file done by threads of its own, since its file
// system cannot tell whether one would wait (tmpfs, many FUSE mounts). To be told so spares it an
// attempt an operation. Asked by a read far behind any file's end, which touches nothing.
bool is_left_to_threads(int fd) {
  std::byte byte{};
  const iovec one{&byte, 1};
  constexpr off_t k_far = INT64_MAX - 4096;
  return ::preadv2(fd, &one, 1, k_far, k_rwf_nowait) < 0 && errno == EOPNOTSUPP;
}

std::unexpected<Error> failed(int error_number, std::string_view doing) {
  auto error = fail_errno(error_number, doing, "io_uring");
  error.error().os_error = error_number;
  if (error_number == EPERM || error_number == ENOSYS) {
    error.error().code = ErrorCode::unsupported;
    error.error().what += "; it is often forbidden in containers: engine libaio would do";
  }
  if (error_number == ENOMEM)
    error.error().what += "; raise the limit of locked memory (ulimit -l)";
  return error;
}

Result<void> UringSession::begin(std::uint32_t slots) {
  if (const int error = uring_.open(config_, slots); error != 0) {
    return failed(error, "cannot set up a ring");
  }
  const bool asked = config_.registered_files;
  const std::uint32_t files = asked ? k_registered_files : k_registered_unasked;
  const int error = -::io_uring_register_files_sparse(uring_.get(), files);
  if (error <= 0) {
    registered_files_ = files;
  } else if (asked) {
    return failed(error, "cannot register files");
  }
  return {};
}

Result<target::OpenedObject> UringSession::open_object(std::string_view name,
                                                       const target::OpenMode& mode) {
  auto opened = files_.open(name, mode);
  if (!opened) return opened;
  const int fd = files_[opened->handle].fd.get();
  const auto index = static_cast<unsigned>(opened->handle);
  if (index >= left_to_threads_.size()) left_to_threads_.resize(index + 1);
  left_to_threads_[index] = !config_.polled && !config_.nowait && is_left_to_threads(fd);
  if (!is_registered(opened->handle)) return opened;
  const int n = ::io_uring_register_files_update(uring_.get(), index, &fd, 1);
  if (n < 0 && !config_.registered_files) {
    registered_files_ = index;
  } else if (n < 0) {
    if (auto closed = files_.close(opened->handle); !closed) return propagate(closed);
    return failed(-n, "cannot register the file");
  }
  return opened;
}

Result<void> UringSession::close_object(target::ObjectHandle handle) {
  if (is_registered(handle)) {
    const int none = -1;
    ::io_uring_register_files_update(uring_.get(), static_cast<unsigned>(handle), &none, 1);
  }
  return files_.close(handle);
}

Result<void> UringSession::use_memory(std::span<std::byte> memory) {
  const bool asked = config_.fixed_buffers;
  if (memory.empty()) return {};
  if (!asked && (config_.vectored || memory.size() > k_registered_memory_unasked)) return {};
  // Beyond one piece a block could lie across two of them.
  if (memory.size() > k_registered_piece) {
    return fail(
        ErrorCode::unsupported,
        fmt::format("the buffers of one job have {} bytes; fixedbufs=1 takes 1 GiB", memory.size()),
        "fixedbufs");
  }
  const iovec piece{memory.data(), memory.size()};
  const int error = -::io_uring_register_buffers(uring_.get(), &piece, 1);
  if (error > 0 && asked) return failed(error, "cannot register the buffers");
  if (error <= 0) registered_ = memory;
  return {};
}

void UringSession::enable() {
  // Debian 12's liburing declares io_uring_enable_rings() and does not export it.
  ::syscall(SYS_io_uring_register, uring_.get()->ring_fd, IORING_REGISTER_ENABLE_RINGS, nullptr, 0);
  // Spares the kernel a look-up a call; where it cannot, the ring goes by its descriptor.
  ::io_uring_register_ring_fd(uring_.get());
  enabled_ = true;
}

// The kernel's threads look up what is registered under the ring's lock, which they then wait for;
// what is theirs goes without, but where registration was asked for.
void UringSession::prepare(const target::Op& op, io_uring_sqe* entry) {
  const bool threads = left_to_threads_[static_cast<std::size_t>(op.handle)] != 0;
  const bool registered = is_registered(op.handle) && (!threads || config_.registered_files);
  const int fd = registered ? static_cast<int>(op.handle) : files_[op.handle].fd.get();
  const bool reads = op.kind == OpKind::read;
  if (op.kind == OpKind::sync || op.kind == OpKind::sync_data) {
    ::io_uring_prep_fsync(entry, fd, op.kind == OpKind::sync ? 0 : IORING_FSYNC_DATASYNC);
  } else {
    const auto length = static_cast<unsigned>(op.range->length.count());
    const std::uint64_t offset = op.range->offset.count();
    std::byte* memory = op.memory.data();
    if (!registered_.empty() && (!threads || config_.fixed_buffers)) {
      ::io_uring_prep_rw(reads ? IORING_OP_READ_FIXED : IORING_OP_WRITE_FIXED, entry, fd, memory,
                         length, offset);
      entry->buf_index = 0;
    } else if (config_.vectored) {
      vectors_[op.slot] = {memory, length};
      ::io_uring_prep_rw(reads ? IORING_OP_READV : IORING_OP_WRITEV, entry, fd, &vectors_[op.slot],
                         1, offset);
    } else {
      ::io_uring_prep_rw(reads ? IORING_OP_READ : IORING_OP_WRITE, entry, fd, memory, length,
                         offset);
    }
    entry->rw_flags = flags_;
  }
  entry->flags =
      static_cast<std::uint8_t>(entry_flags_ | (threads ? static_cast<unsigned>(IOSQE_ASYNC) : 0U) |
                                (registered ? static_cast<unsigned>(IOSQE_FIXED_FILE) : 0U));
  entry->user_data = op.slot;
}

target::Submitted UringSession::submit(const target::Op& op) {
  if (in_flight_ + ready_.size() == ops_.size()) return target::Submitted::full;
  const bool asynchronous =
      op.handle != target::k_no_object &&
      (op.kind <= OpKind::write || op.kind == OpKind::sync || op.kind == OpKind::sync_data);
  // A polled ring takes nothing but reads and writes.
  if (!asynchronous || (config_.polled && op.kind > OpKind::write)) {
    target::Completion& completion = ready_.push(op.slot);
    if (op.handle == target::k_no_object && !op.container.empty()) {
      objects_.perform(op, completion);
    } else {
      files_.perform(op, completion);
    }
    return target::Submitted::accepted;
  }
  if (!enabled_) [[unlikely]]
    enable();
  io_uring_sqe* entry = ::io_uring_get_sqe(uring_.get());
  if (entry == nullptr) return target::Submitted::full;
  prepare(op, entry);
  ops_[op.slot] = op;
  ++in_flight_;
  queued_ = true;
  return target::Submitted::accepted;
}

void UringSession::finish(std::uint32_t slot, std::int32_t result) {
  const target::Op& op = ops_[slot];
  target::Completion& completion = ready_.push(slot);
  const bool moves = op.kind <= OpKind::write;
  if (moves && result == static_cast<std::int64_t>(op.range->length.count())) [[likely]] {
    completion.bytes = op.range->length;
    if (op.kind == OpKind::write) {
      OpenFile& file = files_[op.handle];
      file.size = std::max(file.size, (op.range->offset + op.range->length).count());
    }
  } else if (moves) {
    files_.settle(op, result, completion);
  } else if (result < 0) {
    note_errno(completion, -result);
  }
}

void UringSession::collect(std::size_t most) {
  io_uring_cqe* entry = nullptr;
  unsigned head = 0;
  unsigned seen = 0;
  io_uring_for_each_cqe(uring_.get(), head, entry) {
    if (ready_.size() == most) break;
    ++seen;
    if (entry->user_data == k_cancel_data) continue;
    if (entry->user_data == k_alarm_data) {
      alarm_set_ = false;
      continue;
    }
    --in_flight_;
    finish(static_cast<std::uint32_t>(entry->user_data), entry->res);
  }
  ::io_uring_cq_advance(uring_.get(), seen);
}

// One system call that submits and waits.
void UringSession::wait(unsigned least, Instant deadline) {
  if (least == 0) {
    // Asks for completions too: a ring with deferred work shows none by itself.
    ::io_uring_submit_and_get_events(uring_.get());
  } else {
    submit_and_wait(least, deadline);
  }
  note_queued();
}

// A wait with a time limit makes the kernel set up a timer each time. One that is far away is an
// operation of the ring instead, which is set up once and ends many waits' need of their own.
bool UringSession::wakes_by(Instant deadline) {
  if (alarm_set_) return alarm_ <= deadline;
  if (config_.polled || config_.submission_thread) return false;
  if (deadline - clock_.now() < k_alarm_worth) return false;
  io_uring_sqe* entry = ::io_uring_get_sqe(uring_.get());
  if (entry == nullptr) return false;
  alarm_ = deadline;
  alarm_time_ = {.tv_sec = deadline.ns() / 1'000'000'000, .tv_nsec = deadline.ns() % 1'000'000'000};
  ::io_uring_prep_timeout(entry, &alarm_time_, 0, IORING_TIMEOUT_ABS);
  entry->user_data = k_alarm_data;
  alarm_set_ = true;
  return true;
}

void UringSession::submit_and_wait(unsigned least, Instant deadline) {
  if (wakes_by(deadline)) {
    ::io_uring_submit_and_wait(uring_.get(), least);
    return;
  }
  const std::int64_t left = std::max<std::int64_t>((deadline - clock_.now()).ns(), 0);
  __kernel_timespec timeout{.tv_sec = left / 1'000'000'000, .tv_nsec = left % 1'000'000'000};
  io_uring_cqe* first = nullptr;
  ::io_uring_submit_and_wait_timeout(uring_.get(), &first, least, &timeout, nullptr);
}

// A kernel thread takes entries in its own time; else what is left was refused for now.
void UringSession::note_queued() {
  queued_ = !config_.submission_thread && ::io_uring_sq_ready(uring_.get()) > 0;
}

std::size_t UringSession::reap(std::span<target::Completion> into, Instant deadline) {
  if (into.empty()) {
    if (!queued_) return 0;
    ::io_uring_submit(uring_.get());
    note_queued();
    return 0;
  }
  if (in_flight_ == 0 && ready_.empty() && !queued_) {
    if (reap_min_ > 0) clock_.sleep_until(deadline);
    return 0;
  }
  const std::size_t ready = ready_.size();
  std::size_t wanted = reap_min_ > ready ? reap_min_ - ready : 0;
  wanted = std::min({wanted, in_flight_, into.size() - std::min(ready, into.size())});
  if (queued_ || ::io_uring_cq_ready(uring_.get()) < wanted || wanted == 0) {
    wait(static_cast<unsigned>(wanted), deadline);
  }
  collect(into.size());
  return ready_.take(into);
}

}  // namespace

Result<std::unique_ptr<target::Session>> open_io_uring_session(
    const Config& config, Ledger& ledger, const target::WorkerContext& context) {
  auto session = std::make_unique<UringSession>(config, ledger, context);
  if (auto begun = session->begin(context.slots); !begun) return propagate(begun);
  return session;
}

std::string io_uring_version() { return "liburing 2.3"; }

}  // namespace loadline::targets::posix

#else

namespace loadline::targets::posix {

Result<std::unique_ptr<target::Session>> open_io_uring_session(const Config&, Ledger&,
                                                               const target::WorkerContext&) {
  return fail(ErrorCode::unsupported, "this build is without liburing; engine libaio would do",
              "io_uring");
}

std::string io_uring_version() { return ""; }

}  // namespace loadline::targets::posix

#endif
