// The loop of a job on blocks: one thread, one session, as many slots as the job's depth. It
// chooses an operation, hands it to the session, reaps, stamps and records; time is read here
// alone. Where nothing else has to happen between two operations, one look at the clock serves the
// end of one and the start of the next. What goes wrong ends this job alone: report() says what.
// Threads: everything by the job's own thread.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/rng.h"
#include "base/thread_usage.h"
#include "engine/block_buffers.h"
#include "engine/block_client.h"
#include "engine/block_goals.h"
#include "engine/block_offsets.h"
#include "engine/block_pace.h"
#include "engine/block_replay.h"
#include "engine/block_verify.h"
#include "engine/flow_share.h"
#include "plan/plan.h"
#include "record/block_counters.h"
#include "record/recorder.h"
#include "record/trace.h"
#include "target/target.h"

namespace loadline::engine {

class BlockWorker final : private record::LoadSource {
 public:
  // Everything borrowed outlives the worker.
  struct Options {
    const plan::Job* job = nullptr;
    std::uint32_t index = 0;  // of the job in its stage
    target::Target* target = nullptr;
    const Clock* clock = nullptr;
    record::Mailbox* mailbox = nullptr;
    WorkerId worker{};
    std::uint64_t seed = 0;
    std::uint64_t shared_seed = 0;  // among the jobs that repeat blocks of one set
    std::uint32_t sharers = 1;
    std::uint32_t rank = 0;
    Duration tick = Duration::seconds(1);
    Duration drain = Duration::seconds(10);  // for what is under way when time is up
    Duration drain_when_stopped = Duration::milliseconds(500);  // and when stopped from outside
    std::stop_token stop;
    // See job_board.h; all may be null.
    const std::atomic<std::uint32_t>* told_to_end = nullptr;
    FlowSeat flow;
  };
  explicit BlockWorker(const Options& options);
  ~BlockWorker() override;

  // Opens the session and the files, and gets the memory: all that can be slow before the start.
  void prepare();
  void refuse(const Error& error);  // before prepare(): the job cannot begin
  // Until the job has come to its end. Times are counted from `stage_start`.
  void run(Instant stage_start);

  // The operations of a result, in this order.
  static constexpr std::size_t k_operations = 4;
  static constexpr std::size_t k_sync = 3;

  struct Report {
    record::BlockCounters counters;
    Instant started;
    Instant first_issued = Instant::max();
    Instant last_done;
    Instant stopped;  // by time or somebody: nothing was issued from then on
    std::uint64_t in_flight_at_end = 0;
    std::uint64_t never_issued = 0;
    std::uint64_t loops = 0;
    Duration cpu;
    bool by_runtime = false;  // the measured time is the runtime that was asked for
  };
  // After run().
  const Report& report() const { return report_; }

 private:
  enum class Choice : std::uint8_t { ready, wait, over };
  enum class Phase : std::uint8_t { work, readback };

  struct Slot {
    target::Op op;
    BlockPlace place;
    Instant intended;
    Instant issued;
    Instant accepted;
    std::uint64_t moved = 0;     // by answers that were short
    std::uint32_t sequence = 0;  // verification: which write this is
    std::uint8_t kind = 0;       // 0..2: a direction; k_sync
    bool paced = false;
    bool besides = false;  // not of what was asked for: a block read back, a trim of one written
    bool busy = false;
  };
  struct Backlog {  // a written block that is to be read back
    BlockPlace place;
    std::uint32_t sequence = 0;
  };

  // block_setup.cc
  bool become();
  void fail_client(const Error& error);
  bool run_command(bool before);
  bool open_session();
  bool open_files();
  bool get_memory();
  void set_limits();
  void close_files();

  // block_few_files.cc
  bool few_open() const;
  bool in_flight_on(std::uint32_t file) const;
  bool close_one();
  bool keep_open(std::uint32_t file);

  // block_choice.cc
  Choice choose(Slot& slot, Instant now);
  Choice choose_work(Slot& slot, Instant now);
  Choice choose_action(Slot& slot);
  Choice end_by(record::BlockStop reason);
  bool choose_sync(Slot& slot);
  bool next_place(std::size_t direction, BlockPlace& place);
  void begin_pass();
  std::optional<std::size_t> choose_direction(Instant now);
  std::size_t mixed_direction();
  void aim(Slot& slot, std::size_t direction);
  void note_issue(const Slot& slot);

  // block_readback.cc
  Choice choose_readback(Slot& slot);
  bool choose_trim(Slot& slot);
  void note_completed_write(const Slot& slot);
  void rehearse();
  bool resume();
  void save_state();
  void verify(Slot& slot, Instant done);
  bool never_written(const BlockVerifier::Mismatch& mismatch);
  void dump(const BlockVerifier::Mismatch& mismatch, std::span<const std::byte> found,
            const BlockPlace& place);

  // block_trace.cc
  bool open_trace();
  void close_trace();
  void trace_files(record::TraceKind kind);
  void trace_issue(const Slot& slot);
  void trace_sync(std::uint32_t file);
  void trace_end(const Slot& slot, Instant done, int error);
  Choice choose_replay(Slot& slot, Instant now);
  void aim_at_sync(Slot& slot, target::OpKind kind);

  // block_lean.cc
  bool lean() const;
  bool choose_lean(Slot& slot);
  void count_lean(std::uint64_t issued);
  void run_lean(Instant now);

  // block_worker.cc
  void run_slots(Instant now);
  void run_loops();
  Instant issue(Instant now);
  Instant hand_over(Instant now);
  Instant stamp(Slot& slot, Instant now);
  bool overlaps(const Slot& slot) const;
  void drop_held();
  Instant reap(Instant now);
  void look(Instant now);
  void look_at_goals(Instant now);
  void look_at_rates(Instant now);
  void begin_phase(Phase phase);
  void think(Instant now);
  void note_unsynced();
  void sync_at_end(bool timed);

  // block_outcome.cc
  void complete(const target::Completion& completion, Instant now);
  bool continue_short(Slot& slot, const target::Completion& completion);
  void count(Slot& slot, Instant done);
  void note_sync(const Slot& slot);
  void fail_operation(Slot& slot, target::Outcome outcome, int error, std::string_view detail,
                      Instant done);
  bool tolerated(const Slot& slot, target::Outcome outcome, int error) const;
  record::WorkerLoad load() const override;
  void fail_job(int error, std::string operation, std::string file, std::string text,
                Bytes offset = Bytes(), Bytes length = Bytes());
  void count_error(int error);
  bool inside(const Slot& slot, Instant done) const;

  Options options_;
  const plan::Job& job_;
  const plan::BlockIo& block_;
  const Clock& clock_;
  Rng rng_;
  std::unique_ptr<target::Session> session_;
  target::Capabilities can_;
  std::vector<target::ObjectHandle> handles_;  // of all files; k_no_object: not open
  target::OpenMode open_mode_;
  std::vector<std::uint32_t> opened_;  // where few are open: which, in that order
  std::vector<FileRegion> regions_;
  LockedMemory locked_;
  std::optional<BlockBuffers> buffers_;
  std::optional<BlockOffsets> offsets_;
  std::optional<BlockVerifier> verifier_;
  std::optional<BlockPace> pace_;
  std::optional<SteadyState> steady_;
  std::optional<DepthSearch> search_;
  std::optional<FlowShare> flow_;
  std::optional<record::Recorder> recorder_;
  std::optional<record::TraceWriter> trace_;
  std::optional<BlockReplay> replay_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
  std::vector<target::Completion> completions_;
  Slot* held_ = nullptr;  // chosen, but the session was full or it would overlap

  Phase phase_ = Phase::work;
  bool ending_ = false;  // nothing more is issued
  bool fatal_ = false;   // and nothing follows either
  bool measuring_ = false;
  bool fills_ = false;
  bool split_ = false;
  bool no_overlap_ = false;
  bool cancelled_ = false;
  bool draining_ = false;    // the queue was full and is not yet low
  bool hands_over_ = false;  // by a call of its own; else along with the wait
  bool stale_now_ = false;   // work was done since the clock was read
  bool any_latency_max_ = false;
  bool any_rate_min_ = false;
  bool wrote_ = false;
  std::uint32_t in_flight_ = 0;
  std::uint32_t depth_ = 1;
  std::uint32_t depth_limit_ = 1;
  std::uint64_t batch_ = UINT64_MAX;  // operations that one call hands over
  std::vector<Slot*> gathered_;       // submitted, not yet handed over

  Instant stage_start_;
  Instant begin_;  // of what is measured
  Instant end_ = Instant::max();
  Instant work_end_ = Instant::max();
  Instant check_at_;
  Instant wait_until_ = Instant::max();
  Instant think_until_;
  Instant last_think_;
  Instant drain_end_ = Instant::max();
  Instant next_goal_ = Instant::max();
  Instant last_goal_;
  Instant next_rate_ = Instant::max();
  std::uint64_t since_think_ = 0;

  std::uint64_t bytes_left_ = UINT64_MAX;       // of this loop
  std::uint64_t operations_left_ = UINT64_MAX;  // of the job
  std::uint64_t bytes_a_loop_ = UINT64_MAX;
  bool wraps_ = false;
  std::size_t only_direction_ = 0;  // where there is but one
  bool mixed_ = false;
  bool write_next_ = false;  // of trim and write
  BlockPlace trimmed_;
  std::uint32_t action_file_ = 0;

  std::uint64_t writes_issued_ = 0;
  std::vector<bool> sync_due_;
  bool any_sync_due_ = false;
  BlockPlace last_written_;
  std::vector<std::uint64_t> unsynced_;  // bytes written, by file; where there are syncs
  std::uint64_t range_begin_ = UINT64_MAX;
  std::uint64_t range_end_ = 0;

  std::vector<Backlog> backlog_;
  std::size_t backlog_at_ = 0;
  std::uint64_t backlog_batch_left_ = 0;
  std::deque<Backlog> trims_;  // written blocks that are to be trimmed
  std::uint64_t writes_since_trim_ = 0;
  std::uint64_t trims_left_ = 0;  // of this batch
  std::optional<Rng> trim_dice_;
  bool resumed_ = false;  // what was written is known from a state
  FileRegion hole_;       // the last that was found
  std::uint32_t hole_file_ = UINT32_MAX;
  std::uint64_t in_holes_ = 0;
  BlockPlace cursor_;  // of reading back

  std::array<Instant, k_operations> first_issue_;
  std::array<Instant, k_operations> last_end_;
  std::uint64_t goal_operations_ = 0;
  std::uint64_t goal_bytes_ = 0;
  std::uint64_t goal_latency_ns_ = 0;
  std::array<std::uint64_t, plan::k_directions> rate_operations_{};
  std::array<std::uint64_t, plan::k_directions> rate_bytes_{};
  Report report_;
  ThreadUsage usage_before_;
};

}  // namespace loadline::engine
