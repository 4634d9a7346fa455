// The worker loop: one thread that carries many slots (virtual workers) of one job through one
// session. It picks operations, paces them, hands them to the session, stamps and records them. It
// is the only place where time is read for a measurement.
//
// Threads: everything by the worker's own thread, but for the constructor.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/clock.h"
#include "engine/hash_trailer.h"
#include "engine/job_state.h"
#include "engine/pacer.h"
#include "engine/walk.h"
#include "record/recorder.h"
#include "target/target.h"

namespace loadline::engine {

class Worker {
 public:
  struct Options {
    std::uint32_t first_worker = 0;  // the virtual workers are first_worker .. + slots - 1
    std::uint32_t slots = 1;
    Instant start;  // of the stage
    Duration tick = Duration::seconds(1);
    Duration drain = Duration::seconds(10);  // for what is under way when time is up
    Duration drain_when_stopped = Duration::milliseconds(500);  // and when stopped from outside
    std::stop_token stop;
  };
  // Everything borrowed outlives the worker.
  Worker(JobState& job, target::Session& session, record::Mailbox& mailbox, const Clock& clock,
         Options options);

  // Until the stop rule is met, the stop token says so or the job gives up.
  void run();

  // After run().
  struct Report {
    Instant first_issued = Instant::max();
    Instant last_done;
    std::uint64_t in_flight_at_end = 0;
    Duration oldest_in_flight;
    std::uint64_t never_issued = 0;
    std::uint64_t late_issues = 0;
    std::uint64_t without_hash = 0;  // objects that were to be verified and carry no hash
    std::uint64_t loops = 0;
    Duration cpu;
    Duration lag_max;
  };
  Report report() const;

 private:
  // What only some jobs need of a slot.
  struct Extras {
    Md5 md5;
    HashSink sink;
    HashTrailer trailer{};
    MappedFile file;
    NameBuffer new_name;  // of a rename
    std::vector<NameBuffer> batch;
    std::vector<std::string_view> batch_names;
  };
  struct Slot {
    explicit Slot(Rng r) : rng(r) {}
    NameBuffer container;
    NameBuffer object;
    Rng rng;
    target::Op op;
    Walk walk;
    WalkStep step;
    Instant intended;
    Instant issued;
    Instant free_since;         // when its last operation was done; unstamped before the first
    std::uint64_t counted = 0;  // samples inside the window
    std::uint64_t counted_bytes = 0;
    std::uint64_t quota = 0;  // 0: none
    std::uint64_t quota_bytes = 0;
    std::uint32_t worker = 0;
    std::uint32_t spec = 0;  // index of the operation of the mix
    std::uint64_t counted_before_walk = 0;
    bool walking = false;
    bool stepped = false;  // the walk had at least one step
    bool finished = false;
    std::unique_ptr<Extras> extras;
  };

  void make_slots();
  void issue_due(Instant now);
  void issue_paced(Instant now);
  bool begin_operation(Slot& slot);
  bool continue_walk(Slot& slot, bool container_missing);
  bool end_walk(Slot& slot);
  static bool quota_met(const Slot& slot);
  void aim(Slot& slot, const plan::OpSpec& spec);
  void aim_step(Slot& slot, const plan::OpSpec& spec);
  void aim_payload(Slot& slot, const plan::OpSpec& spec, Bytes size);
  bool aim_file(Slot& slot, const plan::OpSpec& spec, std::size_t file);
  void aim_batch(Slot& slot, const plan::OpSpec& spec);
  void submit(Slot& slot);
  void retry_refused();

  void complete(const target::Completion& completion, Instant reaped);
  void complete_container_step(Slot& slot, const target::Completion& completion);
  target::Outcome verified(Slot& slot, const target::Completion& completion);
  void record(Slot& slot, const target::Completion& completion, Instant done);
  void after(Slot& slot, bool container_missing);
  void retire(Slot& slot);

  void update_phase(Instant now);
  bool finished() const;
  Instant next_look(Instant now) const;
  void give_up_on_dead_storage(Instant now);
  void count_never_issued();
  Extras& extras(Slot& slot);
  static Instant issue_end_of(const plan::StopRule& stop, Instant start);

  JobState& job_;
  target::Session& session_;
  const Clock& clock_;
  Options options_;
  record::Recorder recorder_;
  std::vector<Slot> slots_;
  std::vector<std::uint64_t> own_cursors_;  // [slot][operation]
  std::vector<std::uint32_t> idle_;         // slots that may begin an operation
  std::vector<std::uint32_t> refused_;      // slots whose operation the session had no room for
  std::vector<target::Completion> completions_;
  std::optional<Pacer> pacer_;
  Instant issue_end_;  // no operation begins after
  Instant drain_end_ = Instant::max();
  Instant last_answer_;
  std::uint64_t unanswered_ = 0;
  std::uint32_t in_flight_ = 0;
  std::uint32_t unfinished_ = 0;  // slots
  bool closing_ = false;          // no new operations
  bool cancelled_ = false;
  Instant last_issued_;
  Report report_;
};

}  // namespace loadline::engine
