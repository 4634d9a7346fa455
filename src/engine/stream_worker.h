// The loop of one worker of a job on streams: it takes the next file, opens it, moves it call by
// call through its session, closes it, and keeps one record of it. Each call is a sample, so are
// opening and closing; time is read here alone. Data are made and compared between calls, and that
// time is in no figure.
//
// A file that fails ends the job, unless the plan lets it go on with the next. A stop ends the call
// under way within the drain; what was moved by then is in the file's record.
//
// Threads: everything by the worker's own thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "engine/block_memory.h"
#include "engine/stream_job.h"
#include "engine/worker.h"
#include "record/recorder.h"
#include "record/stream_files.h"
#include "target/target.h"

namespace loadline::engine {

class StreamWorker {
 public:
  // Everything borrowed outlives the worker.
  struct Options {
    StreamJob* job = nullptr;
    target::Session* session = nullptr;  // with one slot
    const Clock* clock = nullptr;
    record::Mailbox* mailbox = nullptr;
    std::uint32_t worker = 0;  // among those of the job
    Duration tick = Duration::seconds(1);
    Duration drain_when_stopped = Duration::milliseconds(500);
  };
  explicit StreamWorker(const Options& options);

  // Gets the memory: what can be slow before the start.
  void prepare();
  // Until there is no file left or the job is over. Times are counted from `stage_start`.
  void run(Instant stage_start);

  // After run().
  const record::StreamFiles& files() const { return files_; }
  const Worker::Report& report() const { return report_; }

 private:
  // One call, from its submission to its end.
  struct Call {
    target::Outcome outcome = target::Outcome::ok;
    std::uint16_t status = 0;
    std::uint16_t retries = 0;
    std::uint64_t bytes = 0;
    Instant intended;  // unstamped: at once
    Instant issued;
    Instant first_byte;
    Instant done;
    std::string detail{};
  };

  // stream_worker.cc
  Call perform(const target::Op& op);
  Call open(std::string_view path, const target::OpenMode& mode);
  Call close();
  void count(std::uint32_t op, const Call& call);
  // Waits until the next call is due. False where the file ends here: it says why.
  bool await_turn(record::StreamFile& file);
  bool goes_on(record::StreamFile& file) const;
  static void fail(record::StreamFile& file, const Call& call);
  void end(record::StreamFile file);

  // stream_moves.cc
  void move_file(std::uint64_t number);
  void write(record::StreamFile& file);
  void read(record::StreamFile& file);
  void truncate(record::StreamFile& file);
  void compare(const record::StreamFile& file, std::uint64_t offset, Call& call);
  void put(std::uint64_t index);
  void remove_files();
  void remove(const StreamJob::Doomed& doomed);
  void remove_folder();

  Options options_;
  StreamJob& job_;
  const plan::StreamIo& stream_;
  target::Session& session_;
  const Clock& clock_;
  std::optional<BlockMemory> memory_;
  std::optional<Error> no_memory_;
  std::optional<record::Recorder> recorder_;
  Instant stage_start_;
  std::string name_;             // of the file at hand
  target::OpenedObject opened_;  // that file
  Duration own_time_;            // of it: making and comparing data
  Instant due_;                  // the next call; unstamped: at once
  record::StreamFiles files_;
  Worker::Report report_;
};

}  // namespace loadline::engine
