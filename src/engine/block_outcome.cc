// What becomes of an operation that has ended.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/unique_fd.h"
#include "engine/block_worker.h"

namespace loadline::engine {
namespace {

using record::BlockStop;
using target::Outcome;

constexpr std::size_t k_errors_kept = 64;  // different values of errno
constexpr std::size_t k_mismatches_kept = 64;

const char* const k_names[BlockWorker::k_operations] = {"read", "write", "trim", "sync"};

int errno_of(const target::Completion& completion) {
  if (completion.status != 0) return completion.status;
  switch (completion.outcome) {
    case Outcome::not_found: return ENOENT;
    case Outcome::denied: return EACCES;
    case Outcome::exists: return EEXIST;
    case Outcome::no_space: return ENOSPC;
    case Outcome::timeout: return ETIMEDOUT;
    case Outcome::corrupt: return EILSEQ;
    case Outcome::unsupported: return EOPNOTSUPP;
    case Outcome::invalid: return EINVAL;
    default: return EIO;
  }
}

bool holds(const std::vector<int>& list, int error) {
  return std::ranges::find(list, error) != list.end();
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

void BlockWorker::complete(const target::Completion& completion, Instant now) {
  Slot& slot = slots_[completion.slot];
  const Instant done = completion.done.stamped() ? completion.done : now;
  if (completion.outcome == Outcome::ok && slot.kind < 2 &&
      block_.action == plan::FileAction::data &&
      slot.moved + completion.bytes.count() < slot.place.length) {
    if (continue_short(slot, completion)) return;
    --in_flight_;
    fail_operation(slot, Outcome::short_transfer, EIO, "the file ends here: nothing was moved",
                   done);
  } else {
    --in_flight_;
    if (completion.outcome == Outcome::ok) {
      const bool reads = slot.kind == 0 && block_.action == plan::FileAction::data;
      if (verifier_ && reads) {
        verify(slot, done);
      } else {
        count(slot, done);
      }
      if (any_latency_max_ && slot.kind < plan::k_directions) {
        const Duration limit = block_.latency_max[slot.kind];
        if (limit > Duration() && done - slot.issued > limit && !fatal_) {
          fail_job(ETIMEDOUT, k_names[slot.kind], block_.files[slot.place.file].path,
                   "latency of " + std::to_string((done - slot.issued).ns()) +
                       " nsec exceeds specified max (" + std::to_string(limit.ns()) + " nsec)",
                   Bytes(slot.place.offset), Bytes(slot.place.length));
        }
      }
    } else {
      fail_operation(slot, completion.outcome, errno_of(completion), completion.detail, done);
    }
  }
  slot.busy = false;
  free_.push_back(completion.slot);
  if (verifier_ && block_.verify.backlog > 0 && slot.kind == 1 &&
      completion.outcome == Outcome::ok && block_.verify.read_back) {
    backlog_.push_back({slot.place, slot.sequence});
    if (phase_ == Phase::work && backlog_batch_left_ == 0 &&
        backlog_.size() - backlog_at_ >= block_.verify.backlog) {
      const std::uint64_t batch = block_.verify.backlog_batch;
      backlog_batch_left_ = batch > 0 ? batch : backlog_.size() - backlog_at_;
    }
  }
  if (!block_.think.counted_on_issue) think(now);
}

// The rest of it, as part of the same operation. False where nothing came.
bool BlockWorker::continue_short(Slot& slot, const target::Completion& completion) {
  const std::uint64_t got = completion.bytes.count();
  if (got == 0) return false;
  ++report_.counters.directions[slot.kind].short_transfers;
  slot.moved += got;
  const std::uint64_t left = slot.place.length - slot.moved;
  slot.op.range =
      target::ByteRange{.offset = Bytes(slot.place.offset + slot.moved), .length = Bytes(left)};
  slot.op.memory = buffers_->of(slot.op.slot, slot.place.length).subspan(slot.moved);
  // There is room: its place has just become free.
  return session_->submit(slot.op) == target::Submitted::accepted;
}

void BlockWorker::count(Slot& slot, Instant done) {
  record::OpStats& stats = recorder_->at(slot.kind, done);
  if (!inside(slot, done)) [[unlikely]] {
    ++stats.outside;
    if (slot.issued >= begin_ && slot.issued < end_) ++report_.in_flight_at_end;
    return;
  }
  const Duration service = done - slot.issued;
  ++stats.outcomes[0];
  stats.bytes += Bytes(slot.place.length);
  stats.service.add(service);
  if (split_) {
    stats.submission.add(slot.accepted - slot.issued);
    stats.completion.add(done - slot.accepted);
  }
  if (slot.paced) stats.response.add(done - slot.intended);
  if (!first_issue_[slot.kind].stamped()) [[unlikely]]
    first_issue_[slot.kind] = slot.issued;
  last_end_[slot.kind] = done;
  if (next_rate_ == Instant::max() && next_goal_ == Instant::max()) return;
  if (slot.kind >= plan::k_directions) return;
  ++goal_operations_;
  goal_bytes_ += slot.place.length;
  goal_latency_ns_ += static_cast<std::uint64_t>(std::max<std::int64_t>(service.ns(), 0));
  ++rate_operations_[slot.kind];
  rate_bytes_[slot.kind] += slot.place.length;
  if (search_) search_->count(service);
}

bool BlockWorker::tolerated(const Slot& slot, Outcome outcome, int error) const {
  const plan::Tolerance& rule = block_.tolerance;
  if (outcome == Outcome::corrupt) return rule.verify || holds(rule.ignored_verify, error);
  if (slot.kind == 0) return rule.io[0] || holds(rule.ignored_read, error);
  // A sync belongs to the writes.
  return rule.io[slot.kind == 2 ? 2 : 1] || holds(rule.ignored_write, error);
}

void BlockWorker::fail_operation(Slot& slot, Outcome outcome, int error, std::string_view detail,
                                 Instant done) {
  const std::string& path = block_.files[slot.place.file].path;
  const bool full = block_.fill_device && error == ENOSPC;
  if (full || (outcome == Outcome::cancelled && cancelled_)) {
    if (full && !ending_) {
      ending_ = true;
      report_.counters.stop = BlockStop::space;
    }
    if (verifier_ && slot.kind == 1) verifier_->forget(slot.place);
    recorder_->at(slot.kind, done).outside += 1;
    return;
  }
  record::OpStats& stats = recorder_->at(slot.kind, done);
  if (inside(slot, done)) {
    ++stats.outcomes[static_cast<std::size_t>(outcome)];
    stats.failed.add(done - slot.issued);
    stats.count_failure(outcome, static_cast<std::uint16_t>(error), {}, path, detail);
    if (!first_issue_[slot.kind].stamped()) first_issue_[slot.kind] = slot.issued;
    last_end_[slot.kind] = done;
  } else {
    ++stats.outside;
  }
  count_error(error);
  if (outcome == Outcome::corrupt) {
    // Counted where the blocks are compared.
  } else if (slot.kind == k_sync) {
    ++report_.counters.sync_errors;
  } else {
    ++report_.counters.directions[slot.kind].errors;
  }
  if (verifier_ && slot.kind == 1) verifier_->forget(slot.place);
  if (tolerated(slot, outcome, error)) return;
  const bool goes_on = outcome == Outcome::corrupt && !block_.verify.fatal;
  const std::string text(detail.empty() ? errno_text(error) : std::string(detail));
  const char* name = outcome == Outcome::corrupt ? "verify" : k_names[slot.kind];
  if (goes_on) {
    // The rest is compared too; the job has failed all the same.
    if (report_.counters.failure.error == 0) {
      report_.counters.failure = {.error = error,
                                  .operation = name,
                                  .file = path,
                                  .offset = Bytes(slot.place.offset),
                                  .length = Bytes(slot.place.length),
                                  .text = text};
    }
    return;
  }
  fail_job(error, name, path, text, Bytes(slot.place.offset), Bytes(slot.place.length));
}

void BlockWorker::verify(Slot& slot, Instant done) {
  std::optional<BlockVerifier::Mismatch> mismatch;
  const std::span<const std::byte> block = buffers_->of(slot.op.slot, slot.place.length);
  const bool unknown_too = !block_.uses[1] && !block_.verify.only;
  const BlockVerifier::Count counted = verifier_->check(block, slot.place, unknown_too, mismatch);
  stale_now_ = true;
  report_.counters.verified += counted.checked;
  report_.counters.verify_errors += counted.wrong;
  if (!mismatch) {
    count(slot, done);
    return;
  }
  if (block_.verify.dump) dump(*mismatch, block, slot.place);
  if (report_.counters.mismatches.size() < k_mismatches_kept) {
    report_.counters.mismatches.push_back({.error = EILSEQ,
                                           .operation = "verify",
                                           .file = block_.files[mismatch->file].path,
                                           .offset = Bytes(mismatch->offset),
                                           .length = Bytes(mismatch->length),
                                           .text = mismatch->text});
  }
  const BlockPlace whole = slot.place;
  slot.place = {.file = mismatch->file, .offset = mismatch->offset, .length = mismatch->length};
  fail_operation(slot, Outcome::corrupt, EILSEQ, mismatch->text, done);
  slot.place = whole;
}

void BlockWorker::dump(const BlockVerifier::Mismatch& mismatch, std::span<const std::byte> found,
                       const BlockPlace& place) {
  const std::string& path = block_.files[mismatch.file].path;
  const std::string stem = path.substr(path.rfind('/') + 1) + "." + std::to_string(mismatch.offset);
  write_file(stem + ".received", found.subspan(mismatch.offset - place.offset, mismatch.length));
  write_file(stem + ".expected", verifier_->expected(mismatch));
}

void BlockWorker::count_error(int error) {
  auto& errors = report_.counters.errors;
  const auto known = std::ranges::find(errors, error, &std::pair<int, std::uint64_t>::first);
  if (known != errors.end()) {
    ++known->second;
  } else if (errors.size() < k_errors_kept) {
    errors.emplace_back(error, 1);
  }
}

void BlockWorker::fail_job(int error, std::string operation, std::string file, std::string text,
                           Bytes offset, Bytes length) {
  ending_ = fatal_ = true;
  report_.counters.stop = BlockStop::error;
  if (report_.counters.failure.error != 0) return;
  report_.counters.failure = {.error = error,
                              .operation = std::move(operation),
                              .file = std::move(file),
                              .offset = offset,
                              .length = length,
                              .text = std::move(text)};
}

}  // namespace loadline::engine
