// One worker thread's counters. Recording takes no lock and allocates nothing in steady state; when
// a tick has passed the thread hands what it counted to its Mailbox, and the collector takes it
// from there.
//
// Threads: record(), roll() and finish() by the worker; Mailbox::take() and give_back() by the
// collector.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

#include "base/units.h"
#include "record/op_stats.h"
#include "record/worker_load.h"

namespace loadline::record {

// A worker's counts of one tick.
struct TickCounts {
  std::uint64_t tick = 0;
  std::vector<OpStats> ops;
};

// Wakes the collector: when a worker has ended or a mailbox fills up, else every 100 ms.
class Bell {
 public:
  void ring();
  void wait();

 private:
  std::mutex mutex_;
  std::condition_variable rung_;
  bool ringing_ = false;
};

class Mailbox {
 public:
  // A mailbox holds this many ticks; a worker that has more waits for the collector. On a real
  // clock that takes as many seconds without a look from the collector; on a simulated one it keeps
  // a worker that races through time from filling the memory.
  static constexpr std::size_t k_ticks_max = 16;

  // The bell may be null; it outlives the mailbox.
  explicit Mailbox(Bell* bell = nullptr) : bell_(bell) {}

  // Worker side: hands over a tick's counts and gets an empty buffer for the next.
  std::vector<OpStats> exchange(TickCounts counts);
  // The worker has begun tick `tick`: all before are complete.
  void pass(std::uint64_t tick);
  void pass(std::uint64_t tick, const WorkerLoad& load);

  struct Taken {
    std::vector<TickCounts> counts;
    std::uint64_t complete_before = 0;  // every tick below this is complete
    WorkerLoad load;
  };
  Taken take();
  void give_back(std::vector<OpStats> buffer);

 private:
  Bell* bell_;
  std::mutex mutex_;
  std::condition_variable taken_;
  std::vector<TickCounts> full_;
  std::vector<std::vector<OpStats>> empty_;
  std::uint64_t complete_before_ = 0;
  WorkerLoad load_;
};

// The measured part of a job: [begin, end). An unpaced sample counts where it was issued and done
// inside; a paced one where its intended start lies inside.
struct Window {
  Instant begin;
  Instant end = Instant::max();
};

struct Sample {
  std::uint32_t op = 0;
  target::Outcome outcome = target::Outcome::ok;
  bool paced = false;
  std::uint16_t status = 0;
  std::uint16_t retries = 0;
  std::uint32_t items = 0;
  Bytes bytes;
  Instant intended;
  Instant issued;
  Instant first_byte;
  Instant done;
  std::string_view container;
  std::string_view object;
  std::string_view detail;
};

class Recorder {
 public:
  struct Options {
    std::uint32_t ops = 0;
    Instant start;  // of the stage: where tick 0 begins
    Duration tick = Duration::seconds(1);
    Window window;
    const LoadSource* load = nullptr;  // told along with each tick where there is one
  };
  Recorder(const Options& options, Mailbox& mailbox);

  // Counts one ended operation, in the tick its end lies in. True where it lies inside the window.
  bool record(const Sample& sample);
  // For a worker that keeps the window itself: where to count what ended at `done`. Valid until the
  // next call.
  OpStats& at(std::uint32_t op, Instant done) {
    roll(done);
    dirty_ = true;
    return current_[op];
  }
  // Containers made or removed on the way: counted, no samples.
  void count_container_op(std::uint32_t op);
  void count_container_failure(std::uint32_t op, target::Outcome outcome, std::uint16_t status,
                               std::string_view container, std::string_view detail);
  // Hands over what is complete by `now`; to be called at least once a tick.
  void roll(Instant now) {
    if (now >= tick_end_) roll_slowly(now);
  }
  // Hands over the rest. Nothing may be recorded after.
  void finish();

  // When this tick is over.
  Instant tick_end() const { return tick_end_; }

  // Of samples inside the window.
  Instant first_issued() const { return first_issued_; }
  Instant last_done() const { return last_done_; }
  // Operations that were under way when the window ended, or were cut off (Outcome::cancelled):
  // neither done nor lost.
  std::uint64_t crossed_end() const { return crossed_end_; }
  // How long the oldest of them had been under way then: at the window's end, or when cut off.
  Duration oldest_crossing() const { return oldest_crossing_; }

 private:
  void cross_end(const Sample& sample);
  void roll_slowly(Instant now);
  void pass(std::uint64_t tick);

  Options options_;
  Mailbox& mailbox_;
  std::vector<OpStats> current_;
  std::uint64_t tick_ = 0;
  Instant tick_end_;
  bool dirty_ = false;
  Instant first_issued_ = Instant::max();
  Instant last_done_;
  std::uint64_t crossed_end_ = 0;
  Duration oldest_crossing_;
};

}  // namespace loadline::record
