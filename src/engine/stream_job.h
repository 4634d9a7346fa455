// What the worker threads of a job on streams share: which file is next, when the next call is due,
// whether the job is over, and what a removal found in its folder.
//
// Ownership: borrows the plan's job and the pool. Threads: everything may be called from any.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "engine/stream_content.h"
#include "plan/plan.h"
#include "target/target.h"

namespace loadline::engine {

class StreamJob {
 public:
  struct Options {
    const plan::Job* job = nullptr;
    const ContentPool* content = nullptr;
    std::uint64_t seed = 0;  // the plan's
    std::stop_token stop;
    const std::atomic<std::uint32_t>* told_to_end = nullptr;  // job_board.h; may be null
  };
  explicit StreamJob(const Options& options);

  const plan::Job& job() const { return *options_.job; }
  const plan::StreamIo& stream() const { return *options_.job->stream; }
  const StreamContent& content() const { return content_; }
  std::uint64_t seed() const { return options_.seed; }
  const std::stop_token& stop() const { return options_.stop; }
  // As many workers as have anything to do.
  static std::uint32_t threads_of(const plan::Job& job);
  std::uint32_t threads() const { return threads_; }

  // One of the files that are left. Every file is given out once.
  std::optional<std::uint64_t> next_file();
  // When the next call is due; `now` where there is no rate. The first one is at once.
  Instant next_call(Instant now);

  // A file failed and the plan does not let that pass: nothing more is begun.
  void fail() { failed_.store(true, std::memory_order_relaxed); }
  // No call is begun any more: failed, stopped, or ended by another job.
  bool over() const;
  // Why; while over().
  std::string_view reason() const;

  // Of a removal: looks once what there is in the folder. Error: it cannot be listed; a folder that
  // is missing is none.
  struct Doomed {
    std::string name;
    std::uint64_t number = 0;
  };
  Result<void> look_into_folder(target::Session& session);
  // After that, below next_file().
  const Doomed& doomed(std::uint64_t index) const { return doomed_[index]; }
  // True where the folder is there and holds nothing else.
  bool folder_may_go() const { return folder_is_there_ && !others_; }
  // True for the last worker that leaves.
  bool last_to_leave() { return working_.fetch_sub(1) == 1; }

  // A line for the user. Each text is kept once.
  void remark(std::string text);
  std::vector<std::string> remarks() const;

 private:
  void sort_out(std::vector<std::string> names);

  Options options_;
  StreamContent content_;
  std::uint32_t threads_;
  std::atomic<std::uint64_t> next_ = 0;
  std::atomic<std::uint64_t> files_;
  std::atomic<std::uint64_t> calls_ = 0;
  std::atomic<std::int64_t> first_call_ns_ = 0;
  std::atomic<bool> failed_ = false;
  std::atomic<std::uint32_t> working_;
  mutable std::mutex mutex_;
  bool looked_ = false;  // guarded by mutex_, like the next three while it is false
  std::vector<Doomed> doomed_;
  bool folder_is_there_ = false;
  bool others_ = false;
  std::vector<std::string> remarks_;  // guarded by mutex_
};

}  // namespace loadline::engine
