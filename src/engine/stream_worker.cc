#include "engine/stream_worker.h"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace loadline::engine {
namespace {

using target::Outcome;

constexpr Duration k_look_around = Duration::milliseconds(100);  // at the stop token
constexpr std::size_t k_alignment = 4096;                        // what direct I/O takes anywhere

// Of opening, closing and listing, which end with an error instead of a completion.
Outcome outcome_of(const Error& error) {
  switch (error.os_error) {
    case ENOSPC:
    case EDQUOT: return Outcome::no_space;
    case EEXIST: return Outcome::exists;
    case ETIMEDOUT: return Outcome::timeout;
    default: break;
  }
  switch (error.code) {
    case ErrorCode::bad_input: return Outcome::invalid;
    case ErrorCode::not_found: return Outcome::not_found;
    case ErrorCode::denied: return Outcome::denied;
    case ErrorCode::unavailable: return Outcome::connection;
    case ErrorCode::io: return Outcome::io_error;
    case ErrorCode::unsupported: return Outcome::unsupported;
    case ErrorCode::cancelled: return Outcome::cancelled;
  }
  return Outcome::io_error;
}

std::size_t memory_of(const plan::StreamIo& stream) {
  std::size_t most = 1;
  if (plan::moves_files(stream.action)) most = stream.buffer.count();
  if (stream.action == plan::StreamAction::put) {
    for (const plan::SmallFile& file : stream.puts) most = std::max(most, file.content.size());
  }
  return most;
}

}  // namespace

StreamWorker::StreamWorker(const Options& options)
    : options_(options),
      job_(*options.job),
      stream_(options.job->stream()),
      session_(*options.session),
      clock_(*options.clock) {}

void StreamWorker::prepare() {
  auto memory = BlockMemory::make({}, memory_of(stream_), k_alignment);
  if (!memory) {
    no_memory_ = std::move(memory.error());
    return;
  }
  memory_.emplace(std::move(*memory));
  if (auto used = session_.use_memory(memory_->bytes()); !used) {
    no_memory_ = std::move(used.error());
  }
}

void StreamWorker::run(Instant stage_start) {
  const Duration cpu_before = thread_cpu_time();
  stage_start_ = stage_start;
  recorder_.emplace(record::Recorder::Options{.ops = static_cast<std::uint32_t>(
                                                  plan::moves_files(stream_.action) ? 3 : 1),
                                              .start = stage_start,
                                              .tick = options_.tick,
                                              .window = {.begin = stage_start}},
                    *options_.mailbox);
  if (no_memory_) {
    end({.number = record::k_no_file,
         .outcome = outcome_of(*no_memory_),
         .detail = no_memory_->message()});
    // Without memory no file can be tried either.
    job_.fail();
  } else if (stream_.action == plan::StreamAction::remove) {
    remove_files();
  } else {
    while (const auto number = job_.next_file()) {
      stream_.action == plan::StreamAction::put ? put(*number) : move_file(*number);
    }
  }
  recorder_->finish();
  report_.first_issued = recorder_->first_issued();
  report_.last_done = recorder_->last_done();
  report_.in_flight_at_end = recorder_->crossed_end();
  report_.oldest_in_flight = recorder_->oldest_crossing();
  report_.cpu = thread_cpu_time() - cpu_before;
}

StreamWorker::Call StreamWorker::perform(const target::Op& op) {
  Instant now = clock_.now();
  Call call{.intended = std::exchange(due_, Instant()), .issued = now};
  // Nothing else is under way, so there is room.
  target::Completion completion;
  if (session_.submit(op) == target::Submitted::full) {
    completion.outcome = Outcome::io_error;
    completion.detail = "the storage takes no operation";
    completion.done = clock_.now();
  } else {
    Instant cancel_at = Instant::max();
    bool cancelled = false;
    while (session_.reap({&completion, 1}, now + k_look_around) == 0) {
      now = clock_.now();
      recorder_->roll(now);
      if (cancel_at == Instant::max() && job_.stop().stop_requested()) {
        cancel_at = now + options_.drain_when_stopped;
      }
      if (now >= cancel_at && !cancelled) {
        cancelled = true;
        session_.cancel();
      }
    }
  }
  ++report_.loops;
  call.done = completion.done.stamped() ? completion.done : clock_.now();
  call.outcome = completion.outcome;
  call.status = completion.status;
  call.retries = completion.retries;
  call.first_byte = completion.first_byte;
  call.bytes = completion.bytes.count();
  if (op.range) call.bytes = std::min(call.bytes, op.range->length.count());
  call.detail = completion.detail;
  return call;
}

StreamWorker::Call StreamWorker::open(std::string_view path, const target::OpenMode& mode) {
  Call call{.issued = clock_.now()};
  auto opened = session_.open_object(path, mode);
  call.done = clock_.now();
  if (opened) {
    opened_ = *opened;
  } else {
    call.outcome = outcome_of(opened.error());
    call.status = static_cast<std::uint16_t>(opened.error().os_error);
    call.detail = opened.error().what;
  }
  return call;
}

StreamWorker::Call StreamWorker::close() {
  Call call{.issued = clock_.now()};
  const auto closed = session_.close_object(opened_.handle);
  call.done = clock_.now();
  opened_ = {};
  if (!closed) {
    call.outcome = outcome_of(closed.error());
    call.status = static_cast<std::uint16_t>(closed.error().os_error);
    call.detail = closed.error().what;
  }
  return call;
}

void StreamWorker::count(std::uint32_t op, const Call& call) {
  recorder_->record({.op = op,
                     .outcome = call.outcome,
                     .paced = call.intended.stamped(),
                     .status = call.status,
                     .retries = call.retries,
                     .bytes = Bytes(call.bytes),
                     .intended = call.intended,
                     .issued = call.issued,
                     .first_byte = call.first_byte,
                     .done = call.done,
                     .container = stream_.folder,
                     .object = name_,
                     .detail = call.detail});
}

bool StreamWorker::await_turn(record::StreamFile& file) {
  if (!goes_on(file)) return false;
  if (job_.job().pace.arrival == plan::Arrival::closed) return true;
  Instant now = clock_.now();
  due_ = job_.next_call(now);
  for (; now < due_ && goes_on(file); now = clock_.now()) {
    recorder_->roll(now);
    clock_.sleep_until(std::min(due_, now + k_look_around));
  }
  return goes_on(file);
}

bool StreamWorker::goes_on(record::StreamFile& file) const {
  if (file.outcome != Outcome::ok) return false;
  if (!job_.over()) return true;
  file.outcome = Outcome::cancelled;
  file.detail = job_.reason();
  return false;
}

// The first failure is the one that counts.
void StreamWorker::fail(record::StreamFile& file, const Call& call) {
  if (file.outcome != Outcome::ok || call.outcome == Outcome::ok) return;
  file.outcome = call.outcome;
  file.detail = call.detail;
}

void StreamWorker::end(record::StreamFile file) {
  file.worker = options_.worker;
  const bool failed = file.outcome != Outcome::ok && file.outcome != Outcome::cancelled;
  if (failed && !stream_.keep_going) job_.fail();
  files_.push_back(std::move(file));
}

}  // namespace loadline::engine
