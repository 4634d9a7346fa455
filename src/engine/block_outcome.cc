// What becomes of an operation that has ended.
#include <algorithm>
#include <cerrno>
#include <utility>

#include "engine/block_worker.h"

namespace loadline::engine {
namespace {

using record::BlockStop;
using target::Outcome;

constexpr std::size_t k_errors_kept = 64;  // different values of errno

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

}  // namespace

bool BlockWorker::inside(const Slot& slot, Instant done) const {
  return slot.paced ? slot.intended >= begin_ && slot.intended < end_
                    : slot.issued >= begin_ && done <= end_;
}

void BlockWorker::complete(const target::Completion& completion, Instant now) {
  Slot& slot = slots_[completion.slot];
  const Instant done = completion.done.stamped() ? completion.done : now;
  if (completion.outcome == Outcome::ok && slot.kind < 2 &&
      block_.action == plan::FileAction::data &&
      slot.moved + completion.bytes.count() < slot.place.length) {
    if (continue_short(slot, completion)) return;
    --in_flight_;
    if (trace_) trace_end(slot, done, EIO);
    fail_operation(slot, Outcome::short_transfer, EIO, "the file ends here: nothing was moved",
                   done);
  } else {
    --in_flight_;
    const bool fine = completion.outcome == Outcome::ok;
    if (trace_) trace_end(slot, done, fine ? 0 : errno_of(completion));
    if (fine) {
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
  if (completion.outcome == Outcome::ok && slot.kind == 1) note_completed_write(slot);
  if (completion.outcome == Outcome::ok && slot.kind == 2 && verifier_) {
    if (block_.trims.expect_zero) {
      verifier_->note_trimmed(slot.place);
    } else {
      verifier_->forget(slot.place);
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
  if (!unsynced_.empty()) [[unlikely]]
    note_sync(slot);
  if (next_rate_ == Instant::max() && next_goal_ == Instant::max()) return;
  if (slot.kind >= plan::k_directions) return;
  ++goal_operations_;
  goal_bytes_ += slot.place.length;
  goal_latency_ns_ += static_cast<std::uint64_t>(std::max<std::int64_t>(service.ns(), 0));
  ++rate_operations_[slot.kind];
  rate_bytes_[slot.kind] += slot.place.length;
  if (search_) search_->count(service);
}

void BlockWorker::note_sync(const Slot& slot) {
  if (slot.kind == 1) unsynced_[slot.place.file] += slot.place.length;
  const target::OpKind kind = slot.op.kind;
  if (kind == target::OpKind::sync || kind == target::OpKind::sync_data) {
    unsynced_[slot.place.file] = 0;
  }
}

bool BlockWorker::tolerated(const Slot& slot, Outcome outcome, int error) const {
  const plan::Tolerance& rule = block_.tolerance;
  // A full storage stays full: to go on there only an explicit rule will do.
  const bool soft = outcome != Outcome::no_space;
  if (outcome == Outcome::corrupt) return rule.verify || holds(rule.ignored_verify, error);
  if (slot.kind == 0) return (soft && rule.io[0]) || holds(rule.ignored_read, error);
  // A sync belongs to the writes.
  return (soft && rule.io[slot.kind == 2 ? 2 : 1]) || holds(rule.ignored_write, error);
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
    if (verifier_ && (slot.kind == 1 || slot.kind == 2)) verifier_->forget(slot.place);
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
  if (verifier_ && (slot.kind == 1 || slot.kind == 2)) verifier_->forget(slot.place);
  const std::string text(detail.empty() ? errno_text(error) : std::string(detail));
  const char* name = outcome == Outcome::corrupt ? "verify" : k_names[slot.kind];
  const record::BlockFailure failure{.error = error,
                                     .operation = name,
                                     .file = path,
                                     .offset = Bytes(slot.place.offset),
                                     .length = Bytes(slot.place.length),
                                     .text = text};
  if (tolerated(slot, outcome, error)) {
    const bool to_name = block_.tolerance.listed && outcome != Outcome::corrupt;
    auto& named = report_.counters.mismatches;
    if (to_name && named.size() < record::k_mismatches_kept) named.push_back(failure);
    return;
  }
  const bool goes_on = outcome == Outcome::corrupt && !block_.verify.fatal;
  if (goes_on) {
    // The rest is compared too; the job has failed all the same.
    if (report_.counters.failure.error == 0) report_.counters.failure = failure;
    return;
  }
  fail_job(error, name, path, text, Bytes(slot.place.offset), Bytes(slot.place.length));
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
