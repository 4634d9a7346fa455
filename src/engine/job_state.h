// What the worker threads of one job share on one driver: the compiled mix, the cursors, the
// content pool, and the word that the job cannot go on.
//
// Ownership: borrows the plan's job and the pool. Threads: read-only but for the pickers' cursors
// (atomic) and give_up().
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "engine/content.h"
#include "engine/files.h"
#include "engine/picker.h"
#include "plan/plan.h"

namespace loadline::engine {

class JobState {
 public:
  // Lists the folders of file writes: the one thing that can fail.
  static Result<std::unique_ptr<JobState>> make(const plan::Job& job, const ContentPool& content,
                                                std::uint64_t seed);

  const plan::Job& job() const { return job_; }
  const ContentPool& content() const { return content_; }
  std::uint64_t seed() const { return seed_; }
  OpPicker& picker(std::uint32_t op) { return pickers_[op]; }
  const MixPicker& mix() const { return mix_; }
  const SourceFile& file(std::uint32_t op, std::size_t index) const { return files_[op][index]; }
  // This worker's share of a total of operations or bytes; the shares of all workers add up to it.
  // Workers whose slice of what is divided is empty have no share: the others do all.
  std::uint64_t share_of(std::uint64_t total, std::uint32_t worker) const;

  // Of a cleanup that divides the objects among the workers: true for the last worker that leaves
  // this container, which is then empty and may be removed. Always true for other walks.
  bool last_to_leave(std::uint32_t op, std::int64_t container);

  // When the storage last answered any worker, to the second: all threads look at it, so it
  // is rarely written.
  void note_answer(Instant when);
  Instant last_answer() const {
    return Instant::from_ns(last_answer_ns_.load(std::memory_order_relaxed));
  }

  // The stage cannot go on, e.g. because a container cannot be made. The first reason is kept.
  void give_up(std::string reason);
  bool given_up() const { return given_up_.load(std::memory_order_relaxed); }
  std::string reason() const;

  // False where an operation's division leaves this worker nothing.
  bool has_work(std::uint32_t worker) const { return ranks_.empty() || ranks_[worker] != k_idle; }

 private:
  static constexpr std::uint32_t k_idle = UINT32_MAX;

  JobState(const plan::Job& job, const ContentPool& content, std::uint64_t seed,
           std::vector<std::vector<SourceFile>> files);

  void rank_workers();

  const plan::Job& job_;
  const ContentPool& content_;
  std::uint64_t seed_;
  std::vector<std::vector<SourceFile>> files_;  // by operation
  std::vector<OpPicker> pickers_;
  MixPicker mix_;
  std::uint32_t working_ = 0;         // workers that have work
  std::vector<std::uint32_t> ranks_;  // of each worker among them; empty: all have work
  std::atomic<std::int64_t> last_answer_ns_ = 0;
  std::mutex leaving_mutex_;
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> left_;  // workers, by container
  std::atomic<bool> given_up_ = false;
  mutable std::mutex mutex_;
  std::string reason_;
};

}  // namespace loadline::engine
