#include "engine/worker.h"

#include <algorithm>

#include "base/check.h"
#include "engine/op_kind.h"

namespace loadline::engine {
namespace {

using target::OpKind;
using target::Outcome;

constexpr Duration k_look_around = Duration::milliseconds(250);  // at the stop token and the time
constexpr Duration k_late = Duration::milliseconds(1);
constexpr std::string_view k_corrupt = "its MD5 is not the one that its last bytes say";
constexpr Duration k_dead = Duration::seconds(120);  // without an answer, for a job without end
constexpr std::uint64_t k_failures_least = 3;        // in a row, before a job is given up
constexpr std::size_t k_completions_at_once = 256;

record::Window window_of(const plan::StopRule& stop, Instant start) {
  if (stop.runtime == Duration()) return {.begin = start, .end = Instant::max()};
  const Instant begin = start + stop.ramp_up;
  return {.begin = begin, .end = begin + stop.runtime};
}

std::string text_of(const target::Completion& completion) {
  std::string text(to_string(completion.outcome));
  if (!completion.detail.empty()) text.append(": ").append(completion.detail);
  return text;
}

}  // namespace

Worker::Worker(JobState& job, target::Session& session, record::Mailbox& mailbox,
               const Clock& clock, Options options)
    : job_(job),
      session_(session),
      clock_(clock),
      options_(std::move(options)),
      recorder_({.ops = static_cast<std::uint32_t>(job.job().ops.size()),
                 .start = options_.start,
                 .tick = options_.tick,
                 .window = window_of(job.job().stop, options_.start)},
                mailbox),
      completions_(std::min<std::size_t>(options_.slots, k_completions_at_once)),
      issue_end_(issue_end_of(job.job().stop, options_.start)) {
  make_slots();
  const plan::Pace& pace = job.job().pace;
  if (pace.arrival != plan::Arrival::closed) {
    const double share = static_cast<double>(options_.slots) / job.job().workers;
    const double phase = static_cast<double>(options_.first_worker) / job.job().workers;
    pacer_.emplace(pace.arrival, Rate::per_second(pace.rate.per_second() * share), options_.start,
                   phase, Rng::split(job.seed(), 1'000'000'007ULL + options_.first_worker));
  }
}

Instant Worker::issue_end_of(const plan::StopRule& stop, Instant start) {
  if (stop.runtime == Duration()) return Instant::max();
  return start + stop.ramp_up + stop.runtime + stop.ramp_down;
}

void Worker::make_slots() {
  const plan::Job& job = job_.job();
  slots_.reserve(options_.slots);
  for (std::uint32_t i = 0; i < options_.slots; ++i) {
    const std::uint32_t worker = options_.first_worker + i;
    Slot& slot = slots_.emplace_back(Rng::split(job_.seed(), worker));
    slot.worker = worker;
    slot.op.slot = i;
    slot.quota = job_.share_of(job.stop.total_operations.count(), worker);
    slot.quota_bytes = job_.share_of(job.stop.total_bytes.count(), worker);
    const bool nothing_to_do = !job_.has_work(worker) ||
                               (job.stop.total_operations.count() > 0 && slot.quota == 0) ||
                               (job.stop.total_bytes.count() > 0 && slot.quota_bytes == 0);
    if (nothing_to_do) {
      slot.finished = true;
      continue;
    }
    ++unfinished_;
    idle_.push_back(i);
  }
  // Taken from the back: the first worker begins first.
  std::ranges::reverse(idle_);
  own_cursors_.resize(static_cast<std::size_t>(options_.slots) * job.ops.size());
}

void Worker::run() {
  const Duration cpu_before = thread_cpu_time();
  Instant now = clock_.now();
  update_phase(now);
  while (true) {
    issue_due(now);
    if (last_issued_ > now) report_.lag_max = std::max(report_.lag_max, last_issued_ - now);
    if (finished()) break;
    ++report_.loops;
    std::size_t n = 0;
    const Instant look = next_look(now);
    if (in_flight_ > 0) {
      n = session_.reap(completions_, look);
    } else {
      clock_.sleep_until(look);
    }
    now = clock_.now();
    update_phase(now);
    for (std::size_t i = 0; i < n; ++i) complete(completions_[i], now);
    recorder_.roll(now);
  }
  count_never_issued();
  recorder_.finish();
  report_.cpu = thread_cpu_time() - cpu_before;
}

// Closes the job when its time is up, it was stopped or it gave up; ends what drags on after that.
void Worker::update_phase(Instant now) {
  if (issue_end_ == Instant::max()) give_up_on_dead_storage(now);
  if (!closing_) {
    const bool stopped = options_.stop.stop_requested() || job_.given_up();
    // What is due and has a worker waiting for it is still issued.
    const bool backlog = pacer_ && !idle_.empty() && pacer_->next() < issue_end_;
    const bool time_up = now >= issue_end_;
    if (stopped || (time_up && !backlog)) {
      closing_ = true;
      drain_end_ = now + (stopped ? options_.drain_when_stopped : options_.drain);
    } else if (time_up && drain_end_ == Instant::max()) {
      drain_end_ = now + options_.drain;
    }
  } else if (options_.stop.stop_requested()) {
    drain_end_ = std::min(drain_end_, now + options_.drain_when_stopped);
  }
  if (now >= drain_end_) closing_ = true;
  if (now >= drain_end_ && !cancelled_ && in_flight_ > 0) {
    cancelled_ = true;
    session_.cancel();
  }
}

// A job that no time ends would go through all its work, a time-out after the other.
void Worker::give_up_on_dead_storage(Instant now) {
  job_.note_answer(last_answer_);
  const std::uint64_t failures = std::max<std::uint64_t>(k_failures_least, 2 * slots_.size());
  if (unanswered_ < failures || closing_ || job_.given_up()) return;
  const Duration silence = now - std::max({job_.last_answer(), last_answer_, options_.start});
  if (silence < k_dead) return;
  job_.give_up("nothing has answered for " + std::to_string(silence.ns() / 1'000'000'000) +
               " s: the storage seems to be gone");
}

bool Worker::finished() const {
  return in_flight_ == 0 && refused_.empty() && (closing_ || unfinished_ == 0);
}

Instant Worker::next_look(Instant now) const {
  Instant look = now + k_look_around;
  if (issue_end_ > now) look = std::min(look, issue_end_);
  if (cancelled_) return look;
  if (drain_end_ > now) look = std::min(look, drain_end_);
  // What is due has been issued, so with an idle slot the next one lies ahead.
  if (pacer_ && !closing_ && !idle_.empty() && pacer_->next() < issue_end_) {
    look = std::min(look, pacer_->next());
  }
  return look;
}

void Worker::issue_due(Instant now) {
  if (!refused_.empty()) retry_refused();
  if (closing_ || idle_.empty()) return;
  if (pacer_) {
    issue_paced(now);
    return;
  }
  while (!idle_.empty()) {
    Slot& slot = slots_[idle_.back()];
    idle_.pop_back();
    begin_operation(slot);
  }
}

void Worker::issue_paced(Instant now) {
  while (!idle_.empty()) {
    const Instant due = pacer_->next();
    if (due > now || due >= issue_end_) return;
    // The slot at the front has been idle for longest. Late although it was free in time is the
    // client's own fault; a wait for a slot is the storage's.
    const Instant free_since = slots_[idle_.front()].free_since;
    if (now - std::max(due, free_since) > k_late) ++report_.late_issues;
    Slot& slot = slots_[idle_.back()];
    idle_.pop_back();
    slot.intended = due;
    if (begin_operation(slot)) pacer_->advance();
  }
}

// False where the slot turned out to have nothing to do and was retired.
bool Worker::begin_operation(Slot& slot) {
  slot.spec = job_.mix().pick(slot.rng);
  const plan::OpSpec& spec = job_.picker(slot.spec).spec();
  if (plan::is_walk(spec.action)) {
    slot.walk = Walk(spec, slot.worker, job_.job().workers);
    slot.walking = true;
    slot.stepped = false;
    slot.counted_before_walk = slot.counted;
    return continue_walk(slot, false);
  }
  aim(slot, spec);
  return !slot.finished;
}

// Takes the next step of a walk; at its end the slot is free again or done for good.
bool Worker::continue_walk(Slot& slot, bool container_missing) {
  std::optional<WalkStep> step = slot.walk.next(container_missing);
  while (step && step->kind == OpKind::remove_container &&
         !job_.last_to_leave(slot.spec, step->container)) {
    step = slot.walk.next(false);
  }
  if (!step) {
    return end_walk(slot);
  }
  slot.step = *step;
  slot.stepped = true;
  aim_step(slot, job_.picker(slot.spec).spec());
  return true;
}

bool Worker::end_walk(Slot& slot) {
  slot.walking = false;
  // A pass that gave no sample (containers alone) still counts as one operation of the quota; one
  // over an empty slice would come round for ever.
  if (slot.counted == slot.counted_before_walk) ++slot.counted;
  if (job_.job().stop.one_pass || !slot.stepped || quota_met(slot)) {
    retire(slot);
    return false;
  }
  idle_.push_back(slot.op.slot);
  return true;
}

bool Worker::quota_met(const Slot& slot) {
  return (slot.quota > 0 && slot.counted >= slot.quota) ||
         (slot.quota_bytes > 0 && slot.counted_bytes >= slot.quota_bytes);
}

void Worker::aim(Slot& slot, const plan::OpSpec& spec) {
  const std::size_t cursor = slot.op.slot * job_.job().ops.size() + slot.spec;
  const OpPicker::Choice choice =
      job_.picker(slot.spec).pick(slot.worker, own_cursors_[cursor], slot.rng);
  target::Op& op = slot.op;
  op.kind = kind_of(spec.action);
  op.sink = nullptr;
  op.range.reset();
  if (spec.container.index) {
    slot.container.set(spec.container, choice.container);
  } else {
    slot.container.assign("");
  }
  if (spec.object.index) {
    slot.object.set(spec.object, choice.object);
  } else {
    slot.object.set_prefix_only(spec.object);
  }
  if (sends_file(spec.action)) {
    if (!aim_file(slot, spec, choice.file)) return;
  } else if (plan::is_write(spec.action)) {
    aim_payload(slot, spec, choice.size);
  } else if (spec.action == plan::Action::rename) {
    NameBuffer& name = extras(slot).new_name;
    name.set(spec.new_name, choice.object);
    op.new_object = name.view();
  } else if (spec.action == plan::Action::truncate) {
    op.range = {.offset = choice.size, .length = Bytes()};
  } else if (spec.action == plan::Action::read) {
    if (spec.random_range) {
      const std::uint64_t room =
          spec.random_range->object_size.count() - spec.random_range->chunk.count();
      op.range = {.offset = Bytes(slot.rng.below(room + 1)), .length = spec.random_range->chunk};
    } else if (spec.hash_trailer) {
      op.sink = &extras(slot).sink;
      op.sink->restart();
    }
  }
  op.part_size = spec.part_size;
  op.restore_days = spec.restore_days;
  op.container = slot.container.view();
  op.object = slot.object.view();
  submit(slot);
}

void Worker::aim_step(Slot& slot, const plan::OpSpec& spec) {
  target::Op& op = slot.op;
  op.kind = slot.step.kind;
  op.sink = nullptr;
  slot.container.set(spec.container, slot.step.container);
  if (slot.step.on_container()) {
    slot.object.assign("");
  } else {
    slot.object.set(spec.object, slot.step.object);
  }
  if (op.kind == OpKind::remove_many) aim_batch(slot, spec);
  if (op.kind == OpKind::write || op.kind == OpKind::multipart_write) {
    aim_payload(slot, spec, job_.picker(slot.spec).pick_size(slot.rng));
  }
  op.part_size = spec.part_size;
  op.container = slot.container.view();
  op.object = slot.object.view();
  submit(slot);
}

void Worker::aim_payload(Slot& slot, const plan::OpSpec& spec, Bytes size) {
  slot.op.payload = job_.content().payload(spec.content, size, slot.rng);
  if (!spec.hash_trailer || size.count() <= k_hash_trailer) return;
  // The trailer replaces the last 40 bytes; its hash is made here, outside the latency window.
  Extras& extra = extras(slot);
  Rng again = slot.rng;
  const Bytes body = size - Bytes(k_hash_trailer);
  const target::Payload hashed = job_.content().payload(spec.content, body, slot.rng);
  extra.trailer = hash_trailer_of(extra.md5, hashed);
  slot.op.payload = job_.content().payload(spec.content, size, again, extra.trailer);
}

// False where the file cannot be read any more: the job gives up.
bool Worker::aim_file(Slot& slot, const plan::OpSpec& spec, std::size_t file) {
  const SourceFile& source = job_.file(slot.spec, file);
  auto mapped = MappedFile::open(source.path);
  if (!mapped) {
    job_.give_up(mapped.error().message());
    retire(slot);
    return false;
  }
  Extras& extra = extras(slot);
  extra.file = std::move(*mapped);
  slot.object.assign(source.name);
  const std::span<const std::byte> bytes = extra.file.bytes();
  slot.op.payload = target::Payload(Bytes(bytes.size()), bytes, 0);
  if (spec.hash_trailer && bytes.size() > k_hash_trailer) {
    extra.trailer = hash_trailer_of(extra.md5, slot.op.payload);
    slot.op.payload =
        target::Payload(Bytes(bytes.size() + k_hash_trailer), bytes, 0, extra.trailer);
  }
  return true;
}

void Worker::aim_batch(Slot& slot, const plan::OpSpec& spec) {
  Extras& extra = extras(slot);
  extra.batch.resize(slot.step.objects);
  extra.batch_names.clear();
  for (std::uint32_t i = 0; i < slot.step.objects; ++i) {
    extra.batch[i].set(spec.object, slot.step.object + i);
    extra.batch_names.push_back(extra.batch[i].view());
  }
  slot.op.objects = extra.batch_names;
}

Worker::Extras& Worker::extras(Slot& slot) {
  if (!slot.extras) slot.extras = std::make_unique<Extras>();
  return *slot.extras;
}

void Worker::submit(Slot& slot) {
  slot.issued = last_issued_ = clock_.now();
  if (session_.submit(slot.op) == target::Submitted::accepted) [[likely]] {
    ++in_flight_;
  } else {
    refused_.push_back(slot.op.slot);
  }
}

void Worker::retry_refused() {
  std::vector<std::uint32_t> again;
  again.swap(refused_);
  for (const std::uint32_t index : again) submit(slots_[index]);
}

void Worker::complete(const target::Completion& completion, Instant reaped) {
  Slot& slot = slots_[completion.slot];
  CHECK(in_flight_ > 0);
  --in_flight_;
  if (slot.walking && slot.step.on_container()) {
    complete_container_step(slot, completion);
    return;
  }
  slot.free_since = completion.done.stamped() ? completion.done : reaped;
  record(slot, completion, slot.free_since);
  after(slot, false);
}

void Worker::complete_container_step(Slot& slot, const target::Completion& completion) {
  const Outcome outcome = completion.outcome;
  const bool missing = slot.step.kind == OpKind::head_container && outcome == Outcome::not_found;
  const bool fine = outcome == Outcome::ok || missing ||
                    (slot.step.kind == OpKind::create_container && outcome == Outcome::exists) ||
                    (slot.step.kind == OpKind::remove_container && outcome == Outcome::not_found);
  if (fine) {
    if (slot.step.kind != OpKind::head_container) recorder_.count_container_op(slot.spec);
  } else if (outcome != Outcome::cancelled) {
    recorder_.count_container_failure(slot.spec, outcome, completion.status, slot.op.container,
                                      completion.detail);
    // A container that cannot be removed is only reported; one that cannot be made ends the stage.
    if (slot.step.kind != OpKind::remove_container) {
      job_.give_up("cannot create container " + std::string(slot.op.container) + ": " +
                   text_of(completion));
    }
  }
  after(slot, missing);
}

Outcome Worker::verified(Slot& slot, const target::Completion& completion) {
  if (completion.outcome != Outcome::ok || slot.op.sink == nullptr) return completion.outcome;
  const HashSink::Verdict verdict = slot.extras->sink.verdict();
  if (verdict == HashSink::Verdict::no_trailer) report_.without_hash += 1;
  return verdict == HashSink::Verdict::mismatch ? Outcome::corrupt : Outcome::ok;
}

void Worker::record(Slot& slot, const target::Completion& completion, Instant done) {
  const Outcome outcome = verified(slot, completion);
  if (outcome == Outcome::timeout || outcome == Outcome::connection) {
    ++unanswered_;
  } else {
    unanswered_ = 0;
    last_answer_ = done;
  }
  const bool corrupt = outcome == Outcome::corrupt && completion.detail.empty();
  const bool counted = recorder_.record({.op = slot.spec,
                                         .outcome = outcome,
                                         .paced = pacer_.has_value() && !slot.walking,
                                         .status = completion.status,
                                         .retries = completion.retries,
                                         .items = completion.items,
                                         .bytes = completion.bytes,
                                         .intended = slot.intended,
                                         .issued = slot.issued,
                                         .first_byte = completion.first_byte,
                                         .done = done,
                                         .container = slot.op.container,
                                         .object = slot.op.object,
                                         .detail = corrupt ? k_corrupt : completion.detail});
  if (!counted) return;
  ++slot.counted;
  slot.counted_bytes += completion.bytes.count();
}

// What a slot does when its operation has ended.
void Worker::after(Slot& slot, bool container_missing) {
  if (closing_ || job_.given_up()) {
    retire(slot);
    return;
  }
  if (slot.walking) {
    continue_walk(slot, container_missing);
  } else if (quota_met(slot)) {
    retire(slot);
  } else if (pacer_) {
    idle_.push_back(slot.op.slot);
  } else {
    begin_operation(slot);
  }
}

void Worker::retire(Slot& slot) {
  slot.walking = false;
  if (slot.finished) return;
  slot.finished = true;
  --unfinished_;
}

void Worker::count_never_issued() {
  if (!pacer_ || issue_end_ == Instant::max()) return;
  const Instant now = clock_.now();
  const Instant end = std::min(issue_end_, now);
  while (pacer_->next() < end) {
    ++report_.never_issued;
    pacer_->advance();
  }
}

Worker::Report Worker::report() const {
  Report report = report_;
  report.first_issued = recorder_.first_issued();
  report.last_done = recorder_.last_done();
  report.in_flight_at_end = recorder_.crossed_end();
  report.oldest_in_flight = recorder_.oldest_crossing();
  return report;
}

}  // namespace loadline::engine
