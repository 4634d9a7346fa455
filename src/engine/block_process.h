// A job on blocks in a process of its own, with the shape of a BlockWorker: the driver forks it, it
// runs a BlockWorker, and what it counts comes back over a socket, tick by tick and its report at
// the end. docs/decisions/005-processes.md has the reasons.
//
// The process has two threads: the first is the worker, so that the process's number, priority and
// CPUs are the worker's; the other passes on what it counts and hears the driver. It shares nothing
// with the driver but the socket: what a target, a clock or a plan keeps is a copy. Descriptors
// besides the standard ones are closed in it; it keeps the signals of a terminal away, ends when
// the driver ends, and leaves by _exit.
//
// Threads: start() before any thread of the stage; prepare(), run() by the job's own thread of the
// driver; report() after.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "base/error.h"
#include "base/unique_fd.h"
#include "engine/block_wire.h"
#include "engine/block_worker.h"

namespace loadline::engine {

// Where the processes of a stage say what goes wrong in them: an unnamed file, so that a process
// that hangs keeps no pipe of the driver's open.
class ProcessMessages {
 public:
  ProcessMessages();
  int descriptor() const { return file_.get(); }  // -1 where there is none
  // What has been said, to the driver's standard error.
  void pass_on() const;

 private:
  UniqueFd file_;
};

class BlockProcess {
 public:
  // How long after a stop the process may take to end before it is killed, and how long it may
  // take to die before it is left alone.
  struct Patience {
    Duration until_killed = Duration::seconds(10);
    Duration until_left = Duration::seconds(1);
  };
  // Everything borrowed outlives this.
  explicit BlockProcess(const BlockWorker::Options& options) : BlockProcess(options, {}) {}
  BlockProcess(const BlockWorker::Options& options, Patience patience);
  // Kills the process where it still runs, e.g. since the stage did not come to run.
  ~BlockProcess();
  BlockProcess(const BlockProcess&) = delete;
  BlockProcess& operator=(const BlockProcess&) = delete;

  // Where a job that asks for one can have a process: not where time is simulated.
  static bool possible(const plan::Job& job, const Clock& clock);

  // Forks. Error: there can be no more processes.
  Result<void> start(const ProcessMessages& messages);
  // Until the process has all that can be slow before the start.
  void prepare();
  void run(Instant stage_start);
  const BlockWorker::Report& report() const { return report_; }
  pid_t process() const { return process_; }
  // It did not end after a stop, and was killed.
  bool gave_up() const { return killed_.stamped(); }

 private:
  enum class Heard : std::uint8_t { nothing, message, end };

  Heard hear();
  bool take(const std::string& message);
  bool look_at_stop();
  void end();
  void note_death();

  BlockWorker::Options options_;
  Patience patience_;
  pid_t process_ = 0;
  UniqueFd link_;
  WireFrames frames_;
  bool prepared_ = false;
  bool running_ = false;  // the process has not been waited for
  bool reported_ = false;
  bool left_ = false;
  int status_ = 0;  // of waitpid(2)
  Instant stage_start_;
  Instant begun_;
  Instant stopped_;  // when the stop was noticed
  Instant killed_;   // when the process was killed for not ending
  std::array<Instant, BlockWorker::k_operations> last_seen_;  // where its last tick ends
  record::WorkerLoad load_;                                   // as the process told it last
  BlockWorker::Report report_;
};

}  // namespace loadline::engine
