#include "engine/block_worker.h"

#include <algorithm>
#include <cerrno>
#include <numeric>

#include "base/check.h"

namespace loadline::engine {
namespace {

using record::BlockStop;
using target::Submitted;

constexpr Duration k_look_around = Duration::milliseconds(100);  // at the stop token

// A check that compared nothing has found nothing out.
bool verified_nothing(const plan::BlockIo& block, const record::BlockCounters& counters) {
  if (!block.verify.only || block.verify.checksum == plan::Checksum::null) return false;
  const bool to_the_end =
      counters.stop == BlockStop::size || counters.stop == BlockStop::operations;
  return to_the_end && counters.failure.error == 0 && counters.verified == 0;
}

}  // namespace

record::WorkerLoad BlockWorker::load() const {
  const ThreadUsage now = thread_usage();
  const record::BlockCounters& counters = report_.counters;
  return {.depth = counters.depth,
          .submits = counters.submits,
          .completes = counters.completes,
          .cpu_user = now.user - usage_before_.user,
          .cpu_system = now.system - usage_before_.system,
          .context_switches = now.context_switches - usage_before_.context_switches,
          .major_faults = now.major_faults - usage_before_.major_faults,
          .minor_faults = now.minor_faults - usage_before_.minor_faults};
}

void BlockWorker::run(Instant stage_start) {
  usage_before_ = thread_usage();
  const Duration cpu_before = thread_cpu_time();
  stage_start_ = stage_start;
  if (!fatal_) run_command(true);
  report_.counters.thread_id = thread_number();
  report_.started = clock_.now();
  report_.counters.started = report_.started - stage_start;
  begin_ = report_.started + job_.stop.ramp_up;
  if (job_.stop.runtime > Duration()) work_end_ = begin_ + job_.stop.runtime;
  end_ = work_end_;
  recorder_.emplace(record::Recorder::Options{.ops = k_operations,
                                              .start = stage_start,
                                              .tick = options_.tick,
                                              .window = {.begin = begin_, .end = end_},
                                              .load = this},
                    *options_.mailbox);
  if (block_.create_only && !fatal_) {
    report_.counters.stop = BlockStop::laid_out;
  } else if (!fatal_) {
    run_loops();
    sync_at_end(true);
    if (block_.sync_on_close) sync_at_end(false);
    report_.counters.elapsed = clock_.now() - report_.started;
    close_files();
    save_state();
    close_trace();
    run_command(false);
  }
  recorder_->finish();
  record::BlockCounters& counters = report_.counters;
  for (std::size_t i = 0; i < k_operations; ++i) {
    if (!first_issue_[i].stamped()) continue;
    report_.first_issued = std::min(report_.first_issued, first_issue_[i]);
    report_.last_done = std::max(report_.last_done, last_end_[i]);
    if (i >= plan::k_directions) continue;
    // An operation that hung until the stop took its part of the time. Reading back is no writing.
    Instant end = last_end_[i];
    if (phase_ == Phase::work || i == 0) end = std::max(end, report_.stopped);
    counters.directions[i].runtime = end - first_issue_[i];
  }
  note_unsynced();
  if (search_) counters.latency_target = search_->report();
  if (steady_) counters.steady = steady_->report();
  const record::WorkerLoad cost = load();
  counters.cpu_user = cost.cpu_user;
  counters.cpu_system = cost.cpu_system;
  counters.context_switches = cost.context_switches;
  counters.major_faults = cost.major_faults;
  counters.minor_faults = cost.minor_faults;
  report_.cpu = thread_cpu_time() - cpu_before;
}

void BlockWorker::run_loops() {
  check_at_ = report_.started;
  last_think_ = last_goal_ = report_.started;
  pace_.emplace(block_, report_.started, Rng::split(options_.seed, 2));
  if (!pace_->any()) pace_.reset();
  const std::uint32_t loops = std::max(block_.loops, 1U);
  for (std::uint32_t loop = 0; loop < loops && !fatal_; ++loop) {
    bytes_left_ = bytes_a_loop_;
    action_file_ = 0;
    if (loop > 0 && offsets_) begin_pass();
    if (block_.verify.only && verifier_) {
      if (!resumed_) rehearse();
      // What stands there is what the last loop left.
      if (loop + 1 < loops) continue;
    } else {
      begin_phase(Phase::work);
      if (flow_) flow_->join();
      if (lean()) {
        run_lean(clock_.now());
      } else {
        run_slots(clock_.now());
      }
      if (flow_) flow_->leave();
    }
    const bool read_back = verifier_ && (block_.verify.read_back || block_.verify.only) &&
                           block_.verify.checksum != plan::Checksum::null;
    if (read_back && !fatal_ && (block_.uses[1] || block_.verify.only)) {
      begin_phase(Phase::readback);
      run_slots(clock_.now());
    }
    const BlockStop stop = report_.counters.stop;
    if (stop != BlockStop::size) break;
  }
  if (verifier_ && verified_nothing(block_, report_.counters)) {
    fail_job(ENODATA, "verify", block_.files.empty() ? "" : block_.files.front().path,
             "verify_only: nothing was verified: there is nothing that was written with verify=; "
             "write it first, without verify_only");
  }
  if (report_.counters.failure.error != 0) report_.counters.stop = BlockStop::error;
}

void BlockWorker::begin_phase(Phase phase) {
  phase_ = phase;
  ending_ = false;
  cancelled_ = false;
  drain_end_ = Instant::max();
  wait_until_ = Instant::max();
  check_at_ = clock_.now();
  end_ = work_end_;
  // What was written is read back whole, however long it takes.
  if (phase == Phase::readback) {
    end_ = Instant::max();
    cursor_ = {};
    measuring_ = true;
    begin_ = std::min(begin_, check_at_);
    depth_limit_ = depth_;
  }
}

void BlockWorker::run_slots(Instant now) {
  while (true) {
    ++report_.loops;
    if (now >= check_at_) look(now);
    if (!ending_) now = issue(now);
    if (in_flight_ == 0) {
      if (ending_) break;
      if (held_ == nullptr) {
        clock_.sleep_until(
            std::min(std::max(wait_until_, think_until_ > now ? think_until_ : now), check_at_));
      }
      now = clock_.now();
      continue;
    }
    now = reap(now);
  }
  drop_held();
}

Instant BlockWorker::issue(Instant now) {
  wait_until_ = Instant::max();
  if (draining_ && in_flight_ > block_.depth_low) return now;
  draining_ = false;
  while (in_flight_ < depth_limit_ && !ending_) {
    if (now < think_until_) {
      wait_until_ = think_until_;
      break;
    }
    Slot* slot = held_;
    if (slot == nullptr) {
      slot = &slots_[free_.back()];
      const Choice choice = choose(*slot, now);
      if (choice == Choice::wait) {
        if (wait_until_ == Instant::max()) continue;
        break;
      }
      if (choice == Choice::over) {
        ending_ = true;
        break;
      }
      free_.pop_back();
      held_ = slot;
    }
    if (no_overlap_ && overlaps(*slot)) break;
    if (!slot->busy) now = stamp(*slot, now);
    if (session_->submit(slot->op) == Submitted::full) break;
    held_ = nullptr;
    ++in_flight_;
    gathered_.push_back(slot);
    if (gathered_.size() >= batch_) now = hand_over(now);
    if (block_.think.counted_on_issue) think(now);
  }
  draining_ = block_.depth_low > 0 && in_flight_ >= depth_limit_;
  return hand_over(now);
}

// What was gathered, by one call; one stamp serves all of it.
Instant BlockWorker::hand_over(Instant now) {
  if (gathered_.empty()) return now;
  ++report_.counters.submits[record::call_bucket(gathered_.size())];
  report_.counters.depth[record::depth_bucket(in_flight_)] += gathered_.size();
  if (hands_over_) {
    const std::size_t none = session_->reap({}, now);
    CHECK(none == 0);
  }
  if (split_) {
    now = clock_.now();
    for (Slot* slot : gathered_) slot->accepted = now;
  }
  if (trace_) {
    for (const Slot* slot : gathered_) trace_issue(*slot);
  }
  gathered_.clear();
  return now;
}

// The slot's data, and when it is issued.
Instant BlockWorker::stamp(Slot& slot, Instant now) {
  slot.busy = true;
  if (trace_ && trace_->make_room()) now = clock_.now();
  if (fills_ && slot.kind == 1) {
    if (verifier_) {
      verifier_->write(slot.op.memory, slot.place);
      slot.sequence = verifier_->sequence();
    } else {
      buffers_->fill(slot.op.memory, slot.place.offset);
    }
    now = clock_.now();
  }
  slot.issued = now;
  return now;
}

bool BlockWorker::overlaps(const Slot& slot) const {
  if (slot.kind == k_sync) return false;
  for (const Slot& other : slots_) {
    if (!other.busy || &other == &slot || other.kind == k_sync) continue;
    if (other.place.file == slot.place.file &&
        other.place.offset < slot.place.offset + slot.place.length &&
        slot.place.offset < other.place.offset + other.place.length) {
      return true;
    }
  }
  return false;
}

void BlockWorker::drop_held() {
  if (held_ == nullptr) return;
  if (verifier_ && held_->kind == 1 && held_->busy) verifier_->forget(held_->place);
  held_->busy = false;
  free_.push_back(held_->op.slot);
  held_ = nullptr;
}

Instant BlockWorker::reap(Instant now) {
  Instant until = check_at_;
  const bool room = in_flight_ < depth_limit_ && !ending_ && held_ == nullptr && !draining_;
  if (room) until = std::min(until, wait_until_);
  const std::size_t n = session_->reap(completions_, std::max(until, now));
  now = clock_.now();
  ++report_.counters.completes[record::call_bucket(n)];
  for (std::size_t i = 0; i < n; ++i) complete(completions_[i], now);
  if (now >= check_at_) look(now);
  if (!stale_now_) return now;
  stale_now_ = false;
  return clock_.now();
}

// What is looked at now and then: the time, the stop token, the rules that end a job.
void BlockWorker::look(Instant now) {
  recorder_->roll(now);
  if (!measuring_ && now >= begin_) {
    measuring_ = true;
    last_goal_ = now;
    if (steady_) next_goal_ = begin_ + block_.steady->ramp + block_.steady->interval;
    if (search_) next_goal_ = now + block_.latency_target->window;
    if (any_rate_min_) next_rate_ = begin_ + block_.rate_cycle;
  }
  if (!ending_ && options_.stop.stop_requested()) {
    ending_ = fatal_ = true;
    report_.stopped = now;
    report_.counters.stop = BlockStop::signal;
    drain_end_ = now + options_.drain_when_stopped;
  }
  if (!ending_ && options_.told_to_end != nullptr &&
      options_.told_to_end->load(std::memory_order_relaxed) != 0) {
    ending_ = true;
    report_.stopped = now;
    report_.counters.stop = BlockStop::other_job;
  }
  if (!ending_ && now >= end_) {
    ending_ = true;
    report_.by_runtime = true;
    report_.stopped = end_;
    report_.counters.stop = BlockStop::runtime;
  }
  if (!ending_ && phase_ == Phase::work && measuring_) {
    if (now >= next_goal_) look_at_goals(now);
    if (now >= next_rate_) look_at_rates(now);
  }
  if (ending_ && drain_end_ == Instant::max()) drain_end_ = now + options_.drain;
  if (ending_ && now >= drain_end_ && !cancelled_) {
    cancelled_ = true;
    session_->cancel();
  }
  check_at_ = std::min({now + k_look_around, recorder_->tick_end()});
  if (!ending_) {
    check_at_ = std::min({check_at_, end_, next_goal_, next_rate_});
    if (!measuring_) check_at_ = std::min(check_at_, begin_);
  } else if (!cancelled_) {
    check_at_ = std::min(check_at_, drain_end_);
  }
}

void BlockWorker::look_at_goals(Instant now) {
  if (steady_) {
    const Duration length = now - last_goal_;
    const bool ramp = last_goal_ < begin_ + block_.steady->ramp;
    if (!ramp && steady_->add(goal_operations_, goal_bytes_, goal_latency_ns_, length)) {
      ending_ = true;
      report_.counters.stop = BlockStop::steady;
    }
    next_goal_ = now + block_.steady->interval;
  } else if (search_) {
    if (search_->end_window()) {
      ending_ = true;
      report_.counters.stop = BlockStop::latency_target;
    }
    depth_limit_ = search_->depth();
    next_goal_ = now + block_.latency_target->window;
  }
  goal_operations_ = goal_bytes_ = goal_latency_ns_ = 0;
  last_goal_ = now;
}

void BlockWorker::look_at_rates(Instant now) {
  const double seconds = (now - (next_rate_ - block_.rate_cycle)).as_seconds();
  for (std::size_t d = 0; d < plan::k_directions; ++d) {
    const plan::BlockRate& rate = block_.rate[d];
    const double operations = static_cast<double>(rate_operations_[d]) / seconds;
    const double bytes = static_cast<double>(rate_bytes_[d]) / seconds;
    rate_operations_[d] = rate_bytes_[d] = 0;
    if (!block_.uses[d] || ending_) continue;
    const auto text = [](double asked, double got, const char* unit) {
      return "least rate " + std::to_string(static_cast<std::uint64_t>(asked)) + unit +
             " not met, got " + std::to_string(static_cast<std::uint64_t>(got)) + unit;
    };
    const std::string file = block_.files.size() == 1 ? block_.files.front().path : "";
    if (rate.operations_min > Rate() && operations < rate.operations_min.per_second()) {
      fail_job(EIO, "rate", file, text(rate.operations_min.per_second(), operations, " IOPS"));
    } else if (rate.bytes_min > Rate() && bytes < rate.bytes_min.per_second()) {
      fail_job(EIO, "rate", file, text(rate.bytes_min.per_second(), bytes, "B/s"));
    }
  }
  next_rate_ = now + block_.rate_cycle;
}

// After an operation: a pause where one is due.
void BlockWorker::think(Instant now) {
  const plan::ThinkTime& rule = block_.think;
  if (rule.pause == Duration() || phase_ != Phase::work) return;
  ++since_think_;
  const bool by_time = rule.io_time > Duration() && now - last_think_ >= rule.io_time;
  const bool by_count =
      rule.every > (rule.io_time > Duration() ? 1U : 0U) && since_think_ >= rule.every;
  if (!by_time && !by_count) return;
  since_think_ = 0;
  think_until_ = now + rule.pause;
  if (rule.moves_rate && pace_) pace_->postpone(rule.pause);
  if (rule.spin > Duration()) {
    const Instant spun = now + std::min(rule.spin, rule.pause);
    if (clock_.simulated()) clock_.sleep_until(spun);
    while (clock_.now() < spun) {
    }
    stale_now_ = true;
  }
  last_think_ = think_until_;
}

// What no sync has followed; nothing is said where there was none.
void BlockWorker::note_unsynced() {
  if (unsynced_.empty()) return;
  report_.counters.unsynced = Bytes(std::reduce(unsynced_.begin(), unsynced_.end()));
}

// Timed: what the plan asks for at the end of the writes. Else: part of closing.
void BlockWorker::sync_at_end(bool timed) {
  if (!wrote_ || (timed && !block_.sync_at_end) || fatal_) return;
  const Instant begun = clock_.now();
  for (std::uint32_t file = 0; file < handles_.size(); ++file) {
    if (!keep_open(file)) return;
    const target::Op op{.kind = target::OpKind::sync, .slot = 0, .handle = handles_[file]};
    if (trace_) trace_sync(file);
    if (session_->submit(op) != Submitted::accepted) return;
    target::Completion completion;
    const Instant deadline = begun + Duration::seconds(600);
    while (session_->reap({&completion, 1}, deadline) == 0) {
      if (clock_.now() >= deadline) return;
    }
    if (completion.outcome == target::Outcome::ok) continue;
    ++report_.counters.sync_errors;
    fail_job(completion.status != 0 ? completion.status : EIO, "sync", block_.files[file].path,
             std::string(completion.detail));
  }
  if (!fatal_) unsynced_.assign(1, 0);
  if (!timed) return;
  const Instant ended = clock_.now();
  report_.counters.end_sync = ended - begun;
  if (last_end_[1].stamped()) last_end_[1] = ended;
}

}  // namespace loadline::engine
